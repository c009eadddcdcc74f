import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkItem } from '../../../../src/documents/documents.js';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { create, documentIdOf, itemsOf } from '../bulk-items.js';
import type { Item } from '../bulk-items.js';
import { createApi, dumpContent, errorOf } from '../service.js';
import type { Api } from '../service.js';

const runAlone = async ({ documents }: Api, item: BulkItem): Promise<string> => {
  if (item.action === 'create') return (await documents.create(item.params)).documentId;
  if (item.action === 'update') await documents.update(item.params);
  else if (item.action === 'delete') await documents.delete(item.params);
  else await documents[item.action](item.params);
  return item.params.documentId;
};

/** Writes the items of one type, and returns the ids of their documents. */
type Write = (
  environment: TestEnvironment,
  type: string,
  items: readonly Item[],
) => Promise<readonly string[]>;

const oneByOne: Write = async (environment, type, items) => {
  const api = createApi(environment);
  const ids: string[] = [];
  for (const item of itemsOf(environment, type, items)) ids.push(await runAlone(api, item));
  return ids;
};

const together: Write = async (environment, type, items) => {
  const bulk = { items: itemsOf(environment, type, items), atomic: true };
  return (await createApi(environment).documents.bulk(bulk)).map(documentIdOf);
};

/** Writes all kinds of links, locales and statuses. Returns what the tables hold, without ids and times. */
const writeEverything = async (environment: TestEnvironment, write: Write): Promise<unknown> => {
  const tags = await write(
    environment,
    'tag',
    ['red', 'blue'].map((name) => create({ name })),
  );
  const authors = await write(
    environment,
    'author',
    ['Ann', 'Bob'].map((name) => create({ name })),
  );
  const categories = await write(environment, 'category', [create({ name: 'News' })]);
  const articles = await write(
    environment,
    'article',
    Array.from({ length: 12 }, (_, index) =>
      create(
        {
          title: index % 3 === 0 ? 'Same' : `Title ${index}`,
          author: authors[index % 2],
          tags: { connect: [tags[index % 2], tags[0]] },
          category: index % 4 === 0 ? categories[0] : null,
          seo: { metaTitle: `Meta ${index}` },
        },
        index % 5 === 0 ? { status: 'draft' } : {},
      ),
    ),
  );
  const at = (index: number): Item => ({ documentId: articles[index] });
  await write(environment, 'article', [
    { action: 'update', ...at(1), locale: 'fr', data: { title: 'Un' } },
    { action: 'update', ...at(2), data: { author: authors[0] }, status: 'draft' },
    { action: 'update', ...at(2), data: { title: 'Twice' } },
    { action: 'publish', ...at(0) },
    { action: 'unpublish', ...at(3) },
    { action: 'update', ...at(4), data: { title: 'Draft' }, status: 'draft' },
    { action: 'discardDraft', ...at(4) },
    { action: 'delete', ...at(1) },
    { action: 'delete', ...at(6) },
    { action: 'delete', ...at(7), locale: '*' },
    { action: 'delete', ...at(8), locale: '*' },
    create({ title: 'Same', author: authors[1] }),
  ]);
  const remaining = [2, 3, 4, 5, 9, 10, 11];
  const changeAll = (of: (index: number) => Item): Promise<readonly string[]> =>
    write(
      environment,
      'article',
      remaining.map((index) => ({ ...at(index), ...of(index) })),
    );
  await changeAll(() => ({ action: 'publish' }));
  await changeAll((index) => ({ action: 'update', data: { summary: `About ${index}`, views: index } }));
  await changeAll((index) => ({
    action: 'update',
    status: 'draft',
    data: index % 2 === 0 ? { title: `Draft ${index}` } : { seo: { metaTitle: `New ${index}` }, views: null },
  }));
  await changeAll((index) => ({ action: 'update', data: { slug: `slug-${index}` } }));
  // Each gets the value that the one before it gives away.
  await changeAll((index) => ({ action: 'update', data: { slug: `slug-${index === 2 ? 'x' : index - 1}` } }));
  await changeAll((index) => ({ action: index % 2 === 0 ? 'unpublish' : 'publish' }));
  await changeAll(() => ({ action: 'unpublish' }));
  await changeAll(() => ({ action: 'publish' }));
  const relinked = (index: number): Item => ({
    author: authors[(index + 1) % 2],
    tags: { connect: [tags[(index + 1) % 2]], disconnect: index % 3 === 0 ? [tags[0]] : [] },
    seo: { metaTitle: `Relinked ${index}` },
  });
  await changeAll((index) => ({ action: 'update', data: relinked(index) }));
  await changeAll((index) => ({ action: 'update', status: 'draft', data: relinked(index + 1) }));
  await changeAll((index) => ({ action: index < 5 ? 'discardDraft' : 'publish' }));
  // Each gets into the published lists before those that were published before it.
  await changeAll(() => ({ action: 'unpublish' }));
  const half = remaining.filter((index) => index % 2 === 1);
  for (const indexes of [half, remaining.toReversed()])
    await write(
      environment,
      'article',
      indexes.map((index) => ({ action: 'publish', ...at(index) })),
    );
  await changeAll((index) => ({ action: 'update', status: 'draft', data: relinked(index) }));
  await write(
    environment,
    'article',
    remaining.toReversed().map((index) => ({ action: 'publish', ...at(index) })),
  );
  await write(
    environment,
    'tag',
    tags.map((documentId) => ({ action: 'update', documentId, data: { name: `named ${documentId}` } })),
  );
  const dump = await dumpContent(environment);
  const names = [...tags, ...authors, ...categories, ...articles];
  const normal = (row: string): string =>
    names
      .reduce((text, documentId, index) => text.replaceAll(documentId, `document ${index}`), row)
      .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, 'time')
      .replaceAll(/"[a-z][a-z0-9]{23}"/g, 'other')
      .replaceAll(/\{\\?"id\\?":\d{6,}/g, 'component');
  return Object.fromEntries(Object.entries(dump).map(([name, rows]) => [name, rows.map(normal).toSorted()]));
};

