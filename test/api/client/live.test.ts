import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createClient, ForbiddenError, NotFoundError } from '../../../src/client.js';
import { startServer } from '../../../src/project/serve/start-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { freePort } from '../../support/free-port.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

interface Named {
  readonly documentId: string;
  readonly name: string;
}

interface Schema {
  readonly collections: {
    readonly articles: {
      readonly document: { readonly documentId: string; readonly title: string; readonly tags?: Named[] };
      readonly input: { title: string; tags?: readonly string[] };
    };
    readonly tags: { readonly document: Named; readonly input: { name: string } };
  };
  readonly singleTypes: object;
  readonly file: object;
  readonly user: object;
}

describe.each(databases)('client.live on $name', (database) => {
  let site: Site;
  let requests: string[] = [];
  const clientOf = (token: string | undefined, url: string = site.server.url) =>
    createClient<Schema>({
      url,
      ...(token === undefined ? {} : { token }),
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        const path = (input as string).slice(url.length).replace(/\?.*/, '');
        requests.push(`${init?.method} ${path} ${response.status}`);
        return response;
      },
    });
  const writer = () => createClient<Schema>({ url: site.server.url, token: site.tokens['full'] ?? '' });
  const expectLatest = async <T>(results: readonly T[], result: T): Promise<void> => {
    await expect.poll(() => results.at(-1), { timeout: 20_000 }).toEqual(result);
  };

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database });
  });
  afterAll(() => site.close());

  it('passes the result, and each later one, also if a populated document changes', async () => {
    const write = writer();
    const { data: tag } = await write.tags.create({ name: `red ${database.name}` });
    const { data: article } = await write.articles.create({ title: 'one', tags: [tag.documentId] });
    const results: (readonly [string | undefined, string | undefined])[] = [];
    const end = clientOf(site.tokens['full']).live(
      (client) => client.articles.findOne(article.documentId, { populate: { tags: true } }),
      ({ data }) => void results.push([data.title, data.tags?.[0]?.name]),
    );
    onTestFinished(end);
    await expectLatest(results, ['one', `red ${database.name}`]);
    await write.articles.update(article.documentId, { title: 'two' });
    await expectLatest(results, ['two', `red ${database.name}`]);
    await write.tags.update(tag.documentId, { name: `blue ${database.name}` });
    await expectLatest(results, ['two', `blue ${database.name}`]);
    expect(results).toHaveLength(3);
    requests = [];
    // The result stays the same.
    await write.tags.create({ name: `other ${database.name}` });
    await expect
      .poll(() => requests, { timeout: 20_000 })
      .toEqual([`GET /api/articles/${article.documentId} 304`]);
    expect(results).toHaveLength(3);
    end();
    await write.articles.update(article.documentId, { title: 'three' });
    const after: unknown[] = [];
    onTestFinished(
      clientOf(site.tokens['full']).live(
        ({ articles }) => articles.findOne(article.documentId),
        ({ data }) => void after.push(data.title),
      ),
    );
    await expectLatest(after, 'three');
    expect(results).toHaveLength(3);
  });

  it('coalesces bursts, and ends by its signal', async () => {
    const write = writer();
    const aborted = new AbortController();
    const totals: number[] = [];
    const onError = (error: unknown): void => {
      throw error;
    };
    clientOf(site.tokens['full']).live(
      ({ tags }) => tags.find({ filters: { name: { $startsWith: `burst ${database.name}` } } }),
      ({ data }) => void totals.push(data.length),
      { signal: aborted.signal, onError },
    );
    await expectLatest(totals, 0);
    await write.tags.bulk(
      Array.from({ length: 20 }, (_, index) => ({
        action: 'create' as const,
        data: { name: `burst ${database.name} ${index}` },
      })),
    );
    await expectLatest(totals, 20);
    expect(totals.length).toBeLessThan(6);
    aborted.abort();
    await write.tags.create({ name: `burst ${database.name} last` });
    const later: number[] = [];
    onTestFinished(
      clientOf(site.tokens['full']).live(
        ({ tags }) => tags.find({ filters: { name: { $startsWith: `burst ${database.name}` } } }),
        ({ data }) => void later.push(data.length),
      ),
    );
    await expectLatest(later, 21);
    expect(Math.max(...totals)).toBe(20);
  });

  it('ends with an error that another attempt would not avoid', async () => {
    const failed = (token: string | undefined, path: string) =>
      new Promise((resolve) => {
        clientOf(token).live((client) => client.request('GET', path), resolve, { onError: resolve });
      });
    expect(await failed(site.tokens['full'], '/api/tags/nothing')).toBeInstanceOf(NotFoundError);
    expect(await failed(undefined, '/api/users/me')).toBeInstanceOf(ForbiddenError);
  });

  it('connects to the next server without missing a change', async () => {
    const port = await freePort();
    const start = () =>
      startServer(site.root, {
        overrides: { host: '127.0.0.1', port },
        logger: createLogger({ level: 'silent' }),
      });
    const first = await start();
    const { data: tag } = await writer().tags.create({ name: `kept ${database.name}` });
    const names: string[] = [];
    onTestFinished(
      clientOf(site.tokens['full'], first.url).live(
        ({ tags }) => tags.findOne(tag.documentId),
        ({ data }) => void names.push(data.name),
        { retryPause: 50 },
      ),
    );
    await expectLatest(names, `kept ${database.name}`);
    await first.close();
    await writer().tags.update(tag.documentId, { name: `changed ${database.name}` });
    const second = await start();
    await expectLatest(names, `changed ${database.name}`);
    expect(names).toHaveLength(2);
    await second.close();
  });
});
