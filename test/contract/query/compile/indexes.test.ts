import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawReadParams } from '../../../../src/query/read-context.js';
import { fc } from '../../../support/properties.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import type { FindManyResult } from '../../../../src/documents/documents.js';
import { COUNTED, ranges } from './counted-filters.js';
import { idsByCursor, idsOf, readPage } from './pages-by-cursor.js';
import { byCodePoint, fill, PRODUCT, ROWS, PRODUCTS_MODEL, titleOf } from './products.js';
import type { Product } from './products.js';
import { queryOf, runQuery } from './run-query.js';

const PAGE = 5;

type Reference = (products: readonly Product[]) => readonly Product[];
type Case = readonly [what: string, params: RawReadParams, index: string, reference: Reference];

const startsWith =
  (prefix: string): Reference =>
  (all) =>
    all.filter(({ title }) => title?.startsWith(prefix) === true);

const CASES: readonly Case[] = [
  [
    'a page in the order of text, nulls first',
    { sort: 'title' },
    'title',
    (all) => all.toSorted((a, b) => byCodePoint(a.title, b.title) || a.id - b.id),
  ],
  [
    'a page in the order of text downwards, nulls last',
    { sort: 'title:desc' },
    'title',
    (all) => all.toSorted((a, b) => byCodePoint(b.title, a.title) || a.id - b.id),
  ],
  [
    'the newest first',
    { sort: 'publishedAt:desc' },
    'published_at',
    (all) => all.toSorted((a, b) => (b.id % 1000) - (a.id % 1000) || a.id - b.id),
  ],
  [
    'the oldest first',
    { sort: 'createdAt' },
    'created_at',
    (all) => all.toSorted((a, b) => (a.id % 1000) - (b.id % 1000) || a.id - b.id),
  ],
  [
    'equal text',
    { filters: { title: 'zebra 3' } },
    'title',
    (all) => all.filter(({ title }) => title === 'zebra 3'),
  ],
  ['equal numbers', { filters: { price: 77 } }, 'price', (all) => all.filter(({ price }) => price === 77)],
  [
    'one of several numbers',
    { filters: { price: { $in: [77, 78] } } },
    'price',
    (all) => all.filter(({ price }) => price === 77 || price === 78),
  ],
  [
    'a range of text, through the order of the page,',
    { filters: { title: { $lt: 'Apple 2' } }, sort: 'price' },
    'price',
    (all) =>
      all
        .filter(({ title }) => title !== null && byCodePoint(title, 'Apple 2') < 0)
        .toSorted((a, b) => a.price - b.price || a.id - b.id),
  ],
  [
    'a range, in its order',
    { filters: { price: { $gte: 490 } }, sort: 'price' },
    'price',
    (all) => all.filter(({ price }) => price >= 490).toSorted((a, b) => a.price - b.price || a.id - b.id),
  ],
  [
    'the beginning of text',
    { filters: { title: { $startsWith: 'zoo\u{1F600} 1' } } },
    'title',
    startsWith('zoo\u{1F600} 1'),
  ],
  [
    'a beginning of special characters',
    { filters: { title: { $startsWith: 'a%b 9' } } },
    'title',
    startsWith('a%b 9'),
  ],
  [
    'few equal values, in another order',
    { filters: { price: 77 }, sort: 'title' },
    'price',
    (all) =>
      all
        .filter(({ price }) => price === 77)
        .toSorted((a, b) => byCodePoint(a.title, b.title) || a.id - b.id),
  ],
  [
    'several columns that the schema file lists',
    { filters: { width: 3 }, sort: 'height' },
    'width_height',
    (all) =>
      all
        .filter(({ price }) => price % 7 === 3)
        .toSorted((a, b) => (a.price % 11) - (b.price % 11) || a.id - b.id),
  ],
];

