import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

/** Shows what a middleware or policy sees, and changes it. */
const LOOK = `
  const { readFileSync } = require('node:fs');
  module.exports = (ctx) => {
    const { body, files } = ctx.request;
    const text = files && readFileSync(files['files.cover'].filepath, 'utf8');
    ctx.response.set('x-seen', JSON.stringify({ body, text }));
    if (body?.data) body.data.name = body.data.name + '!';
  };`;

const PLAIN = `
  module.exports = (config) => (ctx, next) => {
    ctx.append('x-ran', config.mark ?? 'plain');
    return next();
  };`;

const FILES: Readonly<Record<string, string>> = {
  'src/look.js': LOOK,
  'src/middlewares/plain.js': PLAIN,
  'src/api/tag/middlewares/look.js': `
    const look = require('../../../look');
    module.exports = () => async (ctx, next) => {
      const { body } = ctx.request;
      if (typeof body.data === 'string') body.data = JSON.parse(body.data);
      if (ctx.get('x-fill') !== '') ctx.request.body = { data: { name: ctx.get('x-fill') } };
      if (ctx.get('x-other') !== '') ctx.params.id = ctx.get('x-other');
      look(ctx);
      await next();
    };`,
  'src/api/tag/routes/tag.js': `
    const front = { middlewares: ['api::tag.look'] };
    module.exports = require('@strapi/strapi').factories.createCoreRouter('api::tag.tag', {
      config: { create: front, update: front, findOne: front },
    });`,
  'src/api/category/policies/look.js': `
    const look = require('../../../look');
    module.exports = (ctx) => {
      look(ctx);
      if (ctx.request.header['x-fields']) ctx.request.query.fields = ctx.request.header['x-fields'];
      if (ctx.request.header['x-other']) ctx.params.id = ctx.request.header['x-other'];
      return true;
    };`,
  'src/api/category/routes/category.js': `
    module.exports = require('@strapi/strapi').factories.createCoreRouter('api::category.category', {
      config: {
        create: { policies: [{ name: ['api::category.look'] }] },
        findOne: { policies: ['look'] },
        find: { middlewares: [
          'global::plain', { name: 'global::plain', config: { mark: 'named' } }, { name: ['global::plain'] },
          { resolve: './src/middlewares/plain', config: { mark: 'file' } },
          { resolve: 'src/middlewares/plain.js', config: { mark: 'path' } },
          (ctx, next) => { ctx.append('x-ran', 'function'); return next(); },
        ] },
      },
    });`,
};

describe.each(databases)('what stands in front of routes of the core, on $name', (database) => {
  let site: Site;

  const send = async (
    method: string,
    path: string,
    {
      json,
      form,
      headers,
    }: {
      readonly json?: unknown;
      readonly form?: FormData;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${site.tokens['full'] ?? ''}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(form === undefined ? {} : { body: form }),
    });
    const { headers: received, status } = response;
    const { data } = (await response.json()) as { readonly data: Readonly<Record<string, string>> | null };
    return {
      status,
      data,
      seen: JSON.parse(received.get('x-seen') ?? 'null') as unknown,
      ran: received.get('x-ran'),
    };
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: FILES });
  });

  afterAll(() => site.close());

  it('sees parsed bodies, and changes of them count, in middlewares and policies', async () => {
    for (const path of ['/api/tags', '/api/categories?status=published']) {
      const created = await send('POST', path, { json: { data: { name: 'new' } } });
      expect(created).toMatchObject({ status: 201, data: { name: 'new!' } });
      expect(created.seen).toEqual({ body: { data: { name: 'new' } } });
    }
  });

  it('may fill in a body that a client has not sent', async () => {
    const created = await send('POST', '/api/tags', { headers: { 'x-fill': 'filled' } });
    expect(created).toMatchObject({ status: 201, data: { name: 'filled!' } });
    const replaced = await send('POST', '/api/tags', { json: { data: {} }, headers: { 'x-fill': 'again' } });
    expect(replaced).toMatchObject({ status: 201, data: { name: 'again!' } });
  });

  it('sees the fields and files of forms, of which the fields count', async () => {
    const form = new FormData();
    form.set('data', '{"name":"form"}');
    form.set('files.cover', new File(['bytes'], 'cover.txt'));
    const created = await send('POST', '/api/tags', { form });
    expect(created).toMatchObject({ status: 201, data: { name: 'form!' } });
    expect(created.seen).toEqual({ body: { data: { name: 'form' } }, text: 'bytes' });
    const other = new FormData();
    other.set('data', 'no object');
    other.set('files.cover', new File(['bytes'], 'cover.txt'));
    expect(await send('POST', '/api/categories', { form: other })).toMatchObject({ status: 400, data: null });
  });

  it('may change the parameters of the path and the query', async () => {
    const ids: string[] = [];
    for (const name of ['first', 'second']) {
      const { data } = await send('POST', '/api/tags', { json: { data: { name } } });
      ids.push(data?.['documentId'] ?? '');
    }
    const [first = '', second = ''] = ids;
    const read = await send('GET', `/api/tags/${first}`, { headers: { 'x-other': second } });
    expect(read).toMatchObject({ status: 200, data: { documentId: second } });
    const written = await send('PUT', `/api/tags/${first}`, {
      json: { data: { name: 'moved' } },
      headers: { 'x-other': second },
    });
    expect(written.data).toMatchObject({ documentId: second, name: 'moved!' });
    const category = await send('POST', '/api/categories', { json: { data: { name: 'policy' } } });
    const id = category.data?.['documentId'] ?? '';
    const { data } = await send('GET', '/api/categories/other?status=draft', {
      headers: { 'x-other': id, 'x-fields': 'name' },
    });
    expect(Object.keys(data ?? {}).toSorted()).toEqual(['documentId', 'id', 'name']);
  });

  it('is named in every form that Strapi takes', async () => {
    const { ran, status } = await send('GET', '/api/categories');
    expect({ ran, status }).toEqual({ ran: 'plain, named, plain, file, path, function', status: 200 });
  });
});

it.each(databases)(
  'take functions and lists of one name in config/middlewares, on $name',
  async (database) => {
    const site = await createSite({
      project: 'magazine',
      database,
      files: {
        'src/middlewares/plain.js': PLAIN,
        'config/middlewares.js': `module.exports = [
        { name: ['strapi::errors'] }, { name: ['global::plain'] },
        (ctx, next) => { ctx.append('x-ran', 'function');  return next(); },
        { name: ['strapi::poweredBy'], config: { poweredBy: 'Us' } },
      ];`,
      },
    });
    try {
      const { headers } = await fetch(`${site.server.url}/api/tags`);
      const sent = ['x-ran', 'x-powered-by'].map((name) => headers.get(name));
      expect(sent).toEqual(['plain, function', 'Us']);
    } finally {
      await site.close();
    }
  },
);
