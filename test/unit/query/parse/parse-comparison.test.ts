import { describe, expect, it } from 'vitest';
import type { FilterNode } from '../../../../src/query/query.js';
import { compare } from './filter-nodes.js';
import { ARTICLE, errorOf, filterOf, TAG } from './read-helpers.js';

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
    [{ id: 99_999_999_999 }, compare('id', '$in', [])],
    [{ id: { $ne: '1.5' } }, compare('id', '$notIn', [])],
    [{ id: { $in: ['1', 99_999_999_999, '2'] } }, compare('id', '$in', [1, 2])],
    [{ id: null }, compare('id', '$null', true)],
  ])('%j: a number that cannot be an id equals no id', (filters, expected) => {
    expect(tag(filters)).toEqual(expected);
  });

  // They found nothing without a word, though a documentId is what one means.
  it.each([
    [{ id: 'abc' }, 'filters[documentId]'],
    [{ id: { $ne: 'abc' } }, 'filters[documentId]'],
    [{ $or: [{ id: { $in: ['1', 'abc'] } }] }, 'filters[$or][0][documentId]'],
    [{ articles: 'abc' }, 'filters[articles][documentId]'],
    [{ articles: ['abc'] }, 'filters[articles][documentId]'],
    [{ articles: { $eq: 'abc' } }, 'filters[articles][documentId]'],
    [{ articles: { $notIn: ['abc'] } }, 'filters[articles][documentId]'],
    [{ articles: { $not: { $in: ['abc'] } } }, 'filters[articles][documentId]'],
    [{ articles: { id: { $eq: 'abc' } } }, 'filters[articles][documentId]'],
    [{ articles: { author: { $eq: 'abc' } } }, 'filters[articles][author][documentId]'],
    [{ articles: { cover: 'abc' } }, 'filters[articles][cover][documentId]'],
  ])('%j is refused with the way to compare a documentId', (filters, path) => {
    expect(errorOf(() => tag(filters)).message).toContain(
      `it compares the numeric id. For a documentId write ${path}.`,
    );
  });

  it('of components are compared with numbers only', () => {
    expect(errorOf(() => filterOf(ARTICLE, { seo: 'abc' })).message).toContain(
      'filters.seo: it compares the numeric id.',
    );
  });

  it('$gt and the like accept numbers only', () => {
    expect(errorOf(() => tag({ id: { $gt: 'abc' } })).message).toContain('filters.id.$gt');
  });
});
