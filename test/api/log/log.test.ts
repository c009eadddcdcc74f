import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPermissions } from '../../../src/access/permissions/role-permissions.js';
import { MAX_REJECTIONS } from '../../../src/documents/log/write-log.js';
import { databases } from '../../support/databases.js';
import { connectHttp } from '../support/mcp-client.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

type Json = Readonly<Record<string, unknown>>;

/** Writes in a hook of a write, in a route of Koa, and in a route of Fastify. */
const FILES = {
  'src/index.ts': `
import type { RegisterContext } from 'galley';

export const register = ({ fastify, documents }: RegisterContext): void => {
  documents.before('create', async (_event, tx) => {
    await tx.documents('api::tag.tag').create({ data: { name: 'nested' } });
  }, ['api::category.category']);
  fastify.post('/write-late', async (request) => {
    await documents('api::tag.tag').create({ data: { name: 'before the end' } });
    const { socket } = request.raw;
    if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve));
    return documents('api::tag.tag').create({ data: { name: 'after the client' } });
  });
  fastify.post('/write', async () => documents('api::tag.tag').create({ data: { name: 'by fastify' } }));
};

export const bootstrap = async ({ documents }): Promise<void> => {
  await documents('api::tag.tag').create({ data: { name: 'by bootstrap' } });
};
`,
  'src/api/hello/routes/hello.js': `module.exports = { routes: [
  { method: 'POST', path: '/hello', handler: async (ctx) => {
    ctx.body = await strapi.documents('api::tag.tag').create({ data: { name: 'by koa' } });
  }, config: { auth: { scope: [] } } },
] };`,
};

const PASSWORD = 'correct horse';

