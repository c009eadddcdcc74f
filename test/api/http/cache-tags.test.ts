import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unsetPermissions } from '../../../src/access/permissions/role-permissions.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { accept, openReceiver } from '../../contract/api/webhooks/receiver.js';
import type { Receiver } from '../../contract/api/webhooks/receiver.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

const CONTROL = 'public, max-age=0, s-maxage=3600, stale-while-revalidate=60';
const TAG = { role: 'public', uid: 'api::tag.tag', actions: ['find', 'findOne'] };
const ARTICLE = { role: 'public', uid: 'api::article.article', actions: ['find', 'findOne', 'findDrafts'] };

describe.each(databases)('cache tags of a server on $name', (database) => {
  let site: Site;
  let receiver: Receiver;
  let proxy: Receiver;
  let tagId: string;
  let articleId: string;

  const send = async (method: string, path: string, data?: unknown): Promise<Response> =>
    fetch(`${site.server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
    });
  const create = async (path: string, data: unknown): Promise<string> => {
    const body = (await (await send('POST', path, data)).json()) as { data: { documentId: string } };
    return body.data.documentId;
  };
  const read = (path: string): Promise<Response> =>
    fetch(`${site.server.url}${path}`, { headers: { 'content-type': 'application/json' } });
  const tagsOf = ({ headers }: Response): readonly string[] => headers.get('cache-tag')?.split(',') ?? [];
  const graphql = (query: string): Promise<Response> => read(`/graphql?query=${encodeURIComponent(query)}`);
  /** Resolves once all tags have arrived and were repeated. Repeats are sent together with later tags. */
  const receiveRepeats = async (): Promise<void> => {
    const { context, close } = await openProjectDatabase(site.project);
    const pending = `SELECT count(*) FROM "cms_webhook_deliveries" WHERE "status" = 'pending'`;
    await vi.waitFor(async () => expect(await context.database.readNumber(pending, [])).toBe(0), {
      timeout: 20_000,
      interval: 100,
    });
    await close();
  };
  const received = (): readonly string[] =>
    receiver.received.flatMap(({ json }) => json['tags'] as readonly string[]);
  /** Resolves once the tags of all earlier writes have arrived: those of a write that is made now have. */
  const settle = async (): Promise<void> => {
    const id = await create('/api/authors', { name: 'last' });
    // Among many tags, its type stands for the document.
    const expected = new RegExp(`${id}|author!`);
    await vi.waitFor(() => expect(received().join()).toMatch(expected), { timeout: 20_000 });
  };

  beforeAll(async () => {
    receiver = await openReceiver();
    proxy = await openReceiver();
    site = await createSite({
      project: 'magazine',
      database,
      permissions: {
        public: [TAG, ARTICLE].flatMap(({ uid, actions }) => actions.map((action) => `${uid}.${action}`)),
      },
      config: {
        cache: {
          tags: ['Cache-Tag', 'Surrogate-Key'],
          control: { '*': { maxAge: 0, sMaxAge: 3600, staleWhileRevalidate: 60 } },
        },
        webhooks: [
          { name: 'site', url: receiver.url, events: ['cache.purge'], secret: 'a secret of ours' },
          { name: 'proxy', url: proxy.url, events: ['cache.purge'], purge: 'varnish' },
        ],
      },
    });
    // The tag of all responses is sent after the start, and replaces others that are sent with it.
    await vi.waitUntil(() => received().includes('all'), { timeout: 20_000 });
    await receiveRepeats();
    tagId = await create('/api/tags', { name: 'one' });
    articleId = await create('/api/articles', { title: 'First', tags: [tagId] });
    await vi.waitUntil(async () => (await graphql('{ tags { name } }')).headers.has('etag'));
  });
  afterAll(async () => {
    await site.close();
    await receiver.close();
    await proxy.close();
  });

  it('are in public responses of REST, cached or not, and not in those to a credential', async () => {
    const path = `/api/articles/${articleId}?populate=tags`;
    for (const response of [await read(path), await read(path)]) {
      expect(response.headers.get('cache-control')).toBe(CONTROL);
      expect(response.headers.get('vary')).toMatch(/authorization/i);
      expect(tagsOf(response)).toEqual(
        expect.arrayContaining(['all', 'article!', `article@en:${articleId}`, `tag:${tagId}`]),
      );
      expect(response.headers.get('surrogate-key')?.split(' ')).toEqual(tagsOf(response));
    }
    const own = await send('GET', path);
    expect([own.status, own.headers.get('cache-tag'), own.headers.get('cache-control')]).toEqual([
      200,
      null,
      'private, no-cache',
    ]);
  });

  it('are in public responses of GraphQL over GET that select no ids', async () => {
    const query = `{ article(documentId: "${articleId}") { labels: tags { name } } }`;
    for (const response of [await graphql(query), await graphql(query)]) {
      expect(response.headers.get('cache-control')).toBe(CONTROL);
      expect(tagsOf(response)).toEqual(
        expect.arrayContaining([`article@en:${articleId}`, `tag:${tagId}`, 'all']),
      );
    }
    const posted = await fetch(`${site.server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    expect([posted.headers.get('cache-tag'), posted.headers.get('cache-control')]).toEqual([
      null,
      'no-store',
    ]);
  });

  it('are missing where responses depend on drafts, and errors are not stored', async () => {
    const filtered = await read('/api/articles?publicationFilter=has-published-version');
    expect([filtered.headers.get('cache-tag'), filtered.headers.get('cache-control')]).toEqual([
      null,
      'public, max-age=0',
    ]);
    const missing = await read(`/api/articles/${'x'.repeat(24)}`);
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('name types where a list has too many documents', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 100; index++) ids.push(await create('/api/tags', { name: `many ${index}` }));
    const response = await read('/api/tags?pagination[pageSize]=100&populate=articles');
    expect(tagsOf(response)).toContain('tag*');
    expect(tagsOf(response).join()).not.toContain(ids[5]);
    expect(response.headers.get('cache-tag')?.length).toBeLessThan(3800);
    await send('PUT', `/api/tags/${ids[5]}`, { name: 'changed' });
    await settle();
    expect(received()).toContain('tag*');
  });

  it('arrive at receivers after writes of published content, signed', async () => {
    receiver.received.length = 0;
    await send('PUT', `/api/tags/${tagId}`, { name: 'renamed' });
    await settle();
    expect(received()).toEqual(expect.arrayContaining([`tag:${tagId}`, 'tag.name', 'tag*']));
    const [first] = receiver.received;
    expect(first?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(first?.json).toMatchObject({ event: 'cache.purge' });
  });

  it('arrive twice, since a cache may store an older response after the first purge', async () => {
    const documentId = await create('/api/tags', { name: 'banned' });
    const purges = () =>
      proxy.received.filter(({ headers }) => String(headers['x-cache-tags']).includes(`tag:${documentId}`));
    const events = () => receiver.received.filter(({ body }) => body.includes(`tag:${documentId}`));
    await vi.waitFor(
      () => {
        expect(purges().length).toBeGreaterThan(1);
        expect(events().length).toBeGreaterThan(1);
      },
      { timeout: 20_000 },
    );
    expect(purges()[0]).toMatchObject({ method: 'PURGE', body: '' });
    const [first, second] = events();
    expect(first?.headers['webhook-id']).not.toBe(second?.headers['webhook-id']);
  });

  it('drop a response that a cache requests before a change and stores after its purge', async () => {
    const path = `/api/articles/${articleId}?fields=title`;
    const former = await read(path);
    const tags = former.headers.get('cache-tag') ?? '';
    const titles: string[] = [];
    let purges = 0;
    proxy.answer = async ({ headers }, response) => {
      if (new RegExp(String(headers['x-cache-tags'])).test(tags)) {
        // Whoever asks because of a purge gets the changed document.
        titles.push(((await (await read(path)).json()) as { data: { title: string } }).data.title);
        purges += 1;
      }
      response.end();
    };
    await send('PUT', `/api/articles/${articleId}`, { title: 'In flight' });
    await vi.waitUntil(() => purges > 0, { timeout: 20_000 });
    const storedAt = purges;
    await vi.waitUntil(() => purges > storedAt, { timeout: 20_000 });
    proxy.answer = accept;
    expect(new Set(titles)).toEqual(new Set(['In flight']));
  });

  it('are not announced by saved drafts', async () => {
    await receiveRepeats();
    receiver.received.length = 0;
    await send('PUT', `/api/articles/${articleId}?status=draft`, { title: 'Draft' });
    await settle();
    expect(received().join()).not.toContain('article');
    await send('PUT', `/api/articles/${articleId}`, { title: 'Published' });
    await settle();
    expect(received()).toContain(`article@en:${articleId}`);
  });

  it('of 1,000 documents arrive in few requests', async () => {
    await settle();
    receiver.received.length = 0;
    const items = Array.from({ length: 1000 }, (_, index) => ({
      action: 'create',
      data: { name: `bulk ${index}` },
    }));
    const response = await fetch(`${site.server.url}/api/tags/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'content-type': 'application/json' },
      body: JSON.stringify({ data: items }),
    });
    expect(response.status).toBe(200);
    await settle();
    expect(received()).toEqual(expect.arrayContaining(['tag!', 'tag*']));
    expect(receiver.received.length).toBeLessThan(10);
  });

  it('of all responses are announced once permissions change, also by another process', async () => {
    receiver.received.length = 0;
    const { context, close } = await openProjectDatabase(site.project);
    for (const rule of [TAG, ARTICLE]) await unsetPermissions(context, rule);
    await close();
    await vi.waitFor(() => expect(received()).toContain('all'), { timeout: 20_000 });
  });
});
