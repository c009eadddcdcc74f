import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import {
  areSmallVariables,
  assertVariables,
  createVariableBudget,
} from '../../../../../src/api/graphql/http/assert-variables.js';
import type { VariableBudget } from '../../../../../src/api/graphql/http/assert-variables.js';

const schema = buildSchema(`
  scalar JSON
  input Text { eq: String in: [String] }
  input Filters { title: Text or: [Filters] not: Filters }
  input Data { title: String! size: Int blocks: JSON parts: [Data] }
  type Query { list(filters: Filters, data: Data): Int }
`);

const QUERY = 'query($filters: Filters, $data: Data) { list(filters: $filters, data: $data) }';

const check = (
  variables: Record<string, unknown>,
  budget: VariableBudget = createVariableBudget(),
): (() => void) => {
  const operation = { query: QUERY, variables, operationName: null, cacheKey: null };
  return () => assertVariables(operation, { schema, tokenLimit: 10_000, budget });
};

const list = <Item>(length: number, item: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => item(index));

const PADDING = 'x'.repeat(30_000);

it('keys of variables are names, their texts are not', () => {
  expect(() => areSmallVariables({ data: [{ ['a'.repeat(5000)]: 1 }] })).toThrow('A name is longer');
  expect(areSmallVariables({ data: [{ name: 'a'.repeat(5000), parts: ['a', null, 1] }] })).toBe(true);
  expect(areSmallVariables({ data: PADDING })).toBe(false);
  expect(areSmallVariables({ data: list(1001, () => 1) })).toBe(false);
});

it('variables may not be nested more than 100 levels deep', () => {
  const nested = (depth: number): Record<string, unknown> => (depth === 0 ? {} : { not: nested(depth - 1) });
  expect(check({ filters: nested(90) })).not.toThrow();
  expect(check({ filters: nested(110) })).toThrow('nested more than 100 levels deep');
});

it.each<[Record<string, unknown>, string]>([
  [
    { filters: Object.fromEntries(list(50_000, (index) => [`x${index}`, 1])) },
    'The variable filters has an invalid value at filters: Field "x0" is not defined by type "Filters".',
  ],
  [{ filters: { or: list(300_000, () => ({})) } }, 'more than 200000 list items and input fields'],
  [{ data: { title: 1, parts: list(2000, () => ({ title: 'a' })) } }, 'at data.title: String cannot'],
  [{ data: { title: PADDING, size: PADDING } }, 'at data.size: Int cannot represent'],
  [{ data: { blocks: PADDING } }, 'Field "title" of required type "String!" is missing.'],
  [{ data: { title: null, blocks: PADDING } }, 'Expected type "String!" not to be null.'],
  [{ data: { title: 'a', parts: PADDING } }, 'at data.parts[0]: Expected type "Data" to be an object.'],
])('large variables are checked up to the first value that is wrong (%#)', (variables, message) => {
  expect(check(variables)).toThrow(message);
});

it('large variables that fit their types pass, for any values of json attributes', () => {
  const blocks = list(20_000, (index) => ({
    type: 'paragraph',
    children: [{ type: 'text', text: `${index}` }],
  }));
  expect(check({ data: { title: PADDING, size: 1, blocks } })).not.toThrow();
  expect(check({ data: { title: 'a', parts: list(10_000, () => ({ title: 'a' })) } })).not.toThrow();
  expect(check({ filters: { title: { in: list(5000, () => 'a') } }, other: blocks })).not.toThrow();
  expect(check({ filters: null, data: null, other: PADDING })).not.toThrow();
});

it('operations of one request share a budget', () => {
  const budget = createVariableBudget();
  const variables = { filters: { or: list(30_000, () => ({})) } };
  expect(check(variables, budget)).not.toThrow();
  expect(check(variables, budget)).toThrow('more than 200000');
});

it('documents that cannot be parsed are left to whoever runs them', () => {
  const operation = { query: '{', variables: { a: PADDING }, operationName: null, cacheKey: null };
  expect(() =>
    assertVariables(operation, { schema, tokenLimit: 100, budget: createVariableBudget() }),
  ).not.toThrow();
});
