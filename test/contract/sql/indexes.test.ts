import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawReadParams } from '../../../src/query/read-params.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import type { ProjectLiteral } from '../../support/models.js';
import { queryOf, runQuery } from './run-query.js';

const PRODUCT = 'api::product.product';
const ROWS = 3000;
const PAGE = 5;

const MODEL: ProjectLiteral = {
  types: {
    product: {
      options: { draftAndPublish: true },
      attributes: {
        title: { type: 'string', index: true },
        code: { type: 'string', unique: true },
        price: { type: 'integer', index: true },
        weight: { type: 'float' },
        width: { type: 'integer' },
        height: { type: 'integer' },
      },
      indexes: [{ name: 'products_size', columns: ['width', 'height'] }],
    },
  },
};

interface Product {
  readonly id: number;
  readonly title: string | null;
  readonly code: string;
  readonly price: number;
}

/** Titles repeat, begin alike and hold what sorts differently by language; every tenth is missing. */
const WORDS = ['apple', 'Apple', 'äpfel', 'zebra', 'Zoo', 'zoo\u{1F600}', 'a_b', 'a%b'];
const titleOf = (i: number): string | null => (i % 10 === 0 ? null : `${WORDS[i % 8]} ${i % 97}`);

const productOf = (i: number): Product => ({
  id: i,
  title: titleOf(i),
  code: `P-${i}`,
  price: (i * 31) % 500,
});

const fill = async ({ database, model }: TestEnvironment): Promise<readonly Product[]> => {
  const { document, version } = model.typesByUid[PRODUCT]?.storage ?? {};
  const products = Array.from({ length: ROWS }, (_, i) => productOf(i + 1));
  const at = (i: number): Date => new Date(Date.UTC(2026, 0, 1) + (i % 1000) * 60_000);
  await database.transact(async (tx) => {
    await tx.model(document?.model ?? '').createMany({
      data: products.map(({ code }) => ({ documentId: code })),
    });
    await tx.model(version?.model ?? '').createMany({
      data: products.map(({ id, title, code, price }) => ({
        id,
        documentId: code,
        locale: '',
        status: 'published',
        createdAt: at(id),
        updatedAt: at(id),
        publishedAt: at(id),
        title,
        code,
        price,
        weight: price / 3,
        width: price % 7,
        height: price % 11,
      })),
    });
  });
  return products;
};

const byCodePoint = (left: string | null, right: string | null): number =>
  Buffer.compare(Buffer.from(left ?? ''), Buffer.from(right ?? ''));

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

describe.each(databases)('indexes on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let products: readonly Product[];

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: MODEL, database });
    products = await fill(testEnvironment);
    if (database.name === 'postgresql')
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

  it('leave the order of all rows to the sort', async () => {
    const query = queryOf(testEnvironment, PRODUCT, { sort: 'id:desc', fields: ['code'] });
    const { sql, parameters } = testEnvironment.compiler.read({ ...query, page: null });
    const texts = await testEnvironment.database.readTexts(sql, parameters);
    expect(texts.map((text) => (JSON.parse(text ?? '{}') as Product).id)).toEqual(
      products.map(({ id }) => id).toReversed(),
    );
  });
});
