import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { call } from '../media/support/client.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

/** The part of zod that the project uses. */
const ZOD = `
  const schema = (check, cast = (value) => value) => ({
    max: (most) => schema((value) => check(value) && value.length <= most, cast),
    safeParse: (value) => {
      const data = cast(value);
      return check(data)
        ? { success: true, data }
        : { success: false, error: { message: 'no', issues: [{ message: 'it is too long or no text' }] } };
    },
  });
  exports.z = {
    string: () => schema((value) => typeof value === 'string'),
    coerce: { number: () => schema((value) => Number.isFinite(value), Number) },
  };`;

const FILES = {
  'node_modules/zod/package.json': JSON.stringify({ name: 'zod', version: '4.0.0', main: 'index.cjs' }),
  'node_modules/zod/index.cjs': ZOD,
  'src/index.js': `
    const seen = [];
    module.exports = {
      register({ strapi }) {
        strapi.contentAPI.addQueryParams({
          search: {
            schema: (z) => z.string().max(5),
            matchRoute: (route) => route.path.includes('tags') && route.method === 'GET',
          },
          level: { schema: (z) => z.coerce.number() },
        });
        strapi.contentAPI.addInputParams({ mutationId: { schema: (z) => z.string().max(5) } });
        globalThis.seenParams = seen;
        strapi.documents.use((context, next) => {
          const { search, level, data } = context.params;
          if (context.uid === 'api::tag.tag')
            seen.push({ action: context.action, search, level, mutationId: data?.mutationId });
          return next();
        });
        strapi.db.lifecycles.subscribe({
          models: ['api::tag.tag'],
          beforeCreate: ({ params }) => seen.push({ before: params.data.mutationId }),
        });
      },
    };`,
  'src/api/category/controllers/category.js': `
    const { createCoreController } = require('@strapi/strapi').factories;
    module.exports = createCoreController('api::category.category', () => ({
      async find(ctx) {
        const { data, meta } = await super.find(ctx);
        return { data, meta: { ...meta, level: (await this.sanitizeQuery(ctx)).level ?? null } };
      },
      async create(ctx) {
        const created = await super.create(ctx);
        const { mutationId } = await this.sanitizeInput(ctx.request.body.data, ctx);
        return { ...created, meta: { sent: mutationId } };
      },
    }));`,
  'src/api/author/controllers/author.js':
    "module.exports = require('@strapi/strapi').factories.createCoreController('api::author.author');",
  'src/api/author/routes/author.js': `
    const { z } = require('@strapi/utils');
    module.exports = { routes: [
      { method: 'GET', path: '/authors', handler: 'author.find', request: { query: { own: z.string() } } },
    ] };`,
};

const seen = (): unknown[] => Reflect.get(globalThis, 'seenParams') as unknown[];

