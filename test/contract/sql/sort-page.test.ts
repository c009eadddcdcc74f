import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { idsByCursor } from './pages-by-cursor.js';
import { runQuery, count } from './run-query.js';
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

  it('counts each record once, however many links match', async () => {
    expect(await count(testEnvironment, ARTICLE, { filters: { tags: { weight: { $lt: 5 } } } })).toBe(2);
  });
});
