import { fc } from '../../support/properties.js';
import { describe, expect, it } from 'vitest';
import { parseLocatedJson } from '../../../src/lib/located-json.js';

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