const ORDERS: Readonly<Record<string, (a: Product, b: Product) => number>> = {
  id: (a, b) => a.id - b.id,
  title: (a, b) => byCodePoint(a.title, b.title) || a.id - b.id,
  'title:desc': (a, b) => byCodePoint(b.title, a.title) || a.id - b.id,
  weight: (a, b) => a.price - b.price || a.id - b.id,
};

describe.each(databases)('indexes on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let products: readonly Product[];

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: PRODUCTS_MODEL, database });
    products = await fill(testEnvironment);
    await testEnvironment.database.transact((tx) => tx.execute('ANALYZE', []));
  });
  afterAll(() => testEnvironment.close());

  const planOf = async (params: RawReadParams): Promise<string> => {
    const { sql, parameters } = testEnvironment.compiler.read(queryOf(testEnvironment, PRODUCT, params));
    const explain = database.name === 'postgresql' ? 'EXPLAIN' : 'EXPLAIN QUERY PLAN';
    const rows = await testEnvironment.database.transact((tx) => tx.query(`${explain} ${sql}`, parameters));
    return rows.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
  };

  it.each(CASES)('serve %s', async (_what, params, index, reference) => {
    const page = { ...params, fields: ['title', 'code', 'price'], pagination: { pageSize: PAGE } };
    expect(await planOf(page)).toContain(`_status_locale_${index}_id_idx`);
    expect((await runQuery(testEnvironment, PRODUCT, page)).map(({ id }) => id)).toEqual(
      reference(products)
        .slice(0, PAGE)
        .map(({ id }) => id),
    );
  });

  it.each(COUNTED)(
    'lead to the same page where many match as where few do: %s',
    async (_what, filters, matches) => {
      const page = { filters, fields: ['code'], pagination: { page: 3, pageSize: PAGE } };
      for (const [sort, compare] of Object.entries(ORDERS)) {
        const all = products.filter(matches).toSorted(compare);
        expect((await runQuery(testEnvironment, PRODUCT, { ...page, sort })).map(({ id }) => id)).toEqual(
          all.slice(2 * PAGE, 3 * PAGE).map(({ id }) => id),
        );
      }
    },
  );

  it('find the rows of ranges in any order, by number and by cursor', async () => {
    const order = fc.constantFrom(...Object.entries(ORDERS));
    await fc.assert(
      fc.asyncProperty(ranges, order, fc.nat(600), async ({ filters, matches }, [sort, compare], start) => {
        const ids = products
          .filter(matches)
          .toSorted(compare)
          .map(({ id }) => id);
        const read = async (pagination: unknown): Promise<FindManyResult> =>
          readPage(testEnvironment, PRODUCT, { filters, sort, fields: [], pagination });
        const page = await read({ start, limit: PAGE, after: '' });
        expect(idsOf(page)).toEqual(ids.slice(start, start + PAGE));
        if (page.ends === undefined || page.records.length === 0) return;
        const following = await read({ limit: PAGE, after: page.ends.last });
        expect(idsOf(following)).toEqual(ids.slice(start + PAGE, start + 2 * PAGE));
        const preceding = await read({ limit: PAGE, before: page.ends.first });
        expect(idsOf(preceding)).toEqual(ids.slice(Math.max(0, start - PAGE), start));
      }),
      { numRuns: Number(process.env['RANGE_RUNS'] ?? 40) },
    );
  });

  it.each([
    ['title', 'title'],
    ['title:desc', 'title'],
    ['publishedAt:desc', 'published_at'],
    ['createdAt', 'created_at'],
    ['price:desc,title', 'price'],
  ])('serve pages by cursor in the order of %s', async (sort, index) => {
    const page = (pagination: unknown): Promise<FindManyResult> =>
      readPage(testEnvironment, PRODUCT, { sort, pagination });
    for (const key of ['after', 'before'] as const) {
      const { ends } = await page({ start: 1500, limit: PAGE, after: '' });
      const cursor = key === 'after' ? ends?.last : ends?.first;
      const pagination = { limit: PAGE, [key]: cursor };
      const plan = await planOf({ sort, pagination });
      expect(plan).toContain(`_status_locale_${index}_id_idx`);
      expect(plan).not.toMatch(/using products_status_locale_id_idx/i);
    }
  });

  it('leave the order of all rows to the sort', async () => {
    const query = queryOf(testEnvironment, PRODUCT, { sort: 'id:desc', fields: ['code'] });
    const { sql, parameters } = testEnvironment.compiler.read({ ...query, page: null });
    const texts = await testEnvironment.database.readTexts(sql, parameters);
    expect(texts.map((text) => (JSON.parse(text ?? '{}') as Product).id)).toEqual(
      products.map(({ id }) => id).toReversed(),
    );
  });

  it.each(['title', 'title:desc', 'price:desc,weight', 'height'])(
    'give the pages near the end of a list sorted by %s from there',
    async (sort) => {
      const query = queryOf(testEnvironment, PRODUCT, { sort, fields: [] });
      const { sql, parameters } = testEnvironment.compiler.read({ ...query, page: null });
      const sorted = await testEnvironment.database.readTexts(sql, parameters);
      for (const [start, limit] of [
        [ROWS - PAGE, PAGE],
        [ROWS - 2, PAGE],
        [ROWS, PAGE],
        [ROWS + 100, PAGE],
        [ROWS / 2, PAGE],
        [ROWS / 2 + 1, PAGE],
        [2000, 100],
      ] as const) {
        const pagination = { start, limit };
        const { records, total } = await readPage(testEnvironment, PRODUCT, { sort, fields: [], pagination });
        expect([records, total]).toEqual([sorted.slice(start, start + limit), ROWS]);
      }
    },
  );

  /** Changes and removes what a page may end with. Every third product is left alone. */
  const disturb = async (round: number): Promise<void> => {
    const { version } = testEnvironment.model.typesByUid[PRODUCT]?.storage ?? {};
    await testEnvironment.database.transact(async (tx) => {
      const versions = tx.model(version?.model ?? '');
      const id = {
        in: products
          .filter((product) => product.id % 3 === 1 && product.id % 7 === round % 7)
          .map((product) => product.id),
      };
      await versions.updateMany({
        where: { id },
        data: {
          price: (round * 97) % 500,
          title: titleOf(round),
          publishedAt: new Date(Date.UTC(2026, 0, 1 + round)),
        },
      });
      await versions.deleteMany({ where: { id: { in: [round * 31].filter((value) => value % 3 === 2) } } });
    });
  };

  it('let pages by cursor neither skip nor repeat what stays, while others write', async () => {
    const key = fc.tuple(
      fc.constantFrom(
        'title',
        'price',
        'weight',
        'width',
        'height',
        'publishedAt',
        'createdAt',
        'documentId',
      ),
      fc.constantFrom('asc', 'desc'),
    );
    const sorts = fc.uniqueArray(key, { minLength: 1, maxLength: 3, selector: ([name]) => name });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(sorts, fc.constantFrom('after', 'before'), async (keys, direction) => {
        const sort = keys.map(([name, order]) => `${name}:${order}`);
        const query = queryOf(testEnvironment, PRODUCT, { sort, fields: [] });
        const stays = (id: number): boolean => id % 3 === 0;
        const { sql, parameters } = testEnvironment.compiler.read({ ...query, page: null });
        const texts = await testEnvironment.database.readTexts(sql, parameters);
        const sorted = texts.map((text) => (JSON.parse(text ?? '{}') as Product).id).filter(stays);
        const read = idsByCursor(
          testEnvironment,
          PRODUCT,
          { sort, fields: [], pagination: { limit: 100 } },
          direction,
          () => disturb((round += 1)),
        );
        expect((await read).filter(stays)).toEqual(sorted);
      }),
      { numRuns: Number(process.env['CURSOR_RUNS'] ?? 3) },
    );
  });
});