describe.each(databases)('parameters of the content API that code adds, on $name', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: FILES });
  });
  afterAll(() => site.close());
  beforeEach(() => {
    seen().length = 0;
  });

  it('reach middlewares in their parsed form, and invalid ones do not', async () => {
    expect((await call(site, 'GET', '/api/tags?search=abc&level=07')).status).toBe(200);
    expect(seen()).toEqual([{ action: 'findMany', search: 'abc', level: 7 }]);
    expect((await call(site, 'GET', '/api/tags?search=too-long&level=x&other=1')).status).toBe(200);
    expect(seen().slice(1)).toEqual([{ action: 'findMany' }]);
  });

  it('reach writes in the query and in the data, and are not stored', async () => {
    const data = { name: 'blue', mutationId: 'm-1' };
    const created = await call(site, 'POST', '/api/tags?level=3', { data });
    expect(created).toMatchObject({ status: 201, body: { data: { name: 'blue' } } });
    expect(created.body).not.toHaveProperty('data.mutationId');
    expect(seen()).toEqual([{ action: 'create', level: 3, mutationId: 'm-1' }, { before: 'm-1' }]);
    const { documentId } = (created.body as { readonly data: { readonly documentId: string } }).data;
    const path = `/api/tags/${documentId}`;
    expect((await call(site, 'PUT', path, { data: { mutationId: 'm-2' } })).status).toBe(200);
    expect(seen().at(-1)).toEqual({ action: 'update', mutationId: 'm-2' });
    expect((await call(site, 'PUT', path, { data: {}, mutationId: 'm-3' })).status).toBe(200);
    expect(seen().at(-1)).toEqual({ action: 'update' });
  });

  it.each([
    ['/api/tags', { data: { name: 'x', mutationId: 'too-long' } }, 'data.mutationId: it is too long'],
    ['/api/tags', { data: { name: 'x' }, mutationId: 7 }, 'mutationId: it is too long'],
    ['/api/tags', { data: { name: 'x', mutation: 'a' } }, 'mutation'],
    ['/api/tags', { data: { name: 'x' }, mutation: 'a' }, 'mutation'],
    ['/api/tags?search=abc', { data: { name: 'x' } }, 'search'],
    ['/api/categories', { data: { name: 'x', mutationId: 'too-long' } }, 'data.mutationId: it is too long'],
  ])('POST %s refuses %j', async (path, body, message) => {
    const refused = await call(site, 'POST', path, body);
    expect(refused).toMatchObject({ status: 400, body: { error: { name: 'ValidationError' } } });
    expect(JSON.stringify(refused.body)).toContain(message);
  });

  it('are sanitized for controllers of the project', async () => {
    const meta = async (query: string): Promise<unknown> =>
      (await call(site, 'GET', `/api/categories?${query}`)).body;
    expect(await meta('level=2')).toMatchObject({ meta: { level: 2 } });
    expect(await meta('level=x&other=1&page=x')).toMatchObject({ meta: { level: null } });
    const data = { name: 'first', mutationId: 'm-4' };
    expect((await call(site, 'POST', '/api/categories', { data })).body).toMatchObject({
      data: { name: 'first' },
      meta: { sent: 'm-4' },
    });
  });
});

describe('strict parameters', () => {
  let site: Site;
  beforeAll(async () => {
    const [database] = databases;
    if (database === undefined) throw new Error('There is no database');
    const files = {
      ...FILES,
      'config/api.js':
        'module.exports = { rest: { strictParams: true }, documents: { strictParams: true } };',
    };
    site = await createSite({ project: 'magazine', database, files });
  });
  afterAll(() => site.close());

  it.each([
    '/api/tags?search=abc&sort=name&pagination[page]=1',
    '/api/tags/aggregate?count=true&groupBy=name',
    '/api/categories?level=1',
    '/api/authors?own=a',
    '/api/articles?filters[title]=a&populate=*&locale=en&status=published&_q=a&publicationFilter=modified',
    '/api/users?other=1',
    '/api/upload/files?other=1',
  ])('GET %s is served', async (path) => {
    expect(await call(site, 'GET', path)).toMatchObject({ status: 200 });
  });

  it.each([
    ['/api/tags?serach=abc', 'Invalid parameter serach'],
    ['/api/tags?search=too-long', 'Invalid parameter search: it is too long'],
    ['/api/tags/aggregate?coumt=true', 'Invalid parameter coumt'],
    ['/api/articles?search=abc', 'Invalid parameter search'],
    ['/api/articles?page=2', 'Invalid parameter page'],
    ['/api/homepage?other=1', 'Invalid parameter other'],
    ['/api/categories?search=abc', 'Invalid parameter search'],
    ['/api/categories?level=x', 'Invalid parameter level'],
    ['/api/authors?other=1', 'Invalid parameter other'],
  ])('GET %s is refused', async (path, message) => {
    const refused = await call(site, 'GET', path);
    expect(refused).toMatchObject({ status: 400, body: { error: { name: 'ValidationError' } } });
    expect(JSON.stringify(refused.body)).toContain(message);
  });

  it('hold for writes, too', async () => {
    const body = { data: { name: 'red' } };
    expect((await call(site, 'POST', '/api/tags?other=1', body)).status).toBe(400);
    expect((await call(site, 'POST', '/api/categories?other=1', body)).status).toBe(400);
    expect((await call(site, 'POST', '/api/tags?level=1', body)).status).toBe(201);
  });
});
