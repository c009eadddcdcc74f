import { describe, expect, it } from 'vitest';
import {
  InexactNumberError,
  findInexactNumber,
  isExactNumber,
  parseExactJson,
  parseLocatedJson,
} from '../../../src/lib/json.js';
import { fc } from '../../support/properties.js';

const KEPT = [
  '0',
  '-0',
  '0.1',
  '1.10',
  '4.250',
  '1e3',
  '1E+3',
  '1.5e-7',
  '0e999',
  '0.30000000000000004',
  '9007199254740991',
  '9007199254740992',
  '1234567890123456800',
  '1.7976931348623157e308',
  '5e-324',
  '100000000000000000000000',
  '0.00000000000000000000000000000012',
  `1${'0'.repeat(300)}`,
  `1.${'0'.repeat(5000)}`,
];

const ROUNDED = [
  '0.12345678901234567891',
  '0.10000000000000000001',
  '1234567890123456789',
  '-9007199254740993',
  '1e400',
  '-1e400',
  '1e-400',
  '123456789012345678e3',
  '0.1000000000000000055511151231257827',
  `0.${'1'.repeat(5000)}`,
];

describe('numbers that a double keeps', () => {
  it.each(KEPT)('keeps %s', (literal) => {
    expect(isExactNumber(literal)).toBe(true);
    expect(findInexactNumber(`{"a":[${literal}]}`)).toBeNull();
  });

  it.each(ROUNDED)('does not keep %s', (literal) => {
    expect(isExactNumber(literal)).toBe(false);
    expect(findInexactNumber(`{"a": [true, {"b":${literal}}]}`)?.path).toEqual(['a', '1', 'b']);
  });

  it.each(['', '.', '-', 'e5', 'x', '0x10', '1,5'])('takes %j for no number', (text) => {
    expect(isExactNumber(text)).toBe(false);
  });

  it('keeps every double that JavaScript prints', () => {
    let seed = 7;
    for (let count = 0; count < 20_000; count += 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      const value = (seed / 2_147_483_647 - 0.5) * 10 ** ((seed % 600) - 300);
      expect(isExactNumber(JSON.stringify(value)), JSON.stringify(value)).toBe(true);
    }
  });

  it('passes over text', () => {
    const text = JSON.stringify({
      '1234567890123456789': 'say "1234567890123456789" \\',
      next: '\\"1e400',
      list: ['1234567890123456789\\\\', 'é1e400'],
    });
    expect(parseExactJson(text)).toEqual(JSON.parse(text));
  });

  it('names the first one and its place', () => {
    const parse = () => parseExactJson('[1, {"a": 12345678901234567890}, 1e400]');
    expect(parse).toThrow(InexactNumberError);
    expect(parse).toThrow('the number 12345678901234567890 at 1.a would be rounded to 12345678901234567000');
  });

  it('takes time in proportion to the length', () => {
    for (const part of ['1.', '\\"', '"\\\\",', '0', '[1e', '-', '1 1e'])
      expect(() => findInexactNumber(part.repeat(500_000))).not.toThrow();
  });
});

const TEXT = `{
  "a": {
    "b": [1,
      { "c": true }]
  },
  "a": 2
}`;

describe('parseLocatedJson', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { value: parsed, error } = parseLocatedJson(text);
        expect(error).toBeNull();
        expect(JSON.stringify(parsed)).toBe(text.includes('\n') ? JSON.stringify(value) : text);
      }),
    );
  });

  it('refuses what JSON.parse refuses, and says where', () => {
    for (const text of [
      '',
      ' ',
      '{',
      '{]',
      '[1,]',
      '{"a":1,}',
      "{'a':1}",
      '{"a" 1}',
      '{"a":1 "b":2}',
      '// x\n1',
      '1 2',
      '"\n"',
      '"\\x"',
      '"\\u12"',
      'nul',
      '01',
      '+1',
      '1.',
    ]) {
      expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
      const { error, value } = parseLocatedJson(text);
      expect(value).toBeUndefined();
      expect(error, text).toMatchObject({
        message: expect.stringMatching(
          /expected|not JSON|not allowed|without end|unknown|broken|escaped/,
        ) as unknown,
      });
    }
    expect(parseLocatedJson('{\n  "a": 1,\n  x\n}').error).toMatchObject({ line: 3, column: 3 });
  });

  it('knows the line of every part, or of the nearest that is there', () => {
    const { lineOf } = parseLocatedJson(TEXT.replace('"a": 2', '"d": 2'));
    expect(
      [
        [],
        ['a'],
        ['a', 'b'],
        ['a', 'b', 0],
        ['a', 'b', 1],
        ['a', 'b', 1, 'c'],
        ['d'],
        ['a', 'x', 'y'],
        ['x'],
        ['d', 0],
      ].map(lineOf),
    ).toEqual([1, 2, 3, 3, 4, 4, 6, 2, 1, 6]);
  });

  it('finds keys that stand twice, of which the later counts', () => {
    const { value, duplicates, lineOf } = parseLocatedJson(TEXT);
    expect(value).toEqual({ a: 2 });
    expect(duplicates).toEqual([{ path: [], key: 'a', line: 6 }]);
    expect(lineOf(['a'])).toBe(6);
  });

  it('keeps a key called __proto__ a key', () => {
    const { value } = parseLocatedJson('{ "__proto__": { "x": 1 } }');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });
});
