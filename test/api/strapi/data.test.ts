import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { describeCalls } from './call-tests.js';
import { describeClientReads } from './client-read-tests.js';
import { describeClones } from './clone-tests.js';
import { DATA_FILES, LIFECYCLE_FILES } from './data-files.js';
import { describeGiven } from './given-tests.js';
import { LIFECYCLES } from './lifecycle-cases.js';
import { describeLocales } from './locale-tests.js';
import { describeMail, MAIL_FILES } from './mail-tests.js';
import { BUCKET_FILES, describeUploadProvider } from './upload-provider-tests.js';
import { describeParams } from './param-tests.js';
import { describeRows } from './row-tests.js';
import { describeShapes } from './shape-tests.js';

const NOTE = 'api::note.note';
const SHELF = 'api::shelf.shelf';
const STORY = 'api::story.story';
const USER = 'plugin::users-permissions.user';

/** An answer of REST: of one document, of many, or an error. */
interface Answer {
  readonly data: { readonly documentId: string };
  readonly error: { readonly message: string };
}

const NOTHING: Answer = { data: { documentId: '' }, error: { message: '' } };

describe.each(databases)('data of code written for Strapi, on $name', (database) => {
  let site: Site;
  let strapi: Strapi;
  beforeAll(async () => {
    const files = { ...DATA_FILES, ...LIFECYCLE_FILES, ...MAIL_FILES, ...BUCKET_FILES };
    site = await createSite({ project: 'magazine', database, files });
    strapi = Reflect.get(globalThis, 'strapi') as Strapi;
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    await strapi.db.query(NOTE).deleteMany();
    await strapi.db.query(STORY).deleteMany();
    await strapi.db.query(SHELF).deleteMany();
  });

  const send = async (method: string, path: string, data?: unknown): Promise<Answer> => {
    const response = await fetch(`${site.server.url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${site.tokens['full']}` },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    return response.status === 204 ? NOTHING : ((await response.json()) as Answer);
  };

  /** Records the events of rows while `work` runs: the action, and the status of the row. */
  const recordEvents = async (uids: readonly string[], work: () => Promise<unknown>): Promise<string[]> => {
    const events: string[] = [];
    const record =
      (name: string) =>
      ({ result }: { readonly result?: unknown }): void => {
        const { publishedAt } = result as { readonly publishedAt: unknown };
        events.push(`${name} ${publishedAt === null ? 'draft' : 'published'}`);
      };
    const unsubscribe = strapi.db.lifecycles.subscribe({
      models: uids,
      afterCreate: record('Create'),
      afterUpdate: record('Update'),
      afterDelete: record('Delete'),
    });
    try {
      await work();
    } finally {
      unsubscribe();
    }
    return events;
  };

  it('permissions that are written as documents hold for the next request', async () => {
    const statusOf = async (): Promise<number> => (await fetch(`${site.server.url}/api/shelves`)).status;
    const permissions = strapi.db.query('plugin::users-permissions.permission');
    const role = await strapi.db
      .query('plugin::users-permissions.role')
      .findOne({ where: { type: 'public' } });
    expect(await statusOf()).toBe(403);
    const { id } = await permissions.create({ data: { action: 'api::shelf.shelf.find', role: role?.id } });
    expect(await statusOf()).toBe(200);
    await permissions.delete({ where: { id } });
    expect(await statusOf()).toBe(403);
    const { documentId } = await strapi
      .documents('plugin::users-permissions.permission')
      .create({ data: { action: 'api::shelf.shelf.find', role: role?.documentId } });
    expect(await statusOf()).toBe(200);
    await strapi.documents('plugin::users-permissions.permission').delete({ documentId });
    expect(await statusOf()).toBe(403);
  });

  describe('lifecycles', () => {
    it('are called for the rows that Strapi would write', async () => {
      const notes = strapi.documents(NOTE) as unknown as Readonly<
        Record<string, (params: object) => Promise<{ readonly documentId: string } | null>>
      >;
      let documentId = '';
      for (const [step, expected] of LIFECYCLES) {
        const [action = '', status] = step.split(' ');
        const data = { text: step };
        const events = await recordEvents([NOTE], async () => {
          const done = await notes[action]?.({
            ...(action === 'create' ? {} : { documentId }),
            ...(status === undefined ? {} : { data, status }),
          });
          if (action === 'create') documentId = done?.documentId ?? '';
        });
        expect([step, events]).toEqual([step, expected]);
      }
    });

    it('are called for clients of REST and GraphQL as well', async () => {
      let documentId = '';
      const create = async (): Promise<void> => {
        documentId = (await send('POST', '/notes', { text: 'One' })).data.documentId;
      };
      expect(await recordEvents([NOTE], create)).toEqual(['Create draft', 'Create published']);
      const update = (): Promise<unknown> => send('PUT', `/notes/${documentId}`, { text: 'Two' });
      expect(await recordEvents([NOTE], update)).toEqual([
        'Update draft',
        'Delete published',
        'Create published',
      ]);
      const remove = (): Promise<unknown> => send('DELETE', `/notes/${documentId}`);
      expect(await recordEvents([NOTE], remove)).toEqual(['Delete draft', 'Delete published']);
      const mutate = (): Promise<unknown> =>
        fetch(`${site.server.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${site.tokens['full']}` },
          body: JSON.stringify({ query: 'mutation { createShelf(data: { name: "g" }) { documentId } }' }),
        });
      expect(await recordEvents([SHELF], mutate)).toEqual(['Create published']);
    });

    it('change what is written, in each version', async () => {
      const { documentId } = await strapi
        .documents(NOTE)
        .create({ data: { text: 'A Note' }, status: 'published' });
      expect(await strapi.db.query(NOTE).findMany({ where: { documentId }, select: ['slug'] })).toEqual([
        { slug: 'a-note' },
        { slug: 'a-note' },
      ]);
      const updated = await send('PUT', `/notes/${documentId}?status=draft`, { text: 'b' });
      expect(updated.data).toMatchObject({ text: 'b', slug: 'b!' });
    });

    it('refuse a write, of which nothing is left', async () => {
      expect(await send('POST', '/notes', { text: 'refused' })).toEqual({
        data: null,
        error: {
          status: 400,
          name: 'ApplicationError',
          message: 'Notes are never refused',
          details: { text: 'refused' },
        },
      });
      expect((await send('POST', '/notes', { text: 'fails late' })).error.message).toBe('Too late');
      expect(await strapi.db.query(NOTE).count()).toBe(0);
    });

    it('write within the transaction of the write that called them', async () => {
      await send('POST', '/notes?status=draft', { text: 'shelved' });
      const rows = await strapi.db.query(NOTE).findMany({ orderBy: 'id' });
      expect((await strapi.db.query(SHELF).findMany({ orderBy: 'id' })).map(({ name }) => name)).toEqual(
        rows.map(({ id }) => `of ${id}`),
      );
    });

    it('change what is read, for clients and for code', async () => {
      await strapi.db.query(SHELF).createMany({
        data: [
          { name: 'low', rank: 1 },
          { name: 'high', rank: 9 },
        ],
      });
      const labels = [{ label: 'Shelf low' }, { label: 'Shelf high' }];
      expect((await send('GET', '/shelves?sort=id')).data).toMatchObject(labels);
      expect(await strapi.documents(SHELF).findMany({ sort: 'id' })).toMatchObject(labels);
      expect(await strapi.db.query(SHELF).findMany({ orderBy: 'id' })).toMatchObject(labels);
      expect((await send('GET', '/shelves?filters[name]=any')).data).toMatchObject([{ name: 'high' }]);
    });

    it('are called for files and users, and never for the types of the admin panel', async () => {
      const uids = ['admin::user', 'plugin::upload.file', USER];
      const events = await recordEvents(uids, async () => {
        const form = new FormData();
        form.set('files', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
        const headers = { authorization: `Bearer ${site.tokens['full']}` };
        await fetch(`${site.server.url}/api/upload`, { method: 'POST', headers, body: form });
        await strapi
          .documents(USER)
          .create({ data: { username: 'ada', email: 'ada@x.de', password: 'secret12' } });
      });
      expect(events).toEqual(['Create published', 'Create published']);
    });

    it('get linked documents by the ids of their versions', async () => {
      const shelf = await strapi.db.query(SHELF).create({ data: { name: 'linked' } });
      const seen: unknown[] = [];
      const unsubscribe = strapi.db.lifecycles.subscribe({
        models: [STORY],
        beforeCreate: ({ params }) => void seen.push((params['data'] as { shelf: unknown }).shelf),
      });
      await strapi.documents(STORY).create({ data: { title: 'x', shelf: shelf.documentId } });
      await send('POST', '/stories?status=draft', { title: 'y', shelf: { connect: [shelf.documentId] } });
      unsubscribe();
      expect(seen.slice(0, 2)).toEqual([{ set: [{ id: shelf.id }] }, { connect: [{ id: shelf.id }] }]);
    });
  });

  describeMail(() => ({ site, strapi }));
  describeClientReads(() => ({ site, strapi }));
  describeClones(() => strapi);
  describeLocales(() => ({ site, strapi }));
  describeUploadProvider(() => ({ site, strapi }));
  describeShapes(() => strapi);
  describeRows(() => strapi);
  describeGiven(() => ({ site, strapi }));
  describeParams(() => strapi);
  describeCalls(database, () => strapi);

  it('runs operations through the middlewares of documents, which may change them', async () => {
    const actions: string[] = [];
    const remove = strapi.documents.use(async (context, next) => {
      if (context.uid !== STORY) return next();
      actions.push(context.action);
      if (context.action === 'create')
        context.params['data'] = { ...(context.params['data'] as object), views: 7 };
      if (context.action === 'findMany') context.params['filters'] = { views: 7 };
      if (context.action === 'findMany') context.params['populate'] = ['hint'];
      return next();
    });
    await send('POST', '/stories', { title: 'through', hint: { text: 'h' } });
    await strapi.db.query(STORY).create({ data: { title: 'beside' } });
    const found = await send('GET', '/stories');
    remove();
    expect(found.data).toMatchObject([{ title: 'through', views: 7, hint: { text: 'h' } }]);
    expect(actions).toEqual(['create', 'findMany']);
    expect((await send('GET', '/stories')).data).toHaveLength(2);
  });

  it('publishes, unpublishes and deletes all locales of a document', async () => {
    const stories = strapi.documents(STORY);
    const { documentId } = await stories.create({ data: { title: 'en', hint: { text: 'h' } } });
    await stories.update({ documentId, locale: 'fr', data: { title: 'fr' } });
    const published = await stories.publish?.({ documentId, locale: '*' });
    expect(published?.entries.map(({ locale }) => locale).toSorted()).toEqual(['en', 'fr']);
    expect(await stories.count({ status: 'published', locale: '*' })).toBe(2);
    const copy = await stories.clone({ documentId, data: { title: 'copy' } });
    expect(copy.entries).toMatchObject([{ title: 'copy', publishedAt: null }]);
    expect((await stories.unpublish?.({ documentId, locale: 'fr' }))?.entries).toHaveLength(1);
    expect((await stories.delete({ documentId, locale: '*' })).entries).toHaveLength(3);
    expect(await stories.findFirst({ fields: ['title'], locale: '*' })).toMatchObject({ title: 'copy' });
  });

  it('commits or rolls back all writes of a transaction, in all ways of writing', async () => {
    const { db } = strapi;
    const events: string[] = [];
    const write = (fails: boolean): Promise<unknown> =>
      db.transaction(async ({ onCommit, onRollback, trx }) => {
        onCommit(() => void events.push('committed'));
        onRollback(() => void events.push('rolled back'));
        await strapi.documents(NOTE).create({ data: { text: 'a' } });
        await db.query(SHELF).create({ data: { name: 'b', rank: 0 } });
        const knex = trx as (table: string) => { update: (values: object) => Promise<number> };
        expect(await knex('shelves').update({ rank: 8 })).toBe(1);
        expect(await db.query(SHELF).count({ where: { rank: 8 } })).toBe(1);
        expect(db.inTransaction()).toBe(true);
        if (fails) throw new Error('no');
      });
    await expect(write(true)).rejects.toThrow('no');
    expect([await db.query(NOTE).count(), await db.query(SHELF).count()]).toEqual([0, 0]);
    await write(false);
    expect([await db.query(NOTE).count(), await db.query(SHELF).count()]).toEqual([1, 1]);
    expect(events).toEqual(['rolled back', 'committed']);
    const open = await db.transaction();
    await open.rollback();
  });

  it('returns results of Knex statements, and reports missing tables of Strapi', async () => {
    await strapi.db.query(SHELF).createMany({
      data: [
        { name: 'x', rank: 1 },
        { name: 'y', rank: 2 },
      ],
    });
    const knex = strapi.db.connection as typeof import('knex').knex extends (...args: never) => infer K
      ? K
      : never;
    expect(await knex('shelves').select('name').where('rank', '>', 1)).toEqual([{ name: 'y' }]);
    await knex.transaction(async (trx) => {
      await trx('shelves').where({ name: 'x' }).update({ rank: 5 });
    });
    expect(await knex('shelves').where({ rank: 5 }).first('name')).toEqual({ name: 'x' });
    await expect(knex('stories_shelf_lnk').insert({})).rejects.toThrow(/no table stories_shelf_lnk/);
    await expect(knex('stories_cmps').select()).rejects.toMatchObject({
      hint: expect.stringContaining('JSON columns'),
    });
  });

  it('describes content-types and components as Strapi does', () => {
    expect(strapi.contentType(STORY)).toMatchObject({
      uid: STORY,
      kind: 'collectionType',
      modelType: 'contentType',
      globalId: 'Story',
      apiName: 'story',
      info: { singularName: 'story', pluralName: 'stories' },
      options: { draftAndPublish: true },
      attributes: {
        shelf: { type: 'relation', relation: 'manyToOne', target: SHELF, inversedBy: 'stories' },
      },
    });
    expect(strapi.getModel('parts.hint')).toMatchObject({ modelType: 'component', category: 'parts' });
    expect(strapi.db.metadata.get(STORY)).toMatchObject({ tableName: 'stories' });
    expect(strapi.contentType('api::none.none')).toBeUndefined();
  });
});
