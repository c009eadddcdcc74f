import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import type { StrapiMiddleware } from '../../../src/strapi/database/document-middlewares.js';
import type { Strapi } from '../../../src/strapi/strapi.js';
import type { Site } from '../support/site.js';

const NOTE = 'api::note.note';
const SHELF = 'api::shelf.shelf';
const STORY = 'api::story.story';
const USER = 'plugin::users-permissions.user';

type Context = Parameters<StrapiMiddleware>[0];

/**
 * Tests of what middlewares and listeners see of clients' reads and may change about them, on the site of a
 * suite.
 */
export function describeClientReads(open: () => { readonly site: Site; readonly strapi: Strapi }): void {
  describe("clients' reads in project code", () => {
    let site: Site;
    let strapi: Strapi;
    let author = '';
    let change: (context: Context) => void = () => undefined;
    let finish: (result: unknown) => void = () => undefined;
    let remove = (): void => undefined;
    beforeAll(async () => {
      ({ site, strapi } = open());
      const opened = await openProjectDatabase(site.project);
      const limited = { role: 'public', actions: ['find', 'create'] };
      for (const uid of [NOTE, STORY]) await setPermissions(opened.context, { ...limited, uid });
      const rule = { fields: null, where: { name: { $ne: 'hidden' } } };
      await setPermissions(opened.context, { role: 'public', actions: ['find'], uid: SHELF, rule });
      await opened.close();
      await vi.waitFor(async () => expect((await fetch(`${site.server.url}/api/shelves`)).ok).toBe(true));
      const user = await strapi.db.query(USER).create({
        data: { username: 'grace', email: 'grace@example.com', password: 'correct horse' },
      });
      author = String(user['documentId']);
      remove = strapi.documents.use(async (context, next) => {
        change(context);
        const result = await next();
        finish(result);
        return result;
      });
    });
    afterAll(() => remove());
    beforeEach(() => {
      change = () => undefined;
      finish = () => undefined;
    });

    const ask = async (path: string, init: object = {}): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(site.server.url + path, { headers, ...init });
      return response.json();
    };

    it.each([
      ['', {}],
      ['?populate=*', { populate: { shelf: true, related: true, cover: true, hint: true, blocks: true } }],
      ['?populate=shelf', { populate: 'shelf' }],
      ['?populate=shelf,cover&fields=title', { fields: 'title', populate: 'shelf,cover' }],
      ['?populate[0]=related&populate[1]=related.shelf', { populate: ['related', 'related.shelf'] }],
      [
        '?populate[shelf][fields][0]=name&populate[cover]=true',
        { populate: { shelf: { fields: ['name'] }, cover: 'true' } },
      ],
      ['?pLevel=3&documentId=x&limit=1&where[id]=1', { pLevel: '3' }],
    ])('are seen as the client sent them: %s', async (query, seen) => {
      const params: unknown[] = [];
      change = (context) => {
        if (context.uid === STORY) params.push(structuredClone(context.params));
      };
      await ask(`/api/stories${query}`);
      expect(params).toEqual([{ start: 0, limit: 25, locale: 'en', status: 'published', ...seen }]);
    });

    it('show what is added as far as the client may see it', async () => {
      const { documentId: shelf } = await strapi.documents(SHELF).create({ data: { name: 'top' } });
      await strapi
        .documents(STORY)
        .create({ data: { title: 'a', secret: 's', code: 'c', shelf }, status: 'published' });
      await strapi.documents(NOTE).create({ data: { text: 'n', owner: author }, status: 'published' });
      change = ({ uid, params }) => {
        if (uid === STORY) params['populate'] = { shelf: true };
        if (uid === NOTE) params['populate'] = ['owner'];
      };
      const [story] = Reflect.get(Object(await ask('/api/stories?populate=related')), 'data') as object[];
      expect(story).toMatchObject({ title: 'a', shelf: { name: 'top' } });
      for (const name of ['secret', 'code', 'related']) expect(story).not.toHaveProperty(name);
      const notes = JSON.stringify(await ask('/api/notes'));
      expect(notes).toContain('"text":"n"');
      expect(notes).not.toContain('owner');
      const query = '{ notes { text } stories { title } }';
      const read = await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) });
      expect(read).toEqual({ data: { notes: [{ text: 'n' }], stories: [{ title: 'a' }] } });
    });

    it('leave private values out of what code adds to results', async () => {
      await strapi.documents(STORY).create({ data: { title: 'a' }, status: 'published' });
      finish = (result) => {
        for (const record of Array.isArray(result) ? result : [result])
          Object.assign(record as object, { secret: 's', code: 'c', note: 'kept' });
      };
      const { data } = (await ask('/api/stories')) as { readonly data: readonly object[] };
      expect(data).toEqual([expect.objectContaining({ title: 'a', note: 'kept' })]);
      const created = await ask('/api/stories', {
        method: 'POST',
        body: JSON.stringify({ data: { title: 'b' } }),
      });
      const text = JSON.stringify([data, created]);
      expect(text).toContain('kept');
      for (const name of ['secret', 'code']) expect(text).not.toContain(`"${name}"`);
    });

    it('give listeners the rights of the client, too', async () => {
      const { documentId: shelf } = await strapi.documents(SHELF).create({ data: { name: 'top' } });
      await strapi.documents(STORY).create({ data: { title: 'a', secret: 's', shelf }, status: 'published' });
      const unsubscribe = strapi.db.lifecycles.subscribe({
        models: [STORY],
        beforeFindMany: ({ params }: { params: Record<string, unknown> }) => {
          if (params['pLevel'] === '1') params['populate'] = { shelf: true };
        },
      });
      const { data } = (await ask('/api/stories?pLevel=1')) as { readonly data: readonly object[] };
      unsubscribe();
      expect(data).toEqual([expect.objectContaining({ title: 'a', shelf: expect.anything() as unknown })]);
      expect(data[0]).not.toHaveProperty('secret');
    });

    it('leave private values out of what listeners of writes change', async () => {
      const unsubscribe = strapi.db.lifecycles.subscribe({
        models: [STORY],
        beforeCreate: ({ params }) =>
          void Object.assign(params['data'] as object, { secret: 'from a listener' }),
        afterCreate: ({ result }) =>
          void Object.assign(result as object, { code: 'from a listener', note: 'kept' }),
      });
      const body = JSON.stringify({ data: { title: 'a' } });
      const created = await ask('/api/stories', { method: 'POST', body });
      unsubscribe();
      expect(created).toMatchObject({ data: { title: 'a', note: 'kept' } });
      expect(JSON.stringify(created)).not.toContain('from a listener');
      const [written] = await strapi.db.query(STORY).findMany();
      expect(written).toMatchObject({ secret: 'from a listener' });
    });

    it('are restricted by code as lists, if they are aggregates', async () => {
      for (const title of ['mine', 'yours'])
        await strapi.documents(STORY).create({ data: { title }, status: 'published' });
      const path = '/api/stories/aggregate?count&groupBy=title&filters[title]=mine&filters[title]=yours';
      const mine = { data: [{ group: { title: 'mine' }, count: 1 }] };
      const actions: string[] = [];
      change = ({ action, params }) => {
        actions.push(action);
        params['filters'] = { $and: [params['filters'], { title: 'mine' }] };
      };
      expect(await ask(path)).toMatchObject(mine);
      expect(actions).toEqual(['findMany']);
      change = () => undefined;
      const unsubscribe = strapi.db.lifecycles.subscribe({
        models: [STORY],
        beforeFindMany: ({ params }: { params: Record<string, unknown> }) => {
          params['where'] = { $and: [params['where'], { title: 'mine' }] };
        },
      });
      const listened = await ask(path);
      unsubscribe();
      expect(listened).toMatchObject(mine);
      const end = strapi.documents.use(async ({ action }, next) => (action === 'findMany' ? [] : next()));
      const refused = await ask(path);
      end();
      expect(refused).toMatchObject({ error: { status: 403, name: 'ForbiddenError' } });
    });

    it('keep the condition of a permission if code replaces the filters', async () => {
      for (const name of ['seen', 'hidden']) await strapi.documents(SHELF).create({ data: { name } });
      change = ({ params }) => {
        params['filters'] = { name: ['seen', 'hidden'] };
      };
      expect(await ask('/api/shelves')).toMatchObject({ data: [{ name: 'seen' }] });
    });

    it('keep to the rows that the client may see', async () => {
      for (const name of ['top', 'hidden']) {
        const { documentId: shelf } = await strapi.documents(SHELF).create({ data: { name } });
        await strapi.documents(STORY).create({ data: { title: name, shelf }, status: 'published' });
      }
      change = ({ params }) => {
        params['populate'] = { shelf: { fields: ['name'] }, related: { populate: 'shelf' } };
      };
      const { data } = (await ask('/api/stories?sort=title')) as { readonly data: readonly object[] };
      expect(data).toMatchObject([
        { title: 'hidden', shelf: null },
        { title: 'top', shelf: { name: 'top' } },
      ]);
      const query = '{ stories(sort: "title") { title shelf { name } } }';
      expect(await ask('/graphql', { method: 'POST', body: JSON.stringify({ query }) })).toEqual({
        data: {
          stories: [
            { title: 'hidden', shelf: null },
            { title: 'top', shelf: { name: 'top' } },
          ],
        },
      });
    });
  });
}
