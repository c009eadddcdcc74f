import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadQuery } from '../../../../src/query/query.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { runQuery, count, queryOf } from './run-query.js';
import { ARTICLE_CASES, SEARCHES, TAG_CASES } from './filter-cases.js';
import { ARTICLE, AUTHOR, CATEGORY, seedMagazine, TAG } from './magazine.js';

const namesOf = async (
  testEnvironment: TestEnvironment,
  type: string,
  field: string,
  filters: unknown,
): Promise<readonly unknown[]> => {
  const params = { filters, fields: [field], sort: field, pagination: { limit: 100 } };
  const found = (await runQuery(testEnvironment, type, params)).map((record) => record[field]);
  expect(await count(testEnvironment, type, params)).toBe(found.length);
  return found;
};

/** What articles link, with a column that tells records apart. */
const OTHERS = [
  ['tags', 'name'],
  ['authors', 'name'],
  ['categories', 'name'],
  ['profiles', 'nickname'],
] as const;

/** Copies the first row so many times that no plan is for small tables. */
const addOthers = async ({ database }: TestEnvironment): Promise<void> => {
  await database.transact(async (tx) => {
    const numbers = `(WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 201)
      SELECT n FROM n)`;
    for (const [table, column] of OTHERS) {
      await tx.execute(
        `INSERT INTO ${table}_documents (document_id) SELECT 'other' || n FROM ${numbers} AS n`,
        [],
      );
      const copied = 'locale, status, created_at, updated_at, published_at';
      await tx.execute(
        `INSERT INTO ${table} (document_id, ${column}, ${copied})
         SELECT 'other' || n, 'other' || n, ${copied} FROM ${table} CROSS JOIN ${numbers} AS n WHERE id = 1`,
        [],
      );
    }
  });
  // As after any fifty documents that are not written by hand.
  const tables = [...OTHERS.map(([table]) => table), 'profiles_favourite_tags_links'];
  await database.transact((tx) => database.dialect.driver.analyzeTables(tx, tables, 201));
};

describe.each(databases)('filters on $name', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it.each(TAG_CASES)('tags by %s', async (_what, filters, found) => {
    expect(await namesOf(testEnvironment, TAG, 'name', filters)).toEqual(found);
  });

  it.each(ARTICLE_CASES)('articles by %s', async (_what, filters, found) => {
    expect(await namesOf(testEnvironment, ARTICLE, 'title', filters)).toEqual(found);
  });

  it.each(SEARCHES)('searches %s for %j', async (type, _q, found) => {
    const name = type === TAG ? 'name' : 'title';
    const records = await runQuery(testEnvironment, type, { _q });
    expect(records.map((record) => String(record[name])).toSorted()).toEqual(found);
    expect(await count(testEnvironment, type, { _q })).toBe(found.length);
  });

  it('search within what a filter finds', async () => {
    const params = { _q: 'ALPHA', filters: { weight: { $gt: 1 } } };
    expect((await runQuery(testEnvironment, TAG, params)).map(({ name }) => name)).toEqual(['Alphabet']);
  });

  it('read several locales in one statement', async () => {
    const params = { locale: ['en', 'fr', 'xx'], filters: { documentId: 'a1' }, sort: 'locale' };
    expect((await runQuery(testEnvironment, ARTICLE, params)).map(({ title }) => title)).toEqual([
      'First',
      'Premier',
    ]);
  });

  it('over an inverse relation match drafts when drafts are read', async () => {
    const filters = { articles: { title: 'Unpublished' } };
    expect(await runQuery(testEnvironment, AUTHOR, { filters })).toEqual([]);
    expect(
      (await runQuery(testEnvironment, AUTHOR, { filters, status: 'draft' })).map(({ name }) => name),
    ).toEqual(['Ada Lovelace']);
  });

  it('over a relation match the version of the same status', async () => {
    const filters = { category: { name: 'Secret' } };
    expect(await runQuery(testEnvironment, ARTICLE, { filters })).toEqual([]);
    expect(
      (await runQuery(testEnvironment, ARTICLE, { filters, status: 'draft' })).map(({ title }) => title),
    ).toEqual(['Third']);
    expect(
      (await runQuery(testEnvironment, CATEGORY, { filters: { children: { name: 'Life' } } })).map(
        ({ name }) => name,
      ),
    ).toEqual(['Tech']);
  });

  it('may have hundreds of conditions', async () => {
    const $or = Array.from({ length: 400 }, (_, index) => ({ name: { $eq: `tag ${index}` } }));
    expect(await namesOf(testEnvironment, TAG, 'name', { $or: [...$or, { name: 'alpha' }] })).toEqual([
      'alpha',
    ]);
  });

  it.each([
    ['text that the database cannot store', 'name', '$eq', 'alpha\0', 0],
    ['a fraction against whole numbers', 'weight', '$lt', 1.5, 2],
    ['more than any integer', 'weight', '$gt', 99_999_999_999, 0],
    ['more than any number of 64 bits', 'weight', '$lt', 2n ** 80n, 8],
    ['whole and broken numbers', 'weight', '$in', [2, 4.5, 9], 2],
    ['a year that has five digits', 'createdAt', '$lt', new Date('+012026-01-01T00:00:00.000Z'), 10],
    ['a year before the first', 'createdAt', '$lt', new Date('-000001-01-01T00:00:00.000Z'), 0],
  ] as const)('compare with %s', async (_what, field, operator, operand, found) => {
    const query: ReadQuery = {
      ...queryOf(testEnvironment, TAG),
      filter: { kind: 'compare', field, operator, operand },
    };
    const { sql, parameters } = testEnvironment.compiler.count(query);
    expect(await testEnvironment.database.readNumber(sql, parameters)).toBe(found);
  });
});

describe.each(databases)('filters on $name where linked tables are large', (database) => {
  let testEnvironment: TestEnvironment;
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
    await addOthers(testEnvironment);
  });
  afterAll(() => testEnvironment.close());

  it.each(ARTICLE_CASES)('articles by %s', async (_what, filters, found) => {
    expect(await namesOf(testEnvironment, ARTICLE, 'title', filters)).toEqual(found);
  });
});