describe.each(databases)('bulk on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    environment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(environment);
  });
  afterAll(() => environment.close());

  const run = (type: string, items: readonly Item[], atomic = true, service = api) =>
    service.documents.bulk({ items: itemsOf(environment, type, items), atomic });

  it('has the effect of the same operations one after the other', async () => {
    const other = await createTestEnvironment({ model: 'magazine', database });
    try {
      expect(await writeEverything(environment, together)).toEqual(await writeEverything(other, oneByOne));
    } finally {
      await other.close();
    }
  });

  it('writes nothing if an item is wrong, and says of each what is', async () => {
    const before = await dumpContent(environment);
    const error = await errorOf(
      run('article', [
        create({ title: 'Fine' }),
        create({ title: 'Slug', slug: 'taken-twice' }),
        create({ summary: 'no' }),
        create({ title: 'Slug', slug: 'taken-twice' }),
        { action: 'update', documentId: 'missing', data: {} },
        create({ title: 'Author', author: 'missing' }),
        create({ nope: 1 }),
      ]),
    );
    expect(error.code).toBe('request/invalid-bulk');
    expect(error.message).toMatch(/^5 of 7 items cannot be written, so no item was written\. Item 2: /);
    expect(error.details.errors?.map(({ path }) => path.join('.'))).toEqual([
      '2.data.title',
      '2.data.summary',
      '3.data.slug',
      '4',
      '5',
      '6',
    ]);
    expect(await dumpContent(environment)).toEqual(before);
  });

  it('writes the other items if they stand alone', async () => {
    const outcomes = await run(
      'tag',
      [
        create({ name: 'one' }),
        create({ weight: 'heavy' }),
        create({ name: 'two' }),
        { action: 'delete', documentId: 'x' },
      ],
      false,
    );
    expect(outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : 'written'))).toEqual([
      'written',
      'request/invalid-values',
      'written',
      'written',
    ]);
    const names = (await api.list('tag')).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['one', 'two']));
  });

  it('refuses the id of another document, and writes the items beside it', async () => {
    const [taken = ''] = (await run('tag', [create({ name: 'taken' })])).map(documentIdOf);
    const [first, second, third] = itemsOf(environment, 'tag', [
      create({ name: 'before' }),
      create({ name: 'taken again' }),
      create({ name: 'after' }),
    ]) as readonly Extract<BulkItem, { readonly action: 'create' }>[];
    const items = [first, { ...second, params: { ...second?.params, documentId: taken } }, third];
    const outcomes = await api.documents.bulk({ items: items as readonly BulkItem[], atomic: false });
    expect(outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : 'written'))).toEqual([
      'written',
      'request/document-exists',
      'written',
    ]);
    expect(await api.one('tag', taken)).toMatchObject({ name: 'taken' });
  });

  it('calls hooks of each item, which see the items before it', async () => {
    const hooks = createDocumentHooks({ onError: () => undefined });
    const calls: string[] = [];
    hooks.use(async (operation, next) => {
      calls.push(`around ${operation.action}`);
      return next();
    });
    hooks.before('create', async ({ type }, tx) => {
      calls.push(
        `before, of ${await tx.documents(type).count({ filters: { name: { $startsWith: 'hook' } } })}`,
      );
    });
    hooks.after('create', async () => {
      calls.push(
        `after, of ${(await api.list('tag', { filters: { name: { $startsWith: 'hook' } } })).length}`,
      );
    });
    const hooked = createApi(environment, { hooks });
    await run('tag', [create({ name: 'hook 1' }), create({ name: 'hook 2' })], true, hooked);
    expect(calls).toEqual([
      'around create',
      'around count',
      'before, of 0',
      'around create',
      'around count',
      'before, of 1',
      'after, of 2',
      'after, of 2',
    ]);
  });

  it('calls after listeners only for committed writes', async () => {
    const hooks = createDocumentHooks({ onError: () => undefined });
    const created: unknown[] = [];
    hooks.after('create', ({ data }) => void created.push(data));
    const hooked = createApi(environment, { hooks });
    await errorOf(run('tag', [create({ name: 'never' }), create({ nope: 1 })], true, hooked));
    await run('tag', [create({ name: 'kept' }), create({ nope: 1 }), create({ name: 'too' })], false, hooked);
    expect(created).toEqual([{ name: 'kept' }, { name: 'too' }]);
  });

  it('writes documents that do not concern each other with few statements', async () => {
    let statements = 0;
    const counting = createApi({
      ...environment,
      database: {
        ...environment.database,
        transact: (work, options) =>
          environment.database.transact((tx) => {
            const count = <Parameters extends readonly unknown[], T>(call: (...given: Parameters) => T) => {
              return (...given: Parameters): T => {
                statements += 1;
                return call(...given);
              };
            };
            return work({ ...tx, execute: count(tx.execute), query: count(tx.query) });
          }, options),
      },
    });
    const items = Array.from({ length: 50 }, (_, index) => create({ name: `many ${index}` }));
    const outcomes = await run('tag', items, true, counting);
    const documentIds = outcomes.map(documentIdOf);
    expect(statements).toBeLessThan(10);
    statements = 0;
    await run(
      'tag',
      documentIds.map((documentId) => ({ action: 'delete', documentId })),
      true,
      counting,
    );
    expect(statements).toBeLessThan(10);
    expect(await api.list('tag', { filters: { name: { $startsWith: 'many' } } })).toEqual([]);
  });
});
