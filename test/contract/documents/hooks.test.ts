import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../src/documents/hooks.js';
import type { DocumentEvent, DocumentHooks } from '../../../src/documents/hooks.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createApi, dumpContent } from './service.js';
import type { Api } from './service.js';

const ACTIONS = ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'] as const;

describe.each(databases)('hooks on $name', (database) => {
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

  it('are called before and after every write, and for no read', async () => {
    const events: string[] = [];
    const record =
      (phase: string) =>
      ({ action, type, locale, status }: DocumentEvent): void => {
        events.push(`${phase} ${action} ${type} ${locale ?? '-'} ${status ?? '-'}`);
      };
    for (const action of ACTIONS) {
      hooks.before(action, record('before'));
      hooks.after(action, record('after'));
    }
    const { documentId } = await api.create('article', { title: 't' });
    await api.update('article', documentId, { title: 'u' }, { status: 'draft', locale: 'fr' });
    await api.one('article', documentId);
    await api.list('article');
    await api.act('publish', 'article', documentId, { locale: 'fr' });
    await api.act('discardDraft', 'article', documentId);
    await api.act('unpublish', 'article', documentId);
    await api.remove('article', documentId, '*');
    const both = (text: string) => [`before ${text}`, `after ${text}`];
    const article = 'api::article.article';
    expect(events).toEqual([
      ...both(`create ${article} en published`),
      ...both(`update ${article} fr draft`),
      ...both(`publish ${article} fr published`),
      ...both(`discardDraft ${article} en draft`),
      ...both(`unpublish ${article} en draft`),
      ...both(`delete ${article} - -`),
    ]);
  });

  it('are not called for writes that are refused or find no document', async () => {
    const events: string[] = [];
    for (const action of ACTIONS) {
      hooks.before(action, () => void events.push(`before ${action}`));
      hooks.after(action, () => void events.push(`after ${action}`));
    }
    await api.create('tag', { nope: 1 }).catch(() => null);
    await api.update('tag', 'missing', { weight: 1 });
    await api.remove('tag', 'missing');
    await api.act('publish', 'article', 'missing');
    expect(events).toEqual([]);
    await api.create('tag', { weight: 'heavy' }).catch(() => null);
    expect(events).toEqual(['before create']);
  });

  it('may use Prisma Client besides the transaction, which does not make them wait for its end', async () => {
    const client = (await testEnvironment.database.loadClient()) as {
      author: { count: () => Promise<number> };
    };
    const counts: number[] = [];
    hooks.before('create', async (_event, tx) => {
      counts.push(await client.author.count(), await tx.model('Author').count({}));
    });
    await api.create('tag', { name: 'counted' });
    expect(counts).toEqual([counts[0], counts[0]]);
  });

  it('roll back the write and their own writes if a before listener throws', async () => {
    const before = await dumpContent(testEnvironment);
    hooks.before(
      'create',
      async ({ documentId }, tx) => {
        await tx.model('AuthorDocument').create({ data: { documentId: `${documentId}x` } });
        throw new Error('not today');
      },
      ['api::tag.tag'],
    );
    await expect(api.create('tag', { name: 'x' })).rejects.toThrow('not today');
    expect(await dumpContent(testEnvironment)).toEqual(before);
    expect(await api.create('category', { name: 'others may' })).toMatchObject({ name: 'others may' });
  });

  it('report the error of an after listener, and keep the write', async () => {
    const order: number[] = [];
    hooks.after('create', () => {
      order.push(1);
      throw new Error('too late');
    });
    hooks.after('create', async ({ documentId }) => {
      order.push((await api.one('tag', documentId)) === null ? -1 : 2);
    });
    expect(await api.create('tag', { name: 'stays' })).toMatchObject({ name: 'stays' });
    expect(order).toEqual([1, 2]);
    expect(errors).toEqual([expect.objectContaining({ message: 'too late' })]);
  });

  it('run middlewares in order, which may change parameters or return their own result', async () => {
    const order: string[] = [];
    hooks.use(async (operation, next) => {
      order.push(`outer ${operation.action}`);
      const result = await next();
      order.push('outer done');
      return result;
    });
    hooks.use(
      async (operation, next) => {
        order.push('inner');
        if (operation.action === 'create')
          operation.params = {
            ...operation.params,
            data: { ...(operation.params.data as object), label: 'added' },
          };
        return operation.action === 'count' ? 42 : next();
      },
      ['api::tag.tag'],
    );
    expect(await api.create('tag', { name: 'wrapped' })).toMatchObject({ name: 'wrapped', label: 'added' });
    expect(
      await api.documents.count({
        type: 'api::tag.tag',
        filter: null,
        sort: [],
        selection: { fields: [], populate: [] },
        page: null,
        locale: 'en',
        status: 'published',
        hasPublishedVersion: null,
      }),
    ).toBe(42);
    await api.list('category');
    expect(order).toEqual([
      'outer create',
      'inner',
      'outer done',
      'outer count',
      'inner',
      'outer done',
      'outer findMany',
      'outer done',
    ]);
  });
});
