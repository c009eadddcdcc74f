import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import type { WriteAccess } from '../../../../src/documents/documents.js';
import { joinTransaction } from '../../../../src/documents/document-context.js';
import { createDocumentHistory } from '../../../../src/documents/versions/document-history.js';
import type { DocumentHistory } from '../../../../src/documents/versions/document-history.js';
import { keepVersions } from '../../../../src/documents/versions/keep-versions.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, uidOf } from '../service.js';
import type { Api } from '../service.js';

const LIMIT = 3;
const EVERYTHING: WriteAccess = { canFind: () => true };
const locales = { defaultCode: () => 'en', has: (code: string) => ['en', 'fr', 'de'].includes(code) };

describe.each(databases)('published versions on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  let history: DocumentHistory;
  const hooks = createDocumentHooks({ onError: () => undefined });

  const params = (documentId: string, access: WriteAccess = EVERYTHING, locale?: string) => ({
    type: uidOf(environment, 'page'),
    documentId,
    access,
    locale,
  });
  const numbers = async (documentId: string, locale?: string) =>
    (await history.list(params(documentId, EVERYTHING, locale)))?.map(({ version }) => version);
  const contentOf = async (documentId: string, version: number, access?: WriteAccess) =>
    (await history.find(params(documentId, access), version))?.content;
  const draftOf = (documentId: string) => api.one('page', documentId, { status: 'draft', populate: '*' });
  const countRows = async (): Promise<number> =>
    environment.database.readNumber('SELECT count(*) FROM "cms_versions"', []);

  beforeAll(async () => {
    environment = await createTestEnvironment({
      model: {
        components: {
          'shared.part': {
            attributes: {
              label: { type: 'string' },
              tag: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
            },
          },
        },
        types: {
          tag: { draftAndPublish: true, attributes: { name: { type: 'string' } } },
          page: {
            draftAndPublish: true,
            localized: true,
            attributes: {
              title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
              size: { type: 'biginteger' },
              at: { type: 'datetime' },
              secret: { type: 'string', private: true },
              code: { type: 'password' },
              tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag' },
              part: { type: 'component', component: 'shared.part' },
            },
          },
        },
      },
      database,
    });
    const { model, database: opened } = environment;
    api = createApi(environment, { hooks });
    keepVersions({
      database: opened,
      model,
      hooks,
      limitOf: (type) => (type === uidOf(environment, 'page') ? LIMIT : 0),
    });
    history = createDocumentHistory({ database: opened, model, documents: api.documents, locales });
  });
  afterAll(() => environment.close());
  afterEach(() => environment.database.transact((tx) => tx.execute('DELETE FROM "cms_versions"', [])));

  it('are kept with all that can be written again, and restored into the draft alone', async () => {
    const red = await api.create('tag', { name: 'red' }, { status: 'draft' });
    const blue = await api.create('tag', { name: 'blue' });
    const first = {
      title: 'one',
      size: '9007199254740993',
      at: '2026-01-02T03:04:05.000Z',
      secret: 'hidden',
      code: 'pass-word-1',
      tags: [blue.documentId, red.documentId],
      part: { label: 'inside', tag: red.documentId },
    };
    const { documentId } = await api.create('page', first);
    await api.update('page', documentId, { title: 'two', size: null, tags: [], part: null, secret: 'new' });
    await api.update('page', documentId, { title: 'never published' }, { status: 'draft' });
    expect(await numbers(documentId)).toEqual([2, 1]);
    const { secret: _secret, code: _code, ...kept } = first;
    expect(await contentOf(documentId, 1)).toEqual(kept);
    expect(await contentOf(documentId, 2)).toEqual({
      ...kept,
      title: 'two',
      size: null,
      tags: [],
      part: null,
    });

    const restored = await history.restore(params(documentId), 1);
    expect(restored?.omitted).toEqual([]);
    expect(await draftOf(documentId)).toMatchObject({
      title: 'one',
      size: '9007199254740993',
      tags: [{ name: 'blue' }, { name: 'red' }],
      part: { label: 'inside' },
    });
    expect(await api.one('page', documentId)).toMatchObject({ title: 'two', size: null });
    expect(await numbers(documentId)).toEqual([2, 1]);
  });

  it('are kept for each locale, up to a limit, and deleted with the document', async () => {
    const { documentId } = await api.create('page', { title: 'one' });
    await api.update('page', documentId, { title: 'un' }, { locale: 'fr' });
    for (const title of ['two', 'three', 'four', 'five']) {
      await api.update('page', documentId, { title }, { status: 'draft' });
      await api.act('publish', 'page', documentId);
    }
    expect(await numbers(documentId)).toEqual([5, 4, 3]);
    expect(await contentOf(documentId, 3)).toMatchObject({ title: 'three' });
    expect(await contentOf(documentId, 2)).toBeUndefined();
    expect(await numbers(documentId, 'fr')).toEqual([1]);
    await api.remove('page', documentId, 'fr');
    expect(await countRows()).toBe(LIMIT);
    await api.remove('page', documentId, 'en');
    expect(await countRows()).toBe(0);
  });

  it('are kept before they are replaced or unpublished, if nobody has kept them', async () => {
    const type = uidOf(environment, 'page');
    const selection = { fields: [], populate: [] };
    const ids: string[] = [];
    for (const title of ['replaced', 'taken back', 'in a bulk']) {
      const { documentId } = await api.create('page', { title });
      await api.update('page', documentId, { title: 'another draft' }, { status: 'draft' });
      ids.push(documentId);
    }
    const [replaced = '', takenBack = '', inBulk = ''] = ids;
    await environment.database.transact((tx) => tx.execute('DELETE FROM "cms_versions"', []));
    await api.act('publish', 'page', replaced);
    await api.act('unpublish', 'page', takenBack);
    const items = [
      { action: 'publish' as const, params: { type, documentId: inBulk, locale: 'en', selection } },
    ];
    await api.documents.bulk({ items, atomic: true });
    await api.act('publish', 'page', replaced);
    expect(await numbers(replaced)).toEqual([3, 2, 1]);
    expect(await contentOf(replaced, 1)).toMatchObject({ title: 'replaced' });
    expect(await contentOf(replaced, 2)).toMatchObject({ title: 'another draft' });
    expect(await numbers(takenBack)).toEqual([1]);
    expect(await contentOf(takenBack, 1)).toMatchObject({ title: 'taken back' });
    expect(await numbers(inBulk)).toEqual([2, 1]);
  });

  it('are kept by bulks, and not where the write is rolled back', async () => {
    const type = uidOf(environment, 'page');
    const selection = { fields: [], populate: [] };
    const items = ['a', 'b', 'c', 'd'].map((title) => ({
      action: 'create' as const,
      params: { type, data: { title }, selection, locale: 'en' },
    }));
    const created = await api.documents.bulk({ items, atomic: true });
    const ids = created.flatMap((outcome) => ('error' in outcome ? [] : [outcome.documentId]));
    for (let round = 0; round < LIMIT; round += 1)
      await api.documents.bulk({
        atomic: true,
        items: ids.map((documentId) => ({
          action: 'publish',
          params: { type, documentId, locale: 'en', selection },
        })),
      });
    for (const id of ids) expect(await numbers(id)).toEqual([4, 3, 2]);
    const failing = joinTransaction(environment.database, async () => {
      await api.create('page', { title: 'lost' });
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await api.create('page', { title: 'a draft' }, { status: 'draft' });
    await api.create('tag', { name: 'of a type without' });
    expect(await countRows()).toBe(ids.length * LIMIT);
  });

  it('are restored without removed attributes, which are reported', async () => {
    const tag = await api.create('tag', { name: 'gone' });
    const { documentId } = await api.create('page', {
      title: 'one',
      tags: [tag.documentId],
      part: { label: 'stays', tag: tag.documentId },
    });
    await api.remove('tag', tag.documentId);
    await api.update('page', documentId, { title: 'two' });
    // As if the schema had been another one.
    const content = JSON.stringify({
      ...(await contentOf(documentId, 1)),
      tags: [tag.documentId],
      subtitle: 'former',
      at: 'some day',
    });
    await environment.database.transact((tx) =>
      tx.model('CmsVersion').updateMany({ where: { number: 1, documentId }, data: { content } }),
    );
    const restored = await history.restore(params(documentId), 1);
    expect(restored?.omitted.map(({ attribute }) => attribute).toSorted()).toEqual(
      ['at', 'part.tag', 'subtitle', 'tags'].toSorted(),
    );
    expect(await draftOf(documentId)).toMatchObject({ title: 'one', tags: [], part: { label: 'stays' } });
  });

  it('show nothing that the caller may not see', async () => {
    const tag = await api.create('tag', { name: 'hidden' });
    const { documentId } = await api.create('page', { title: 'one', size: '1', tags: [tag.documentId] });
    const limited: WriteAccess = {
      canFind: (type) => type !== uidOf(environment, 'tag'),
      scopeOf: () => ({ fields: new Set(['title', 'tags']), filter: null }),
    };
    expect(await contentOf(documentId, 1, limited)).toEqual({ title: 'one', tags: [] });
    const filter = { kind: 'compare', field: 'title', operator: '$eq', operand: 'other' } as const;
    const none: WriteAccess = { canFind: () => true, scopeOf: () => ({ fields: null, filter }) };
    expect(await history.list(params(documentId, none))).toBeNull();
    expect(await history.find(params(documentId, none), 1)).toBeNull();
    expect(await history.restore(params(documentId, none), 1)).toBeNull();
    expect(await history.find(params(documentId), 9)).toBeNull();
    expect(await history.list(params('missing'))).toBeNull();
  });
});
