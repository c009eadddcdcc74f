import { expect, it } from 'vitest';
import { parseJsonBody as parseBytes } from '../../../../src/api/rest/parse-json-body.js';

const parseJsonBody = (text: string): unknown => parseBytes(Buffer.from(text));

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

it('bodies are refused for their depth before they are parsed', () => {
  expect(parseJsonBody(nested(100))).toBeInstanceOf(Array);
  for (const text of [nested(101), '['.repeat(1_000_000), '{"a":'.repeat(101)])
    expect(() => parseJsonBody(text)).toThrow('nested more than 100 levels deep');
});

it('brackets within strings have no depth', () => {
  const text = `"\\ ${'['.repeat(500)}`;
  expect(parseJsonBody(JSON.stringify([text, { [text]: text }]))).toEqual([text, { [text]: text }]);
});

it('keys that change prototypes are refused at any depth', () => {
  expect(() => parseJsonBody('{"data":[{"a":{"__proto__":1}}]}')).toThrow('__proto__');
  expect(() => parseJsonBody('[{"constructor":{"prototype":1}}]')).toThrow('__proto__');
});

it('an empty text is no body', () => {
  expect(parseJsonBody(' ')).toBeUndefined();
  expect(() => parseJsonBody('{"a":')).toThrow('JSON');
});

it('numbers that would be rounded are refused with their path, which begins within data', () => {
  expect(parseJsonBody('{"data":{"a":0.1,"b":[1e3,1.10]}}')).toEqual({ data: { a: 0.1, b: [1000, 1.1] } });
  for (const [text, path] of [
    ['{"data":{"a":0.12345678901234567891}}', ['a']],
    ['{"data":[{"data":{"extra":{"list":[1,9007199254740993]}}}]}', ['0', 'data', 'extra', 'list', '1']],
    ['{"query":"","variables":{"data":{"a":1e400}}}', ['variables', 'data', 'a']],
  ] as const)
    expect(() => parseJsonBody(text)).toThrow(
      expect.objectContaining({
        code: 'request/inexact-number',
        details: { errors: [expect.objectContaining({ path })] },
      }),
    );
  expect(() => parseJsonBody('{"a":9007199254740993')).toThrow('not valid JSON');
});
