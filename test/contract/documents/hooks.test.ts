import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../src/documents/hooks.js';
import type { DocumentEvent, DocumentHooks } from '../../../src/documents/hooks.js';
import { databases } from '../../support/databases.js';
import { createWorld } from '../../support/world.js';
import type { World } from '../../support/world.js';
import { createApi, dumpContent } from './service.js';
import type { Api } from './service.js';

const ACTIONS = ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'] as const;

describe.each(databases)('hooks on $name', (database) => {
  let world: World;
  let hooks: DocumentHooks;
  let api: Api;
  const errors: unknown[] = [];
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
  });
  afterAll(() => world.close());
  beforeEach(() => {
    errors.length = 0;
    hooks = createDocumentHooks({ onError: (error) => errors.push(error) });
    api = createApi(world, { hooks });
  });

  it('events surround every write, and no read', async () => {
    const heard: string[] = [];
    const note = (phase: string) => ({ action, type, locale, status }: DocumentEvent): void => {
      heard.push(`${phase} ${action} ${type} ${locale ?? '-'} ${status ?? '-'}`);
    };
    for (const action of ACTIONS) {
      hooks.before(action, note('before'));
      hooks.after(action, note('after'));
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
    expect(heard).toEqual([
      ...both(`create ${article} en published`), ...both(`update ${article} fr draft`), ...both(`publish ${article} fr published`), ...both(`discardDraft ${article} en draft`), ...both(`unpublish ${article} en draft`), ...both(`delete ${article} - -`),
    ]);
  });

  it('are not fired for what is refused or missing', async () => {
    const heard: string[] = [];
    for (const action of ACTIONS) {
      hooks.before(action, () => void heard.push(`before ${action}`));
      hooks.after(action, () => void heard.push(`after ${action}`));
    }
    await api.create('tag', { nope: 1 }).catch(() => null);
    await api.update('tag', 'missing', { weight: 1 });
    await api.remove('tag', 'missing');
    await api.act('publish', 'article', 'missing');
    expect(heard).toEqual([]);
    await api.create('tag', { weight: 'heavy' }).catch(() => null);
    expect(heard).toEqual(['before create']);
  });

  it('what a before listener throws refuses the write, with all it wrote itself', async () => {
    const before = await dumpContent(world);
    hooks.before('create', async ({ documentId }, tx) => {
      await tx.model('AuthorDocument').create({ data: { documentId: `${documentId}x` } });
      throw new Error('not today');
    }, ['api::tag.tag']);
    await expect(api.create('tag', { name: 'x' })).rejects.toThrow('not today');
    expect(await dumpContent(world)).toEqual(before);
    expect(await api.create('category', { name: 'others may' })).toMatchObject({ name: 'others may' });
  });

  it('what an after listener throws is reported and undoes nothing', async () => {
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

  it('middlewares wrap in order, may change parameters, and may answer themselves', async () => {
    const order: string[] = [];
    hooks.use(async (operation, next) => {
      order.push(`outer ${operation.action}`);
      const answer = await next();
      order.push('outer done');
      return answer;
    });
    hooks.use(async (operation, next) => {
      order.push('inner');
      if (operation.action === 'create') operation.params = { ...operation.params, data: { ...(operation.params.data as object), label: 'added' } };
      return operation.action === 'count' ? 42 : next();
    }, ['api::tag.tag']);
    expect(await api.create('tag', { name: 'wrapped' })).toMatchObject({ name: 'wrapped', label: 'added' });
    expect(await api.documents.count({ type: 'api::tag.tag', filter: null, sort: [], selection: { fields: [], populate: [] }, page: null, locale: 'en', status: 'published', hasPublishedVersion: null })).toBe(42);
    await api.list('category');
    expect(order).toEqual(['outer create', 'inner', 'outer done', 'outer count', 'inner', 'outer done', 'outer findMany', 'outer done']);
  });
});
