import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentHooks } from '../../../../src/documents/hooks.js';
import type { DocumentEvent } from '../../../../src/documents/hooks.js';
import { keepVersions } from '../../../../src/documents/versions/keep-versions.js';
import { createTrashTable } from '../../../../src/documents/trash/trash-table.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createApi, dumpContent, errorOf, observeStatements, uidOf } from '../service.js';
import type { Api } from '../service.js';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const HOUR_MS = 3_600_000;

describe.each(databases)('deleted documents on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  let now = NOW;
  const statements: string[] = [];
  const events: DocumentEvent[] = [];
  const hooks = createDocumentHooks({ onError: () => undefined });

  const { trash, entries, restore } = {
    trash: () => api.documents.trash,
    entries: (type?: string) =>
      api.documents.trash.list({
        limit: 100,
        ...(type === undefined ? {} : { types: [uidOf(environment, type)] }),
      }),
    restore: async (index = 0) => {
      const entry = (await api.documents.trash.list({ limit: 100 }))[index];
      return api.documents.trash.restore({ id: entry?.id ?? 0 });
    },
  };
  const count = (table: string): Promise<number> =>
    environment.database.readNumber(`SELECT count(*) FROM "${table}"`, []);

  beforeAll(async () => {
    environment = await createTestEnvironment({
      model: {
        components: { 'shared.seo': { attributes: { code: { type: 'string', unique: true } } } },
        types: {
          tag: {
            attributes: {
              name: { type: 'string', unique: true },
              key: { type: 'string', required: true, unique: true },
              pages: { type: 'relation', relation: 'manyToMany', target: 'api::page.page', mappedBy: 'tags' },
            },
          },
          page: {
            draftAndPublish: true,
            attributes: {
              title: { type: 'string' },
              slug: { type: 'uid', targetField: 'title' },
              ratio: { type: 'float' },
              size: { type: 'biginteger' },
              at: { type: 'datetime' },
              more: { type: 'json' },
              secret: { type: 'string', private: true },
              code: { type: 'password' },
              seo: { type: 'component', component: 'shared.seo' },
              tags: { type: 'relation', relation: 'manyToMany', target: 'api::tag.tag', inversedBy: 'pages' },
              main: { type: 'relation', relation: 'oneToOne', target: 'api::tag.tag' },
            },
          },
          home: { kind: 'singleType', attributes: { title: { type: 'string' } } },
        },
      },
      database,
    });
    const { model } = environment;
    const observed = observeStatements(environment.database, async (_tx, sql) => void statements.push(sql));
    hooks.before('create', (event) => void events.push(event));
    const table = createTrashTable(observed.dialect.expressions, model, () => now);
    api = createApi({ model, database: observed }, { trash: table, hooks, clock: () => now });
    keepVersions({ database: observed, model, hooks, limitOf: () => 5, clock: () => now });
  });
  afterAll(() => environment.close());
  afterEach(async () => {
    now = NOW;
    await environment.database.transact(async (tx) => {
      for (const { origin, storage } of environment.model.types)
        if (origin === 'project') await tx.execute(`DELETE FROM "${storage.document.table}"`, []);
      for (const name of ['cms_trash', 'cms_versions', 'cms_schedules'])
        await tx.execute(`DELETE FROM "${name}"`, []);
    });
  });

  it('come back with values of every kind, times, kept versions and schedules', async () => {
    const red = await api.create('tag', { name: 'red', key: 'r' });
    const page = {
      title: 'One',
      ratio: 0.1 + 0.2,
      size: '9007199254740993',
      at: '2026-01-02T03:04:05.678Z',
      more: { 'a b': [1, null, { c: '"' }] },
      secret: 'hidden',
      code: 'pass-word-1',
      seo: { code: 's' },
      tags: [red.documentId],
      main: red.documentId,
    };
    const { documentId } = await api.create('page', page);
    await api.update('page', documentId, { title: 'Two' }, { status: 'draft' });
    const type = uidOf(environment, 'page');
    const publishAt = new Date(NOW.getTime() + HOUR_MS).toISOString();
    await api.documents.schedule({ type, documentId, data: { publishAt } });
    const before = await dumpContent(environment);
    expect(await api.remove('page', documentId)).toBe(true);
    expect([await count('cms_versions'), await count('cms_schedules')]).toEqual([0, 0]);
    const [entry] = await entries('page');
    expect(entry).toMatchObject({ type, documentId, locale: null, label: 'Two' });
    expect(entry?.deletedAt).toBe(NOW.toISOString());

    events.length = 0;
    const restored = await restore();
    expect(restored).toEqual({ type, documentId, locales: [], omitted: [] });
    expect(events).toMatchObject([{ action: 'create', documentId, status: 'published', isRestored: true }]);
    const after = await dumpContent(environment);
    const withoutIds = (rows: unknown): string =>
      JSON.stringify(rows).replaceAll(/\\"(?:revision|id)\\":\d+/g, '');
    expect(withoutIds(after)).toEqual(withoutIds(before));
    expect([await count('cms_versions'), await count('cms_schedules')]).toEqual([1, 1]);
    expect(await entries()).toEqual([]);
  });

  it('are shown without private values, passwords and limited attributes', async () => {
    const { documentId } = await api.create(
      'page',
      { title: 'One', slug: 'one', secret: 'hidden', code: 'pass-word-1', seo: { code: 's' } },
      { status: 'draft' },
    );
    await api.remove('page', documentId);
    const [{ id } = { id: 0 }] = await entries();
    const found = await trash().find({ id });
    expect(found?.versions).toHaveLength(1);
    expect(found?.versions[0]?.content).toEqual({
      title: 'One',
      slug: 'one',
      ratio: null,
      size: null,
      at: null,
      more: null,
      seo: { code: 's' },
    });
    const access = { scopeOf: () => ({ fields: new Set(['size']), filter: null }) };
    expect((await trash().find({ id }, access))?.versions[0]?.content).toEqual({ size: null });
    expect((await trash().list({ limit: 1 }, access))[0]?.label).toBeNull();
    expect(await trash().find({ id, type: uidOf(environment, 'tag') })).toBeNull();
    expect(await trash().restore({ id, type: uidOf(environment, 'tag') })).toBeNull();
  });

  it('report values and targets that are taken or gone, and restore the rest', async () => {
    const tag = await api.create('tag', { name: 'red', key: 'r' });
    const gone = await api.create('tag', { name: 'gone', key: 'g' });
    const { documentId } = await api.create('page', {
      title: 'One',
      slug: 'one',
      seo: { code: 's' },
      tags: [tag.documentId, gone.documentId],
      main: gone.documentId,
    });
    await api.remove('page', documentId);
    await api.remove('tag', gone.documentId);
    await trash().purge({ types: [uidOf(environment, 'tag')] });
    await api.create('page', { title: 'Other', slug: 'one', seo: { code: 's' } });
    const reasons = (await restore())?.omitted.map(({ attribute, reason }) => `${attribute}: ${reason}`);
    const unpublished = 'must be unique: another document has this value, so the document is not published';
    expect(reasons?.toSorted()).toEqual([
      `main: ${uidOf(environment, 'tag')} ${gone.documentId} no longer exists`,
      `seo.code: ${unpublished}`,
      `slug: ${unpublished}`,
      `tags: ${uidOf(environment, 'tag')} ${gone.documentId} no longer exists`,
    ]);
    expect(await api.one('page', documentId)).toBeNull();
    const draft = await api.one('page', documentId, { status: 'draft', populate: '*' });
    expect(draft).toMatchObject({ slug: 'one', main: null, tags: [{ name: 'red' }] });

    await api.remove('tag', tag.documentId);
    await api.create('tag', { name: 'red', key: 'other' });
    expect((await restore())?.omitted).toMatchObject([{ attribute: 'name' }]);
    expect(await api.one('tag', tag.documentId)).toMatchObject({ name: null, key: 'r' });

    await api.remove('tag', tag.documentId);
    await api.create('tag', { key: 'r' });
    expect((await errorOf(restore())).code).toBe('trash/not-restorable');
    expect(await api.one('tag', tag.documentId)).toBeNull();
    expect(await entries()).toHaveLength(1);
  });

  it('get their place in lists back, also next to links that were added meanwhile', async () => {
    const keys = ['a', 'b', 'c', 'd'];
    const tags = await Promise.all(keys.map((key) => api.create('tag', { key })));
    const [a = '', b = '', c = '', d = ''] = tags.map(({ documentId }) => documentId);
    const { documentId } = await api.create('page', { title: 'One', tags: [a, b, c] });
    const listed = async () => {
      const page = await api.one('page', documentId, { populate: { tags: true } });
      return ((page?.['tags'] ?? []) as readonly { readonly key: string }[]).map(({ key }) => key).join('');
    };
    await api.remove('tag', b);
    await api.remove('tag', c);
    await api.update('page', documentId, { tags: { connect: [d] } });
    expect(await listed()).toBe('ad');
    await restore(1);
    expect((await listed()).replace('d', '')).toBe('ab');
    await restore();
    expect((await listed()).replace('d', '')).toBe('abc');
    await api.update('page', documentId, { tags: { connect: [{ documentId: d, position: { after: b } }] } });
    expect(await listed()).toBe('abdc');
  });

  it('are not restored into a single type that has another document', async () => {
    const first = await api.create('home', { title: 'first' });
    await api.remove('home', first.documentId);
    const second = await api.create('home', { title: 'second' });
    expect((await errorOf(restore())).code).toBe('trash/single-exists');
    await api.remove('home', second.documentId);
    await restore(1);
    expect(await api.one('home', first.documentId)).toMatchObject({ title: 'first' });
  });

  it('do not replace a document that was created again with the id', async () => {
    const { documentId } = await api.create('tag', { key: 'one' });
    await api.remove('tag', documentId);
    await api.documents.create({
      type: uidOf(environment, 'tag'),
      documentId,
      data: { key: 'two' },
      selection: { fields: [], populate: [] },
    });
    expect((await errorOf(restore())).message).toContain('published: the document has this version');
    expect(await api.one('tag', documentId)).toMatchObject({ key: 'two' });
  });

  it('leave with a deletion that is rolled back', async () => {
    const { documentId } = await api.create('tag', { key: 'one' });
    const deletion = environment.database.transact((tx) =>
      environment.database.join(tx, async () => {
        await api.remove('tag', documentId);
        throw new Error('rolled back');
      }),
    );
    await expect(deletion).rejects.toThrow('rolled back');
    expect([await count('cms_trash'), await count('cms_trash_rows')]).toEqual([0, 0]);
    expect(await api.one('tag', documentId)).toMatchObject({ key: 'one' });
  });

  it('are purged by age, with their rows', async () => {
    for (const key of ['old', 'new']) {
      const { documentId } = await api.create('tag', { key });
      await api.remove('tag', documentId);
      now = new Date(now.getTime() + HOUR_MS);
    }
    expect(await trash().purge({ deletedBefore: NOW.getTime() + 1 })).toBe(1);
    expect((await entries()).map(({ label }) => label)).toEqual(['new']);
    expect(await count('cms_trash_rows')).toBe(1);
    expect(await trash().purge({})).toBe(1);
    expect(await count('cms_trash_rows')).toBe(0);
    expect(await trash().restore({ id: 1_000_000 })).toBeNull();
  });

  it('cost as many statements for many documents as for one', async () => {
    const type = uidOf(environment, 'page');
    const remove = async (size: number): Promise<number> => {
      const names = Array.from({ length: size }, (_, index) => `page ${index}`);
      const selection = { fields: [], populate: [] };
      await api.documents.bulk({
        items: names.map((title) => ({
          action: 'create' as const,
          params: { type, data: { title }, status: 'draft' as const, selection },
        })),
        atomic: true,
      });
      const ids = (await api.list('page', { status: 'draft', pagination: { limit: 100 } })).map(
        ({ documentId }) => documentId,
      );
      statements.length = 0;
      await api.documents.bulk({
        items: ids.map((documentId) => ({ action: 'delete' as const, params: { type, documentId } })),
        atomic: true,
      });
      return statements.filter((sql) => sql.includes('cms_trash')).length;
    };
    const one = await remove(1);
    expect(one).toBeGreaterThan(0);
    expect(await remove(100)).toBe(one);
    expect(await entries('page')).toHaveLength(100);
  });
});
