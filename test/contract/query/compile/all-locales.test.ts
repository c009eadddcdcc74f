import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { byCodePoint } from './products.js';
import { idsByCursor } from './pages-by-cursor.js';
import { runQuery } from './run-query.js';

const PAGE = 'api::page.page';
const PROJECT = {
  types: {
    page: {
      draftAndPublish: true,
      localized: true,
      attributes: {
        title: { type: 'string', index: true, pluginOptions: { i18n: { localized: true } } },
        rank: { type: 'integer' },
      },
    },
  },
} as const;

const LOCALES = ['de', 'en', 'fr', 'pt-BR'];
const COUNT = 600;

interface Row {
  readonly documentId: string;
  readonly locale: string;
  readonly title: string | null;
  readonly rank: number;
}

/** Locales differ in how many documents they have, titles repeat, and some are missing. */
const ROWS: readonly Row[] = Array.from({ length: COUNT }, (_, index) => ({
  documentId: `p${index}`,
  locale: LOCALES[index % 7 < 4 ? 1 : index % LOCALES.length] ?? '',
  title: index % 13 === 0 ? null : `t${(index * 37) % 90}`,
  rank: index % 5,
}));

const compareTitles = (a: Row, b: Row): number => byCodePoint(a.title, b.title);

const TIME = `'2024-01-01T00:00:00.000+00:00'`;

const insertRows = (status: string): string =>
  'insert into pages (document_id, locale, status, created_at, updated_at, published_at, title, rank) ' +
  'values ' +
  ROWS.map(
    ({ documentId, locale, title, rank }) =>
      `('${documentId}', '${locale}', '${status}', ${TIME}, ${TIME}, ${TIME}, ` +
      `${title === null ? 'null' : `'${title}'`}, ${rank})`,
  ).join(', ');

describe.each(databases)('a page of all locales on $name', (database) => {
  let environment: TestEnvironment;
  beforeAll(async () => {
    environment = await createTestEnvironment({ model: PROJECT, database });
    await environment.database.transact(async (tx) => {
      const documents = ROWS.map(({ documentId }) => `('${documentId}')`).join(', ');
      await tx.execute(`insert into pages_documents (document_id) values ${documents}`, []);
      await tx.execute(insertRows('draft'), []);
      await tx.execute(insertRows('published'), []);
      await tx.execute('ANALYZE', []);
    });
  });
  afterAll(() => environment.close());

  const readPage = async (sort: string, params: object): Promise<readonly unknown[]> =>
    (
      await runQuery(environment, PAGE, { ...params, locale: '*', sort, fields: ['title', 'locale', 'rank'] })
    ).map(({ documentId }) => documentId);

  it.each([
    ['title', compareTitles],
    ['title:desc', (a: Row, b: Row) => compareTitles(b, a)],
    ['title,rank:desc', (a: Row, b: Row) => compareTitles(a, b) || b.rank - a.rank],
  ])('is in the order of %s', async (sort, compare) => {
    // Rows are as they were inserted where nothing else decides.
    const sorted = ROWS.toSorted(compare);
    for (const [start, limit] of [
      [0, 25],
      [240, 25],
      [590, 25],
      [COUNT, 5],
    ] as const)
      expect(await readPage(sort, { pagination: { start, limit } })).toEqual(
        sorted.slice(start, start + limit).map(({ documentId }) => documentId),
      );
    const filtered = sorted.filter(({ rank }) => rank > 2);
    expect(await readPage(sort, { filters: { rank: { $gt: 2 } }, pagination: { start: 50 } })).toEqual(
      filtered.slice(50, 75).map(({ documentId }) => documentId),
    );
  });

  it.each([
    ['title', compareTitles],
    ['title:desc', (a: Row, b: Row) => compareTitles(b, a)],
    ['title,rank:desc', (a: Row, b: Row) => compareTitles(a, b) || b.rank - a.rank],
  ])('goes on from a cursor in the order of %s', async (sort, compare) => {
    const params = { locale: '*', sort, fields: ['title'] };
    const rows = await environment.database.transact((tx) =>
      tx.query('select id, document_id from pages', []),
    );
    const documents = new Map(rows.map((row) => [Number(row['id']), row['document_id']]));
    const sorted = ROWS.toSorted(compare).map(({ documentId }) => documentId);
    for (const key of ['after', 'before'] as const) {
      const ids = await idsByCursor(environment, PAGE, { ...params, pagination: { limit: 70 } }, key);
      expect(ids.map((id) => documents.get(id))).toEqual(sorted);
    }
  });

  it('finds the rows of one value', async () => {
    expect(await readPage('title', { filters: { title: 't37' } })).toEqual(
      ROWS.filter(({ title }) => title === 't37').map(({ documentId }) => documentId),
    );
  });
});
