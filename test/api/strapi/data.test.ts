import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { DATA_FILES, LIFECYCLE_FILES } from './data-files.js';
import { LIFECYCLES } from './lifecycle-cases.js';

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
    const files = { ...DATA_FILES, ...LIFECYCLE_FILES };
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
});
