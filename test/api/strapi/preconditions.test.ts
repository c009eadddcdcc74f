import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const FILES = {
  'src/index.js': `
    module.exports = {
      register({ strapi }) {
        strapi.documents.use((context, next) => {
          if (context.uid === 'api::article.article' && context.action === 'findOne')
            context.params.populate = ['tags'];
          return next();
        });
      },
    };`,
  'src/api/category/controllers/category.js': `
    const { createCoreController } = require('@strapi/strapi').factories;
    module.exports = createCoreController('api::category.category', () => ({
      async update(ctx) {
        return super.update(ctx);
      },
    }));`,
};

describe.each(databases)('preconditions around project code on $name', (database) => {
  let site: Site;
  const send = async (
    method: string,
    path: string,
    { data, ifMatch }: { readonly data?: object; readonly ifMatch?: string | null } = {},
  ) => {
    const response = await fetch(`${site.server.url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${site.tokens['full']}`,
        'content-type': 'application/json',
        ...(typeof ifMatch === 'string' ? { 'if-match': ifMatch } : {}),
      },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    const body = (await response.json()) as {
      readonly data: { readonly documentId: string; readonly updatedAt: string } | null;
      readonly error?: { readonly details: { readonly present?: { readonly data: unknown } } };
    };
    return { status: response.status, etag: response.headers.get('etag'), body };
  };
  const idOf = ({ body }: Awaited<ReturnType<typeof send>>): string => body.data?.documentId ?? '';

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database, files: FILES });
  });
  afterAll(() => site.close());

  it('compare what middlewares of documents show', async () => {
    const tag = idOf(await send('POST', '/tags', { data: { name: 'old' } }));
    const created = await send('POST', '/articles', { data: { title: 'one', tags: [tag] } });
    // The response to the write does not show what a read does.
    expect(created.etag).toBeNull();
    const path = `/articles/${idOf(created)}`;
    const { etag, body } = await send('GET', path);
    expect(body.data).toMatchObject({ tags: [{ name: 'old' }] });
    expect((await send('PUT', path, { data: { title: 'two' }, ifMatch: etag })).status).toBe(200);
    expect((await send('PUT', path, { data: { title: 'two' }, ifMatch: etag })).status).toBe(412);
    const second = await send('GET', path);
    await send('PUT', `/tags/${tag}`, { data: { name: 'new' } });
    const stale = await send('PUT', path, { data: { title: 'three' }, ifMatch: second.etag });
    expect([stale.status, stale.body.error?.details.present?.data]).toMatchObject([
      412,
      { title: 'two', tags: [{ name: 'new' }] },
    ]);
  });

  it('apply to writes that controllers pass on', async () => {
    const created = await send('POST', '/categories', { data: { name: 'one' } });
    const path = `/categories/${idOf(created)}`;
    const ifMatch = `"${created.body.data?.updatedAt}"`;
    expect((await send('PUT', path, { data: { name: 'two' }, ifMatch })).status).toBe(200);
    expect((await send('PUT', path, { data: { name: 'three' }, ifMatch })).status).toBe(412);
    expect((await send('PUT', '/categories/missing', { data: { name: 'x' }, ifMatch: '*' })).status).toBe(
      412,
    );
    // Project code may change what an ETag stands for.
    const { etag } = await send('GET', path);
    expect((await send('PUT', path, { data: { name: 'three' }, ifMatch: etag ?? '"x"' })).status).toBe(400);
    expect((await send('GET', path)).body.data).toMatchObject({ name: 'two' });
  });
});
