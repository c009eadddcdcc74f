import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawAggregateParams } from '../../../../src/query/aggregate.js';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { idsByCursor } from './pages-by-cursor.js';
import { seed } from './seed.js';
import { aggregate, runQuery, count } from './run-query.js';
import { ARTICLE, seedMagazine, TAG } from './magazine.js';

const INSERTED = [
  'alpha',
  'Beta',
  'gamma',
  'Delta',
  'epsilon',
  'Zeta_1',
  '100% eta',
  "o'theta",
  'iota-é',
  'Alphabet',
];

type Case = readonly [what: string, sort: unknown, found: readonly string[]];

const TAG_CASES: readonly Case[] = [
  ['nothing: as inserted', undefined, INSERTED],
  ['id, downwards', 'id:desc', INSERTED.toReversed()],
  [
    'text by code point',
    'name',
    ['100% eta', 'Alphabet', 'Beta', 'Delta', 'Zeta_1', 'alpha', 'epsilon', 'gamma', 'iota-é', "o'theta"],
  ],
  [
    'a number, null first',
    'weight',
    ['Delta', "o'theta", 'alpha', 'Beta', 'gamma', 'epsilon', 'Zeta_1', '100% eta', 'iota-é', 'Alphabet'],
  ],
  [
    'a number downwards, null last',
    'weight:desc',
    ['Alphabet', 'iota-é', '100% eta', 'Zeta_1', 'epsilon', 'gamma', 'Beta', 'alpha', 'Delta', "o'theta"],
  ],
  ['ties by id', 'createdAt:desc', INSERTED],
  [
    'two fields',
    'label:asc,name:desc',
    ['alpha', 'Delta', 'Alphabet', '100% eta', 'Beta', 'epsilon', 'gamma', 'iota-é', "o'theta", 'Zeta_1'],
  ],
];

const ARTICLE_CASES: readonly Case[] = [
  ['a relation, absent first', 'author.name', ['Fourth', 'First', 'Third', 'Second']],
  ['a relation downwards, absent last', 'author.name:desc', ['Second', 'First', 'Third', 'Fourth']],
  [
    'a relation of a relation',
    { author: { profile: { nickname: 'desc' } } },
    ['First', 'Third', 'Second', 'Fourth'],
  ],
  ['a relation to the same type', 'category.parent.name:desc', ['Second', 'First', 'Third', 'Fourth']],
  ['a field of a component', 'seo.metaTitle:desc', ['Second', 'First', 'Third', 'Fourth']],
  ['the least of several linked', 'tags.weight', ['Third', 'Fourth', 'First', 'Second']],
  ['the greatest of several linked, downwards', 'tags.name:desc', ['First', 'Second', 'Third', 'Fourth']],
  ['ties among the least of several linked', 'tags.name', ['Third', 'Fourth', 'First', 'Second']],
  [
    'several at the end of a relation',
    'category.articles.title:desc',
    ['Second', 'First', 'Third', 'Fourth'],
  ],
  ['several components, none first', 'links.label', ['Second', 'Third', 'Fourth', 'First']],
  [
    'relations of several components',
    { links: { tag: { name: 'desc' } } },
    ['First', 'Second', 'Third', 'Fourth'],
  ],
  ['several files', 'gallery.name:desc', ['First', 'Second', 'Third', 'Fourth']],
  ['a boolean', 'featured:desc,title', ['Second', 'First', 'Fourth', 'Third']],
  ['a time', 'startsAt:desc', ['Second', 'First', 'Third', 'Fourth']],
];

