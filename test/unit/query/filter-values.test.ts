import { describe, expect, it } from 'vitest';
import type { FilterNode } from '../../../src/query/query.js';
import { compare } from './filter-nodes.js';
import { errorOf, filterOf, TAG } from './read-helpers.js';

const tag = (filters: unknown): FilterNode | null => filterOf(TAG, filters);

it.each([
  [true, true],
  ['t', true],
  [1, true],
  ['maybe', true],
  [{}, true],
  ['false', false],
  ['f', false],
  ['', false],
  [null, false],
  [Number.NaN, false],
])('%o is the flag %s of $null and $notNull', (value, flag) => {
  expect(tag({ name: { $null: value } })).toEqual(compare('name', '$null', flag));
  expect(tag({ name: { $notNull: value } })).toEqual(compare('name', '$notNull', flag));
  expect(tag({ articles: { $null: value } })).toMatchObject({ kind: 'link-empty', empty: flag });
  expect(tag({ articles: { $notNull: value } })).toMatchObject({ kind: 'link-empty', empty: !flag });
});

describe('ids', () => {
  it.each([
    [{ id: '7' }, compare('id', '$eq', 7)],
    [{ id: 'abc' }, compare('id', '$in', [])],
    [{ id: 99_999_999_999 }, compare('id', '$in', [])],
    [{ id: { $ne: 'abc' } }, compare('id', '$notIn', [])],
    [{ id: { $in: ['1', 'abc', '2'] } }, compare('id', '$in', [1, 2])],
    [{ id: null }, compare('id', '$null', true)],
  ])('%j: a value that cannot be an id equals no id', (filters, expected) => {
    expect(tag(filters)).toEqual(expected);
  });

  it('$gt and the like accept numbers only', () => {
    expect(errorOf(() => tag({ id: { $gt: 'abc' } })).message).toContain('filters.id.$gt');
  });
});
