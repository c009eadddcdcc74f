import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { create, documentIdOf, itemsOf } from './bulk-items.js';
import type { Item } from './bulk-items.js';
import { createApi } from './service.js';
import type { Api } from './service.js';

describe.each(databases)('a bulk of changes on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    environment = await createTestEnvironment({ model: 'magazine', database });
    api = createApi(environment);
  });
  afterAll(() => environment.close());

  const run = (type: string, items: readonly Item[], atomic = true, service = api) =>
    service.documents.bulk({ items: itemsOf(environment, type, items), atomic });

  it('changes documents with few statements', async () => {
    const items = Array.from({ length: 40 }, (_, index) => create({ title: `Many ${index}` }));
    const ids = (await run('article', items)).map(documentIdOf);
    const changed = (of: Item): readonly Item[] => ids.map((documentId) => ({ documentId, ...of }));
    const { database: opened } = environment;
    const statements: string[] = [];
    const counted = createApi({
      ...environment,
      database: {
        ...opened,
        transact: (work, options) =>
          opened.transact((tx) => {
            const seen =
              <T>(send: (sql: string, parameters: readonly unknown[]) => Promise<T>) =>
              (sql: string, parameters: readonly unknown[]): Promise<T> => {
                statements.push(sql);
                return send(sql, parameters);
              };
            return work({ ...tx, execute: seen(tx.execute), query: seen(tx.query) });
          }, options),
      },
    });
    for (const of of [
      { action: 'update', data: { views: 7 }, status: 'draft' },
      { action: 'publish' },
      { action: 'update', data: { views: 8 } },
      { action: 'unpublish' },
    ]) {
      statements.length = 0;
      const outcomes = await run('article', changed(of), true, counted);
      expect(outcomes.map(documentIdOf)).toEqual(ids);
      expect(statements.length).toBeLessThan(ids.length);
    }
    const [first] = await run('article', changed({ action: 'publish' }));
    expect(first).toMatchObject({ documentId: ids[0] });
    expect(await api.list('article', { filters: { views: 8 } })).toHaveLength(40);
    await run('article', changed({ action: 'delete', locale: '*' }));
  });

  it('says of each document that cannot be changed what is wrong', async () => {
    const [one = '', two = ''] = (
      await run('article', [
        create({ title: 'One', slug: 'one-of-two' }),
        create({ title: 'Two', slug: 'two-of-two' }),
      ])
    ).map(documentIdOf);
    const outcomes = await run(
      'article',
      [
        { action: 'update', documentId: one, data: { slug: 'two-of-two' } },
        { action: 'update', documentId: 'missing', data: { title: 'x' } },
        { action: 'update', documentId: two, data: { title: 'Second' } },
      ],
      false,
    );
    expect(outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : 'written'))).toEqual([
      'request/invalid-values',
      'request/not-found',
      'written',
    ]);
    const same = [one, two].map((documentId) => ({ action: 'update', documentId, data: { slug: 'same' } }));
    expect((await run('article', same, false)).map((outcome) => 'error' in outcome)).toEqual([false, true]);
    const bothKinds = await run('article', [
      { action: 'update', documentId: one, data: { title: 'Published' } },
      { action: 'unpublish', documentId: one },
    ]);
    expect(bothKinds.map(documentIdOf)).toEqual([one, one]);
    await run(
      'article',
      [one, two].map((documentId) => ({ action: 'delete', documentId, locale: '*' })),
    );
  });
});
