import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const LIST = { type: 'component', component: 'c.item', repeatable: true };

const FILES = {
  'src/api/page/content-types/page/schema.json': JSON.stringify({
    kind: 'collectionType',
    collectionName: 'pages',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    attributes: {
      items: LIST,
      box: { type: 'component', component: 'c.box' },
      zone: { type: 'dynamiczone', components: ['c.box', 'c.item'] },
      next: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
    },
  }),
  'src/components/c/item.json': JSON.stringify({
    info: { displayName: 'Item' },
    attributes: { number: { type: 'integer' } },
  }),
  'src/components/c/box.json': JSON.stringify({
    info: { displayName: 'Box' },
    attributes: { items: LIST },
  }),
};

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const items = (count: number): readonly object[] => numbers(count).map((number) => ({ number }));

describe.each(databases)('lists of components over GraphQL on $name', (database) => {
  let site: Site;

  const send = async (path: string, body: unknown): Promise<{ data: never; errors?: unknown }> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as { data: never; errors?: unknown };
  };

  /** The numbers that a selection of the first page shows. Documents that are asked again are compiled. */
  const shown = async (selection: string, variables = {}): Promise<readonly number[]> => {
    const head = Object.keys(variables).length === 0 ? '' : 'query($pagination: PaginationArg)';
    const ask = (): Promise<{ data: never; errors?: unknown }> =>
      send('/graphql', { query: `${head}{ pages(sort: "createdAt") { ${selection} } }`, variables });
    const first = await ask();
    expect(first.errors).toBeUndefined();
    for (let run = 0; run < 2; run += 1) expect(await ask()).toEqual(first);
    const found = JSON.stringify((first.data as { pages: unknown[] }).pages[0]).matchAll(/"number":(\d+)/g);
    return [...found].map(([, number]) => Number(number));
  };

  beforeAll(async () => {
    const config = { plugins: { graphql: { config: { amountLimit: 30 } } } };
    site = await createSite({ project: 'launchpad', database, files: FILES, config });
    const zone = [
      { __component: 'c.box', items: items(12) },
      ...items(12).map((item) => ({ __component: 'c.item', ...item })),
    ];
    await send('/api/pages', { data: { items: items(25), box: { items: items(12) }, zone } });
  });
  afterAll(() => site.close());

  it('are whole, unless a range is asked for', async () => {
    expect(await shown('items { number }')).toEqual(numbers(25));
    expect(await shown('items(pagination: {}) { number }')).toEqual(numbers(25));
    expect(await shown('items(sort: "number:desc") { number }')).toEqual(numbers(25).toReversed());
    expect(await shown('items(filters: { number: { gte: 2 } }) { number }')).toHaveLength(23);
    expect(await shown('items(pagination: $pagination) { number }', { pagination: null })).toHaveLength(25);
    expect(
      await shown('items(pagination: $pagination) { number }', { pagination: { limit: null } }),
    ).toHaveLength(25);
  });

  it('are whole inside components and zones', async () => {
    expect(await shown('box { items { number } }')).toEqual(numbers(12));
    expect(await shown('zone { ... on ComponentCItem { number } }')).toEqual(numbers(12));
    expect(await shown('zone { ... on ComponentCBox { items { number } } }')).toEqual(numbers(12));
  });

  it('are cut where a range is asked for', async () => {
    expect(await shown('items(pagination: { limit: 2 }) { number }')).toEqual([0, 1]);
    expect(await shown('items(pagination: { start: 3, limit: 2 }) { number }')).toEqual([3, 4]);
    expect(await shown('items(pagination: { start: 3 }) { number }')).toEqual(numbers(25).slice(3));
    expect(await shown('items(pagination: { page: 2, pageSize: 4 }) { number }')).toEqual([4, 5, 6, 7]);
    expect(await shown('items(pagination: { page: 2 }) { number }')).toEqual(numbers(20).slice(10));
    expect(await shown('items(pagination: $pagination) { number }', { pagination: { limit: 1 } })).toEqual([
      0,
    ]);
  });

  it('are refused beyond amountLimit, and not cut', async () => {
    await send('/api/pages', { data: { items: items(31) } });
    const { errors } = await send('/graphql', { query: '{ pages { items { number } } }' });
    expect(JSON.stringify(errors)).toContain('amountLimit');
  });
});
