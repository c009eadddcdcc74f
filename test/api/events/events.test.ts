import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../../src/project/serve/start-server.js';
import type { RunningServer } from '../../../src/project/serve/start-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { expectMessages, listen } from './event-client.js';
import type { EventClient, EventClientOptions } from './event-client.js';

const ARTICLE = 'api::article.article';
const TAG = 'api::tag.tag';

describe.each(databases)('GET /api/events of two servers on $name', (database) => {
  let site: Site;
  let other: RunningServer;
  const open: EventClient[] = [];
  const connect = async (
    options: Partial<EventClientOptions> = {},
    server: RunningServer = site.server,
  ): Promise<EventClient> => {
    const client = listen({ url: server.url, as: site.tokens['full'], ...options });
    open.push(client);
    await client.opened;
    return client;
  };
  const ask = async (
    method: string,
    path: string,
    data?: unknown,
    server: RunningServer = other,
  ): Promise<string> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
    const text = await response.text();
    expect([method, path, response.status < 300 ? 'done' : text]).toEqual([method, path, 'done']);
    return text === '' ? '' : (JSON.parse(text) as { data: { documentId: string } }).data.documentId;
  };
  let made = 0;
  const createTag = (server?: RunningServer): Promise<string> =>
    ask('POST', '/tags', { name: `tag ${(made += 1)}` }, server);

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
    other = await startServer(site.root, {
      overrides: { host: '127.0.0.1', port: 0 },
      logger: createLogger({ level: 'silent' }),
    });
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.close();
  });
  afterAll(async () => {
    await other.close();
    await site.close();
  });

  it('sends the writes of both servers with ids, and no content', async () => {
    const client = await connect();
    expect(client.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(client.headers['content-encoding']).toBeUndefined();
    expect(client.lastEventId).toMatch(/^\d+-[0-9a-z]+$/);
    const near = await createTag(site.server);
    const far = await createTag();
    await ask('PUT', `/tags/${near}`, { name: 'renamed' });
    await ask('DELETE', `/tags/${far}`);
    await expectMessages(client, [
      { action: 'create', type: TAG, documentId: near, locale: null, status: 'published' },
      { action: 'create', type: TAG, documentId: far },
      { action: 'update', type: TAG, documentId: near },
      { action: 'delete', type: TAG, documentId: far, locale: null, status: null },
    ]);
    const keys = ['id', 'action', 'type', 'documentId', 'locale', 'status', 'time'];
    expect(client.messages.map(({ data }) => Object.keys(data))).toEqual(client.messages.map(() => keys));
    expect(client.messages.map(({ id, data }) => data['id'] === id)).toEqual([true, true, true, true]);
  });

  it('sends the selected events', async () => {
    const id = await ask('POST', '/articles?status=draft', { title: 'one' });
    const [drafts, published, french, one, tags] = await Promise.all([
      connect({ query: '?type=article&status=draft' }),
      connect({ query: `?type=${ARTICLE}&status=published` }),
      connect({ query: '?type=articles&locale=fr' }),
      connect({ query: `?documentId=${id}` }),
      connect({ query: '?type=tag&type=author' }),
    ]);
    await ask('PUT', `/articles/${id}?status=draft`, { title: 'two' });
    await ask('PUT', `/articles/${id}`, { title: 'three' });
    await ask('PUT', `/articles/${id}?locale=fr`, { title: 'quatre' });
    const tag = await createTag();
    await ask('DELETE', `/articles/${id}?locale=fr`);
    await ask('DELETE', `/articles/${id}`);
    const of = (action: string, locale: string, status: string | null) => ({ action, locale, status });
    await expectMessages(drafts, [
      of('update', 'en', 'draft'),
      of('update', 'en', 'draft'),
      of('update', 'fr', 'draft'),
      of('delete', 'fr', null),
      of('delete', 'en', null),
    ]);
    await expectMessages(published, [
      of('update', 'en', 'published'),
      of('update', 'fr', 'published'),
      of('delete', 'fr', null),
      of('delete', 'en', null),
    ]);
    await expectMessages(french, [of('update', 'fr', 'published'), of('delete', 'fr', null)]);
    await expectMessages(one, [
      of('update', 'en', 'draft'),
      of('update', 'en', 'published'),
      of('update', 'fr', 'published'),
      of('delete', 'fr', null),
      of('delete', 'en', null),
    ]);
    await expectMessages(tags, [{ action: 'create', type: TAG, documentId: tag }]);
  });

  it('continues after the last event, on either server and by header or parameter', async () => {
    const first = await connect({ query: '?type=tag' });
    const seen = await createTag();
    await expectMessages(first, [{ documentId: seen }]);
    first.close();
    const missed = [await createTag(), await createTag(site.server)];
    const again = await connect({ query: '?type=tag', lastEventId: first.lastEventId }, other);
    await expectMessages(
      again,
      missed.map((documentId) => ({ documentId })),
    );
    const byParameter = await connect({ query: `?type=tag&lastEventId=${first.lastEventId}` });
    await expectMessages(
      byParameter,
      missed.map((documentId) => ({ documentId })),
    );
    const later = await createTag();
    await expectMessages(
      again,
      [...missed, later].map((documentId) => ({ documentId })),
    );
  });

  it('begins with a reset after an id that it does not know', async () => {
    const first = await connect();
    const [id = ''] = first.lastEventId.split('-');
    const unknown = ['nonsense', '0-0', `${id}-1`, `${Number(id) + 1000}-lx2m3k4`];
    for (const lastEventId of unknown) {
      const client = await connect({ lastEventId });
      const documentId = await createTag();
      await expectMessages(client, [{ event: 'reset' }, { documentId }]);
      expect(client.messages[0]?.id).toMatch(/^\d+-[0-9a-z]+$/);
    }
  });

  it('rejects invalid requests', async () => {
    const statuses = await Promise.all(
      [
        '?type=artcile',
        '?type[a]=tag',
        '?locale=xx',
        '?status=new',
        '?documentId[]=a',
        '?lastEventId[]=a',
        '?tpye=tag',
      ].map(async (query) => {
        const { status, body } = await connect({ query });
        return [query, status, body.includes('"error"')];
      }),
    );
    expect(statuses).toEqual(statuses.map(([query]) => [query, 400, true]));
    expect((await connect({ query: '?type=artcile' })).body).toContain('Did you mean article?');
    expect((await connect({ as: 'wrong' })).status).toBe(401);
    const head = await fetch(`${site.server.url}/api/events`, { method: 'HEAD' });
    expect(head.status).toBe(404);
    expect((await fetch(`${site.server.url}/api/events`, { method: 'POST' })).status).toBe(405);
  });

  it('records nothing in transactions that are rolled back', async () => {
    const client = await connect({ query: '?type=tag' });
    await fetch(`${site.server.url}/api/tags/bulk?atomic=true`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        data: [
          { action: 'create', data: { name: `tag ${(made += 1)}` } },
          { action: 'create', data: { nome: 'invalid' } },
        ],
      }),
    });
    const documentId = await createTag();
    await expectMessages(client, [{ documentId }]);
  });

  it('logs nothing', () => {
    expect(site.log).toEqual([]);
  });
});