const AGGREGATES: readonly (readonly [RawReadParams & RawAggregateParams, unknown])[] = [
  [{}, [{ count: 4 }]],
  [{ count: null, sum: { views: null } }, [{ count: 4, sum: { views: 100 } }]],
  [
    { sum: 'views,rating', avg: ['views'], min: { views: 'true', title: '' }, max: 'reads,startsAt' },
    [
      {
        sum: { views: 100, rating: 6.5 },
        avg: { views: 25 },
        min: { views: 10, title: 'First' },
        max: { reads: '9007199254740993', startsAt: '2026-02-01T10:00:00.000Z' },
      },
    ],
  ],
  [{ count: true, sum: 'views', filters: { views: 0 } }, [{ count: 0, sum: { views: null } }]],
  [{ count: 'true', status: 'draft' }, [{ count: 5 }]],
  [
    { groupBy: 'kind', sum: 'views', count: '', sort: 'sum.views:desc' },
    [
      { group: { kind: 'news' }, count: 2, sum: { views: 40 } },
      { group: { kind: 'review' }, count: 1, sum: { views: 40 } },
      { group: { kind: 'opinion' }, count: 1, sum: { views: 20 } },
    ],
  ],
  [
    { groupBy: { author: null } },
    [
      { group: { author: null }, count: 1 },
      { group: { author: 'ada' }, count: 2 },
      { group: { author: 'bob' }, count: 1 },
    ],
  ],
  [
    { groupBy: ['category'], sort: 'category:desc', pagination: { limit: 2 } },
    [
      { group: { category: 'tech' }, count: 1 },
      { group: { category: 'life' }, count: 1 },
    ],
  ],
  [
    { groupBy: { startsAt: 'month', featured: '' }, sort: 'count:desc', pagination: { start: 1 } },
    [
      { group: { startsAt: '2026-01', featured: false }, count: 1 },
      { group: { startsAt: '2026-02', featured: true }, count: 1 },
    ],
  ],
  [{ groupBy: 'kind', filters: { views: 0 } }, []],
];

describe.each(databases)('sort and page on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it.each(TAG_CASES)('tags by %s', async (_what, sort, found) => {
    expect((await runQuery(testEnvironment, TAG, { sort })).map(({ name }) => name)).toEqual(found);
  });

  it.each(ARTICLE_CASES)('articles by %s', async (_what, sort, found) => {
    expect((await runQuery(testEnvironment, ARTICLE, { sort })).map(({ title }) => title)).toEqual(found);
  });

  it.each([
    ...TAG_CASES.map(([what, sort]) => [`tags by ${what}`, TAG, sort] as const),
    ...ARTICLE_CASES.map(([what, sort]) => [`articles by ${what}`, ARTICLE, sort] as const),
  ])('pages %s with cursors, forwards and backwards', async (_what, type, sort) => {
    const sorted = (await runQuery(testEnvironment, type, { sort })).map(({ id }) => id);
    for (const limit of [1, 3]) {
      const params = { sort, pagination: { limit } };
      expect(await idsByCursor(testEnvironment, type, params, 'after')).toEqual(sorted);
      expect(await idsByCursor(testEnvironment, type, params, 'before')).toEqual(sorted);
    }
  });

  it.each([
    [{ page: 2, pageSize: 3 }, ['Delta', 'epsilon', 'Zeta_1']],
    [{ start: 8, limit: 5 }, ['iota-é', 'Alphabet']],
    [{ start: 50 }, []],
  ])('returns the page %j', async (pagination, found) => {
    expect((await runQuery(testEnvironment, TAG, { pagination })).map(({ name }) => name)).toEqual(found);
    expect(await count(testEnvironment, TAG, { pagination })).toBe(10);
  });

  it('sorts before it selects the page', async () => {
    expect(
      (await runQuery(testEnvironment, TAG, { sort: 'name:desc', pagination: { start: 1, limit: 2 } })).map(
        ({ name }) => name,
      ),
    ).toEqual(['iota-é', 'gamma']);
  });

  it.each(AGGREGATES)('aggregates %j', async (params, expected) => {
    expect(await aggregate(testEnvironment, ARTICLE, params)).toEqual(expected);
  });

  it('sums large integers up exactly', async () => {
    const max = 9_223_372_036_854_775_807n;
    const sumOf = async (locale: string): Promise<unknown> =>
      (await aggregate(testEnvironment, ARTICLE, { locale, sum: 'reads', avg: 'reads' }))[0];
    for (const [locale, values, sum] of [
      ['de', [max, max, max], '27670116110564327421'],
      ['it', [-max, -max, 5n], '-18446744073709551609'],
      ['es', [1_000_000_000n, -1n], '999999999'],
      ['pt', [-1_000_000_000n, 1n], '-999999999'],
      ['nl', [4_000_000_000n, -4_000_000_000n], '0'],
    ] as const) {
      const rows = values.map((reads, index) => ({
        documentId: `big${locale}${index}`,
        locale,
        values: { reads, title: 'Big' },
      }));
      await seed(testEnvironment, ARTICLE, rows);
      expect(await sumOf(locale)).toMatchObject({ sum: { reads: sum } });
    }
  });

  it('counts each record once, however many links match', async () => {
    expect(await count(testEnvironment, ARTICLE, { filters: { tags: { weight: { $lt: 5 } } } })).toBe(2);
  });
});
