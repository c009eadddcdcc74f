import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Strapi } from '../../../src/strapi/strapi.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { SITE_PROJECT } from './site-project.js';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Sending {
  readonly token?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const DENIED = { status: 403, body: { error: { name: 'PolicyError', message: 'Policy Failed' } } };

describe.each(databases)('a site written for Strapi, on $name', (database) => {
  let site: Site;
  let frontEnd: Server;
  const notified: unknown[] = [];

  const send = async (
    method: string,
    path: string,
    { token, json, headers }: Sending = {},
  ): Promise<Answer> => {
    const response = await fetch(`${site.server.url}${path}`, {
      method,
      headers: {
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${site.tokens[token] ?? token}` }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Answer['body'],
    };
  };

  const write = async (method: string, path: string, data: object): Promise<string> => {
    const { status, body } = await send(method, path, { token: 'full', json: { data } });
    expect(status).toBeLessThan(300);
    return (body['data'] as { documentId: string }).documentId;
  };

  /** Saves a draft, then publishes it. */
  const edit = async (documentId: string, data: object): Promise<void> => {
    await write('PUT', `/api/leaves/${documentId}?status=draft`, data);
    await (Reflect.get(globalThis, 'strapi') as Strapi).documents('api::leaf.leaf').publish?.({ documentId });
  };

  const run = async (kind: string, token?: string): Promise<Answer> =>
    send('POST', `/api/jobs/${kind}/run`, token === undefined ? {} : { token });

  beforeAll(async () => {
    frontEnd = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += String(chunk)));
      request.on('end', () => {
        notified.push([request.headers.authorization, JSON.parse(text)]);
        response.end('{}');
      });
    });
    await new Promise<void>((resolve) => frontEnd.listen(0, '127.0.0.1', resolve));
    site = await createSite({ project: 'magazine', database, files: SITE_PROJECT });
    const strapi = Reflect.get(globalThis, 'strapi') as Strapi;
    strapi.config.set('frontend.url', `http://127.0.0.1:${(frontEnd.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await site.close();
    frontEnd.close();
  });

  describe('pages, jobs and a front end', () => {
    let top = '';
    let below = '';

    it('queues a job for a published page without a path, which a custom route runs', async () => {
      top = await write('POST', '/api/leaves?status=published', { title: 'Top', slug: 'top' });
      below = await write('POST', '/api/leaves?status=published', {
        title: 'Below',
        slug: 'below',
        parent: top,
      });
      const { status, body } = await run('paths');
      expect([status, body]).toEqual([200, { done: [top, below], failed: [] }]);
      const { body: read } = await send('GET', '/api/leaves?sort=title', { token: 'full' });
      expect(read['data']).toMatchObject([{ fullPath: 'top/below' }, { fullPath: 'top' }]);
    });

    it('finds a page that moves by reading the table of its links, and leaves a redirect', async () => {
      expect((await run('paths')).body).toEqual({ done: [], failed: [] });
      // Saved and published at once: the listener still sees the published version as it was.
      await write('PUT', `/api/leaves/${top}?status=published`, { slug: 'summit' });
      expect((await run('paths')).body).toEqual({ done: [top, below], failed: [] });
      expect((await run('moves')).status).toBe(403);
      expect((await run('moves', 'full')).body).toEqual({ done: [top, below], failed: [] });
      const { body } = await send('GET', '/api/moves?sort=source&fields=source,destination', {
        token: 'full',
      });
      expect(body['data']).toMatchObject([
        { source: 'top', destination: 'summit' },
        { source: 'top/below', destination: 'summit/below' },
      ]);
      await edit(below, { parent: null });
      expect((await run('paths')).body).toEqual({ done: [below], failed: [] });
    });

    it('finds lists of links in their own tables', async () => {
      const related = [top, below];
      await write('POST', '/api/leaves?status=draft', { title: 'List', slug: 'list', related });
      const { db } = Reflect.get(globalThis, 'strapi') as Strapi;
      const knex = db.connection as (table: string) => { select: (name: string) => Promise<object[]> };
      expect(await knex('leaves_related_lnk').select('inv_leaf_id')).toHaveLength(2);
    });

    it('notes what a job fails with', async () => {
      const bad = await write('POST', '/api/leaves?status=published', { title: 'Bad', slug: 'forbidden' });
      expect((await run('paths')).body).toEqual({ done: [], failed: [bad] });
      const { body } = await send('GET', '/api/jobs?filters[state]=failed', { token: 'full' });
      expect(body['data']).toMatchObject([{ related: bad, error: 'This path is taken' }]);
    });

    it('adds to what the core finds, and lets a middleware of documents populate', async () => {
      await edit(below, { parent: top });
      await run('paths');
      const path = '/api/leaves?filters[fullPath][$eq]=summit/below';
      const { body } = await send('GET', path, { token: 'full' });
      expect(body['meta']).toMatchObject({ trail: ['Top', 'Below'] });
      expect(body['data']).not.toMatchObject([{ parent: {} }]);
      const page = '&pagination[page]=1&pagination[pageSize]=1&populate[children]=true&deepen[]=parent';
      const deep = await send('GET', `${path}${page}`, { token: 'full' });
      expect(deep.body['data']).toMatchObject([{ parent: { title: 'Top', parent: null }, children: [] }]);
      const { body: all } = await send('GET', '/api/leaves', { token: 'full' });
      expect(all['meta']).not.toHaveProperty('trail');
    });

    it('notifies the front end of each version that is created, updated and deleted', async () => {
      notified.length = 0;
      const documentId = await write('POST', '/api/leaves?status=draft', { title: 'News', slug: 'news' });
      await write('PUT', `/api/leaves/${documentId}?status=draft`, { title: 'Newest' });
      await send('DELETE', `/api/leaves/${documentId}`, { token: 'full' });
      expect(notified).toEqual(
        [
          ['create', 'News'],
          ['update', 'Newest'],
          ['delete', 'Newest'],
        ].map(([event, title]) => ['Bearer secret', { event, title, isPublished: false }]),
      );
    });
  });

  describe('policies', () => {
    const key = async (path: string, json: unknown, sending: Sending = {}): Promise<Answer> =>
      send('POST', `/api/video-key${path}`, { json, ...sending });

    it('nobody is an administrator', async () => {
      expect((await key('', { video: 'Zg==' })).status).toBe(403);
      expect(await key('', { video: 'Zg==' }, { token: 'full' })).toMatchObject(DENIED);
      expect(await key('/denied', { video: 'Zg==' }, { token: 'full' })).toMatchObject(DENIED);
    });

    it('admit the callers that they accept, and the action responds', async () => {
      expect(await key('/members', { video: 'Zg==' })).toMatchObject(DENIED);
      const headers = { 'x-member': 'yes' };
      expect(await key('/members', { video: 'Zg==' }, { headers })).toMatchObject({
        status: 200,
        body: { key: 'f' },
      });
      expect(await key('/members', {}, { headers })).toMatchObject({
        status: 400,
        body: { error: { message: 'Which video?' } },
      });
      expect(await key('/members', { video: 'broken' }, { headers })).toMatchObject({
        status: 500,
        body: { error: { message: 'The key could not be made' } },
      });
    });
  });

  describe('users', () => {
    const signIn = async (query: string): Promise<Answer> => send('GET', `/api/auth/staff/callback?${query}`);

    it('sign in with the service of the company, by the code that replaces the usual', async () => {
      const first = await signIn('access_token=mona');
      expect(first).toMatchObject({ status: 200, body: { user: { email: 'mona@firm.example' } } });
      const again = await signIn('code=mona');
      expect(again.body['user']).toMatchObject({ id: (first.body['user'] as { id: number }).id });
      const me = await send('GET', '/api/users/me?populate=role', { token: first.body['jwt'] as string });
      expect(me.body).toMatchObject({ username: 'mona', provider: 'staff' });
      expect(await signIn('access_token=guest1')).toMatchObject({
        status: 400,
        body: { error: { message: 'Only for staff' } },
      });
      expect(await signIn('')).toMatchObject({
        status: 400,
        body: { error: { message: 'No access_token.' } },
      });
    });

    it('get a letter and a code where they are not confirmed', async () => {
      const strapi = Reflect.get(globalThis, 'strapi') as Strapi;
      const users = strapi.db.query('plugin::users-permissions.user');
      await users.create({ data: { username: 'new', email: 'new@firm.example', confirmed: false } });
      expect(await users.findOne({ where: { username: 'new' } })).toMatchObject({
        resetPasswordToken: expect.stringMatching(/^[\da-f]{16}$/) as string,
      });
      expect(await users.findOne({ where: { username: 'mona' } })).toMatchObject({
        resetPasswordToken: null,
      });
    });
  });

  describe('middlewares around every request', () => {
    it('set headers, count, and refuse', async () => {
      const headers = { 'user-agent': 'greedy' };
      const first = await send('GET', '/api/nothing', { headers });
      expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
      await send('GET', '/_health', { headers });
      expect(await send('GET', '/api/leaves', { headers })).toMatchObject({
        status: 429,
        body: { error: 'Too Many Requests', retryAfter: 900 },
      });
    });

    it('see requests, responses and errors', async () => {
      expect(await send('GET', '/office/users')).toMatchObject({
        status: 403,
        body: { error: 'Forbidden', details: { allowed: ['pages'] } },
      });
      await send('POST', '/api/video-key/denied', { json: {}, headers: { origin: '<script>' } });
      const log = site.log.join('\n');
      for (const text of [
        'Audit: suspicious',
        'Audit: done',
        'Audit: failed',
        'Too many requests for /api/leaves',
      ])
        expect(log).toContain(text);
    });

    it('read bodies themselves in front of strapi::body, and find their text behind it', async () => {
      const signed = await send('POST', '/api/jobs/paths/run', {
        json: { a: 1 },
        headers: { 'x-signed': 'yes' },
      });
      expect([signed.status, signed.headers.get('x-bytes'), signed.headers.get('x-unparsed')]).toEqual([
        200,
        '7',
        null,
      ]);
      const unsigned = await send('POST', '/api/jobs/paths/run', { json: { a: 1 } });
      expect([unsigned.headers.get('x-bytes'), unsigned.headers.get('x-unparsed')]).toEqual([null, '7']);
    });
  });

  it('has the configuration of its environment', () => {
    const strapi = Reflect.get(globalThis, 'strapi') as Strapi;
    expect(strapi.config.get('frontend.kind')).toBe('test');
  });

  it('tasks run when they are due', async () => {
    await vi.waitFor(() => expect(site.log.join()).toContain('A beautiful start'), { timeout: 5000 });
  });
});