describe.each(databases)('the log on $name', (database) => {
  let site: Site;
  let jwt = '';
  const send = async (
    method: string,
    to: string,
    body?: unknown,
    token: string | null = site.tokens['full'] ?? '',
  ) => {
    const response = await fetch(`${site.server.url}${to}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Json };
  };
  const list = async (filter: Json = {}): Promise<readonly Json[]> => {
    const { status, body } = await send('POST', '/api/cms/log/list', filter);
    expect({ status, body }).toMatchObject({ status: 200 });
    return (body['data'] as { readonly entries: readonly Json[] }).entries;
  };
  const lastId = async (): Promise<number> => Number((await list({ limit: 1 }))[0]?.['id'] ?? 0);
  /** Returns the rows that work adds, the oldest first. */
  const added = async (work: () => Promise<unknown>): Promise<readonly Json[]> => {
    const after = await lastId();
    await work();
    return list({ after });
  };
  const createTag = (name: string, token?: string | null) =>
    send('POST', '/api/tags', { data: { name } }, token);
  const signIn = (password: string) => send('POST', '/api/auth/local', { identifier: 'ann', password }, null);

  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      files: FILES,
      config: { mcp: { enabled: 'always' } },
    });
    const { database: opened, project } = site.server.app;
    const context = { database: opened, model: project.model, salt: null };
    for (const role of ['public', 'authenticated'])
      await setPermissions(context, { role, uid: 'api::tag.tag', actions: ['find', 'create'] });
    const account = { username: 'ann', email: 'ann@example.com', password: PASSWORD };
    jwt = String((await send('POST', '/api/auth/local/register', account, null)).body['jwt']);
  });
  afterAll(() => site.close());

  it('names the token, the user and the address of REST requests', async () => {
    const rows = await added(async () => {
      await createTag('by token', site.tokens['tagger']);
      await createTag('by user', jwt);
      await createTag('by nobody', null);
    });
    const common = { via: 'rest', action: 'create', type: 'api::tag.tag', attributes: ['name'] };
    expect(rows).toMatchObject([
      { ...common, kind: 'token', who: 'tagger', address: '127.0.0.1' },
      { ...common, kind: 'user', who: 'ann', address: '127.0.0.1' },
      { ...common, kind: 'anonymous', who: null, address: '127.0.0.1' },
    ]);
    expect(rows[1]?.['whoId']).toMatch(/^[a-z0-9]{24}$/);
  });

  it('names the actors of GraphQL, bulks and tools', async () => {
    const rows = await added(async () => {
      const mutation = 'mutation { createTag(data: { name: "by graphql" }) { documentId } }';
      await send('POST', '/graphql', { query: mutation }, jwt);
      const data = ['bulk 1', 'bulk 2'].map((name) => ({ action: 'create', data: { name } }));
      await send('POST', '/api/tags/bulk', { data });
      const client = await connectHttp(site.server.url, site.tokens['full'] ?? '');
      await client.succeed('create', { type: 'tag', data: { name: 'by tool' } });
      await client.close();
    });
    expect(rows).toMatchObject([
      { kind: 'user', who: 'ann', via: 'graphql', source: null },
      { kind: 'token', who: 'full', via: 'rest' },
      { kind: 'token', who: 'full', via: 'rest' },
      { kind: 'token', who: 'full', via: 'mcp', source: 'node', address: '127.0.0.1' },
    ]);
  });

  it('names the caller behind writes of project code, and code itself without one', async () => {
    const rows = await added(async () => {
      await send('POST', '/api/categories', { data: { name: 'news' } });
      expect((await send('POST', '/api/hello', {}, jwt)).status).toBe(200);
      await send('POST', '/write', {}, null);
    });
    expect(rows).toMatchObject([
      { who: 'full', type: 'api::category.category' },
      { who: 'full', type: 'api::tag.tag' },
      { kind: 'user', who: 'ann', via: 'rest', address: '127.0.0.1' },
      { kind: 'anonymous', via: 'rest', address: '127.0.0.1' },
    ]);
    expect(await list({ via: 'code', action: 'create' })).toMatchObject([{ kind: 'code', who: null }]);
  });

  it('names the caller of a request whose client has disconnected before the write', async () => {
    const after = await lastId();
    const controller = new AbortController();
    const request = httpRequest(`${site.server.url}/write-late`, {
      method: 'POST',
      signal: controller.signal,
    });
    const aborted = once(request, 'error');
    request.end();
    const created = () => list({ after, action: 'create' });
    const byClient = { kind: 'anonymous', via: 'rest', address: '127.0.0.1' };
    await expect.poll(created, { timeout: 30_000 }).toMatchObject([byClient]);
    controller.abort();
    await aborted;
    await expect.poll(created, { timeout: 30_000 }).toMatchObject([byClient, byClient]);
  });

  it('has sign-ins and rejected ones, without passwords', async () => {
    const rows = await added(async () => {
      expect((await signIn(PASSWORD)).status).toBe(200);
      expect((await signIn('wrong-password')).status).toBe(400);
      await send('POST', '/api/auth/local', { identifier: 'pass-as-name', password: 'x-password' }, null);
    });
    expect(rows).toMatchObject([
      { action: 'sign-in', kind: 'user', who: 'ann', address: '127.0.0.1' },
      { action: 'sign-in-rejected', kind: 'user', who: 'ann' },
      { action: 'sign-in-rejected', kind: 'anonymous', who: null },
    ]);
    const stored = await site.server.app.database.transact((tx) => tx.query('SELECT * FROM "cms_log"', []));
    const text = JSON.stringify(stored);
    expect(text).not.toContain('wrong-password');
    expect(text).not.toContain('pass-as-name');
    expect(text).not.toContain(PASSWORD);
    for (const key of [jwt, ...Object.values(site.tokens)]) expect(text).not.toContain(key);
  });

  it('has rejected requests to write, and no rejected reads', async () => {
    const rows = await added(async () => {
      expect((await createTag('no', site.tokens['readonly'])).status).toBe(403);
      expect((await createTag('no', 'nonsense')).status).toBe(401);
      expect((await send('GET', '/api/articles?status=draft', undefined, 'nonsense')).status).toBe(401);
      const query = 'mutation { createTag(data: { name: "no" }) { documentId } }';
      await send('POST', '/graphql', { query }, site.tokens['readonly']);
    });
    expect(rows).toMatchObject([
      { action: 'rejected', who: null, details: { status: 403, request: 'POST /api/tags' } },
      { action: 'rejected', kind: 'anonymous', details: { status: 401, request: 'POST /api/tags' } },
      { action: 'rejected', who: 'readonly', via: 'graphql' },
    ]);
  });

  it('has changes of access and configuration', async () => {
    const call = async (path: string, body: Json): Promise<void> => {
      const { status, body: response } = await send('POST', `/api/cms/${path}`, body);
      expect({ status, response }).toMatchObject({ status: 200 });
    };
    const rows = await added(async () => {
      await call('tokens/create', { name: 'extra', type: 'read-only' });
      await call('tokens/create', { name: 'planned', type: 'read-only', dryRun: true });
      await call('tokens/revoke', { name: 'extra' });
      await call('roles/create', { name: 'Editor' });
      await call('permissions/set', { role: 'editor', uid: 'api::tag.tag', actions: ['find'] });
      await call('locales/add', { code: 'es' });
      await call('webhooks/add', {
        webhook: {
          name: 'build',
          url: 'https://example.com',
          events: ['entry.publish'],
          secret: 's3cret-of-the-webhook',
        },
      });
      await call('webhooks/remove', { name: 'build' });
    });
    expect(rows.map(({ who, action, target }) => [who, action, target])).toEqual([
      ['full', 'tokens.create', 'extra'],
      ['full', 'tokens.revoke', 'extra'],
      ['full', 'roles.create', 'editor'],
      ['full', 'permissions.set', 'editor'],
      ['full', 'locales.add', 'es'],
      ['full', 'webhooks.add', 'build'],
      ['full', 'webhooks.remove', 'build'],
    ]);
    expect(JSON.stringify(rows)).not.toContain('s3cret');
  });

  it('names the authors of published versions and schedules', async () => {
    const { body } = await send('POST', '/api/articles', { data: { title: 'A', slug: 'a' } });
    const { documentId } = body['data'] as Json;
    const [version] = (await send('GET', `/api/articles/${String(documentId)}/versions`)).body[
      'data'
    ] as readonly Json[];
    expect(version).toMatchObject({ version: 1, author: 'full' });
    const unpublishAt = new Date(Date.now() + 3_600_000).toISOString();
    const path = `/api/articles/${String(documentId)}/schedule`;
    const set = await send('PUT', path, { data: { unpublishAt } });
    expect(set.body['data']).toMatchObject({ unpublishAt, author: 'full' });
    const query = `{ article_versions(documentId: "${String(documentId)}") { version author }
      article_schedule(documentId: "${String(documentId)}") { author } }`;
    expect((await send('POST', '/graphql', { query })).body['data']).toEqual({
      article_versions: [{ version: 1, author: 'full' }],
      article_schedule: { author: 'full' },
    });
    const { body: scheduled } = await send('GET', '/api/cms/schedules');
    expect(scheduled['data']).toMatchObject([{ documentId, author: 'full' }]);
    await site.server.app.database.transact((tx) => tx.execute('UPDATE "cms_schedules" SET "at" = 1', []));
    await expect
      .poll(() => list({ documentId, action: 'unpublish' }), { timeout: 30_000 })
      .toMatchObject([{ kind: 'schedule', who: 'full', via: 'schedule' }]);
  });

  it('is read only by callers with the permission, page by page', async () => {
    for (const token of [site.tokens['readonly'], site.tokens['tagger'], jwt])
      expect((await send('POST', '/api/cms/log/list', {}, token)).status).toBe(403);
    expect((await send('POST', '/api/cms/log/list', {}, null)).status).toBe(403);
    const page = await send('POST', '/api/cms/log/list', { limit: 2 });
    const { entries, next } = page.body['data'] as {
      readonly entries: readonly Json[];
      readonly next: number;
    };
    expect(entries).toHaveLength(2);
    expect((await list({ limit: 1, before: next }))[0]?.['id']).toBeLessThan(next);
    for (const filter of [{ limit: 0 }, { before: 2 ** 40 }, { since: 'x' }, { nope: 1 }])
      expect((await send('POST', '/api/cms/log/list', filter)).status).toBe(400);
  });

  it('bounds the rows of one process that rejects many requests', async () => {
    const rows = await added(async () => {
      for (let index = 0; index < MAX_REJECTIONS + 10; index += 1) await createTag('no', 'nonsense');
    });
    expect(rows.length).toBeLessThanOrEqual(MAX_REJECTIONS);
  });
});
