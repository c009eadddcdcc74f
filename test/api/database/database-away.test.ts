import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

/** A way to a database that can be cut. */
const createCutDatabase = (database: TestDatabaseKind) => {
  let cut = async (): Promise<void> => undefined;
  const create = async (): Promise<Awaited<ReturnType<TestDatabaseKind['create']>>> => {
    const created = await database.create();
    const target = new URL(created.url);
    const host = decodeURIComponent(target.hostname);
    const port = Number(target.port || 5432);
    const sockets = new Set<Socket>();
    const proxy = createServer((incoming) => {
      const outgoing = host.startsWith('/')
        ? connect({ path: `${host}/.s.PGSQL.${port}` })
        : connect({ host, port });
      for (const [from, to] of [
        [incoming, outgoing],
        [outgoing, incoming],
      ] as const) {
        sockets.add(from);
        from.on('error', () => to.destroy());
        from.on('close', () => to.destroy());
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    cut = async () => {
      const closed = new Promise((resolve) => proxy.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    };
    target.hostname = '127.0.0.1';
    target.port = String((proxy.address() as AddressInfo).port);
    return { ...created, url: target.href };
  };
  return { kind: { ...database, create }, cut: () => cut() };
};

const kinds = databases.filter(({ name }) => name === 'postgresql');

describe.skipIf(kinds.length === 0).each(kinds)('while $name is away', (kind) => {
  let site: Site;
  const way = createCutDatabase(kind);

  beforeAll(async () => {
    site = await createSite({ project: 'magazine', database: way.kind });
    // Opens what connections there are.
    await fetch(`${site.server.url}/api/tags`, { headers: headers() });
    await way.cut();
  });
  afterAll(() => site.close());

  const headers = () => ({ authorization: `Bearer ${site.tokens['full'] ?? ''}` });
  const json = (body: object) => ({
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const form = (): FormData => {
    const data = new FormData();
    data.set('files', new Blob(['a']), 'a.txt');
    return data;
  };

  it.each([
    ['a list', '/api/tags?sort=name', () => ({ headers: headers() })],
    ['a document', '/api/tags/none?populate=*', () => ({ headers: headers() })],
    ['files', '/api/upload/files', () => ({ headers: headers() })],
    ['a write', '/api/tags', () => json({ data: { name: 'x' } })],
    ['a bulk', '/api/tags/bulk', () => json({ data: [{ action: 'create', data: { name: 'x' } }] })],
    ['an upload', '/api/upload', () => ({ method: 'POST', headers: headers(), body: form() })],
    ['signing in', '/api/auth/local', () => json({ identifier: 'ann', password: 'correct horse' })],
    ['a query', '/graphql', () => json({ query: '{ tags { name } }' })],
    ['a mutation', '/graphql', () => json({ query: 'mutation { createTag(data: { name: "x" }) { name } }' })],
    ['figures', '/graphql', () => json({ query: '{ tags_connection { pageInfo { total } } }' })],
  ] as const)('%s is answered with 503 and Retry-After', async (_name, path, request) => {
    const response = await fetch(site.server.url + path, request());
    const text = await response.text();
    expect([response.status, text]).toEqual([503, expect.stringContaining('try again') as string]);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(text).not.toContain('ECONNREFUSED');
  });

  it('the log says so once a second, without stacks', async () => {
    const before = site.log.length;
    const startedAt = Date.now();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        fetch(`${site.server.url}/api/tags?sort=name&pagination[start]=${index}`, { headers: headers() }),
      ),
    );
    const seconds = Math.ceil((Date.now() - startedAt) / 1000) + 1;
    const lines = site.log.slice(before).filter((line) => line.includes('server/no-database'));
    expect(lines.length).toBeLessThanOrEqual(seconds);
    expect(site.log.filter((line) => line.includes('"stack"'))).toEqual([]);
  });
});
