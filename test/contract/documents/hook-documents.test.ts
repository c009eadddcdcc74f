import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../src/documents/hooks.js';
import type { DocumentHooks } from '../../../src/documents/hooks.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent } from './service.js';
import type { Api } from './service.js';

const ARTICLE = 'api::article.article';
const AUTHOR = 'api::author.author';
const CATEGORY = 'api::category.category';
const TAG = 'api::tag.tag';

describe.each(databases)('tx.documents of a before listener on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let hooks: DocumentHooks;
  let api: Api;
  const errors: unknown[] = [];
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
  });
  afterAll(() => testEnvironment.close());
  beforeEach(() => {
    errors.length = 0;
    hooks = createDocumentHooks({ onError: (error) => errors.push(error) });
    api = createApi(testEnvironment, { hooks });
  });

  it('writes nothing and calls no hooks if a document is not the one that was read', async () => {
    const calls: string[] = [];
    const outcomes: unknown[] = [];
    for (const action of ['update', 'delete'] as const) {
      hooks.before(action, () => void calls.push(`before ${action}`), [TAG]);
      hooks.after(action, () => void calls.push(`after ${action}`), [TAG]);
    }
    hooks.before(
      'create',
      async (_, tx) => {
        const tags = tx.documents(TAG);
        const { documentId, updatedAt } = await tags.create({ data: { name: 'read' } });
        const ifMatch = String(updatedAt);
        await tags.update({ documentId, data: { name: 'written' }, ifMatch });
        const catchError = (error: unknown): void =>
          void outcomes.push([(error as { readonly code: string }).code, calls.length]);
        await tags.update({ documentId, data: { name: 'lost' }, ifMatch }).catch(catchError);
        await tags.delete({ documentId, ifMatch }).catch(catchError);
        await tags.update({ documentId, data: {}, ifMatch: 'soon' }).catch(catchError);
        outcomes.push((await tags.findOne({ documentId }))?.['name']);
      },
      [CATEGORY],
    );
    await api.create('category', { name: 'c' });
    expect(outcomes).toEqual([
      ['request/changed', 1],
      ['request/changed', 1],
      ['request/invalid-parameter', 1],
      'written',
    ]);
    expect(calls).toEqual(['before update', 'after update']);
    expect(errors).toEqual([]);
  });

  it('writes with the transaction, and reads what it has written', async () => {
    let seen: unknown;
    hooks.before(
      'create',
      async (_, tx) => {
        const tag = await tx.documents(TAG).create({ data: { name: 'made by a hook' } });
        const found = await tx.documents(TAG).findOne({ documentId: tag.documentId, fields: ['name'] });
        const count = await tx.documents(TAG).count({ filters: { name: 'made by a hook' } });
        seen = [found?.['name'], count];
      },
      [CATEGORY],
    );
    await api.create('category', { name: 'news' });
    expect(seen).toEqual(['made by a hook', 1]);
    expect(await api.list('tag', { filters: { name: 'made by a hook' } })).toHaveLength(1);
  });

  it('undoes its writes when the outer write is refused', async () => {
    const before = await dumpContent(testEnvironment);
    hooks.before(
      'create',
      async (_, tx) => {
        await tx.documents(TAG).create({ data: { name: 'undone' } });
        throw new Error('not today');
      },
      [CATEGORY],
    );
    await expect(api.create('category', { name: 'refused' })).rejects.toThrow('not today');
    expect(await dumpContent(testEnvironment)).toEqual(before);
  });

  it('refuses conditions and ids that are undefined, which would match everything', async () => {
    const missing = undefined as unknown as string;
    const messages: unknown[] = [];
    hooks.before(
      'create',
      async (_, tx) => {
        const tags = tx.documents(TAG);
        for (const work of [
          () => tags.findFirst({ filters: { name: missing } }),
          () => tags.count({ filters: { $or: [{ name: { $eq: missing } }] } }),
          () => tags.aggregate({ count: true, filters: { name: missing } }),
          () => tags.findOne({ documentId: missing }),
          () => tags.update({ documentId: missing, data: {} }),
          () => tags.delete({ documentId: missing }),
          () => tags.publish({ documentId: missing }),
        ])
          await work().catch(({ message }: Error) => messages.push(message));
      },
      [CATEGORY],
    );
    await api.create('category', { name: 'asks' });
    expect(messages).toEqual([
      'filters.name is undefined.',
      'filters.$or.0.name.$eq is undefined.',
      'filters.name is undefined.',
      ...['findOne', 'update', 'delete', 'publish'].map(
        (method) => `documents('${TAG}').${method} requires { documentId } with a string.`,
      ),
    ]);
  });

  it('rolls back a nested write whose error the listener catches', async () => {
    const caught: unknown[] = [];
    hooks.before(
      'create',
      async (_, tx) => {
        const articles = tx.documents(ARTICLE);
        await articles.create({ data: { author: 'missing' } }).catch((error: unknown) => caught.push(error));
        await articles.create({ data: { nope: 1 } }).catch((error: unknown) => caught.push(error));
      },
      [CATEGORY],
    );
    const before = (await api.list('article', { status: 'draft' })).length;
    await api.create('category', { name: 'kept' });
    expect(caught).toMatchObject([{ kind: 'validation' }, { kind: 'validation' }]);
    expect(await api.list('article', { status: 'draft' })).toHaveLength(before);
  });

  it('calls the hooks of nested writes, and after listeners once the transaction is committed', async () => {
    const order: string[] = [];
    for (const type of [CATEGORY, TAG]) {
      hooks.before('create', (event) => void order.push(`before ${event.type}`), [type]);
      hooks.after(
        'create',
        async (event) => {
          order.push(`after ${event.type} ${await api.documents.count(allOf(event.type))}`);
        },
        [type],
      );
    }
    const [categories, tags] = await Promise.all(
      [CATEGORY, TAG].map((type) => api.documents.count(allOf(type))),
    );
    hooks.before(
      'create',
      async (_, tx) => {
        await tx.documents(TAG).create({ data: { name: 'nested' } });
        order.push('nested write done');
      },
      [CATEGORY],
    );
    await api.create('category', { name: 'outer' });
    expect(order).toEqual([
      `before ${CATEGORY}`,
      `before ${TAG}`,
      'nested write done',
      `after ${TAG} ${Number(tags) + 1}`,
      `after ${CATEGORY} ${Number(categories) + 1}`,
    ]);
    expect(errors).toEqual([]);
  });

  it('calls no after listener of a nested write that is rolled back', async () => {
    const after: string[] = [];
    hooks.after('create', ({ type }) => void after.push(type));
    hooks.before(
      'create',
      async (_, tx) => {
        await tx.documents(AUTHOR).create({ data: { name: 'undone' } });
        throw new Error('refused below');
      },
      [TAG],
    );
    hooks.before(
      'create',
      async (_, tx) => {
        const create = tx.documents(TAG).create({ data: { name: 'undone' } });
        await expect(create).rejects.toThrow('refused below');
      },
      [CATEGORY],
    );
    await api.create('category', { name: 'only this' });
    expect(after).toEqual([CATEGORY]);
    expect(await api.list('author', { filters: { name: 'undone' } })).toEqual([]);
  });

  it('runs writes that are started at the same time one after another', async () => {
    hooks.before(
      'create',
      async (_, tx) => {
        const names = ['a', 'b', 'c', 'd'];
        await Promise.all(
          names.map((name) => tx.documents(TAG).create({ data: { name: `together ${name}` } })),
        );
      },
      [CATEGORY],
    );
    await api.create('category', { name: 'many' });
    expect(await api.list('tag', { filters: { name: { $startsWith: 'together' } } })).toHaveLength(4);
  });

  it('refuses writes of listeners that would never end', async () => {
    hooks.before(
      'create',
      async (_, tx) => {
        await tx.documents(TAG).create({ data: { name: 'again' } });
      },
      [TAG],
    );
    await expect(api.create('tag', { name: 'endless' })).rejects.toMatchObject({
      code: 'project/endless-hooks',
    });
    expect(await api.list('tag', { filters: { name: { $in: ['again', 'endless'] } } })).toEqual([]);
  });

  it('may change the document that is being written', async () => {
    const { documentId } = await api.create('article', { title: 'first', summary: 'old' });
    hooks.before(
      'update',
      async ({ data }, tx) => {
        if ((data as { title?: string }).title === undefined) return;
        const articles = tx.documents(ARTICLE);
        await articles.update({ documentId: String(documentId), data: { summary: 'by hook' } });
        await articles.update({ documentId: String(documentId), locale: 'fr', data: { summary: 'fr' } });
      },
      [ARTICLE],
    );
    await api.update('article', String(documentId), { title: 'second' });
    expect(await api.one('article', String(documentId))).toMatchObject({
      title: 'second',
      summary: 'by hook',
    });
    const french = await api.one('article', String(documentId), { locale: 'fr', status: 'draft' });
    expect(french).toMatchObject({ summary: 'fr' });
  });
});

function allOf(type: string) {
  return {
    type,
    filter: null,
    sort: [],
    selection: { fields: [], populate: [] },
    page: null,
    locale: 'en',
    status: 'published',
    hasPublishedVersion: null,
  } as const;
}
