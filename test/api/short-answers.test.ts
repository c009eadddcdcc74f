import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { setPermissions } from '../../src/access/permissions/set-permissions.js';
import { unsetPermissions } from '../../src/access/permissions/unset-permissions.js';
import { revokeToken } from '../../src/access/tokens/revoke-token.js';
import { openApp } from '../../src/app/open-app.js';
import { openProjectDatabase } from '../../src/app/open-project-database.js';
import { createHotSwapServer } from '../../src/server/create-hot-swap-server.js';
import { createLogger } from '../../src/server/logger.js';
import { databases } from '../support/databases.js';
import { askAsIs, headerOf } from './support/ask-as-is.js';
import type { Received, Sent } from './support/ask-as-is.js';
import { createSite } from './support/site.js';
import type { Site } from './support/site.js';

/** Without what differs from one answer to the next. */
const comparable = ({ status, headers, body }: Received): unknown => ({
  status,
  body,
  headers: headers.filter((_, index) => !/^(date|keep-alive)$/i.test(headers[index - (index % 2)] ?? '')),
});

const JSON_BODY = { 'content-type': 'application/json' };

const operation = (query: string): Pick<Sent, 'method' | 'path' | 'body'> => ({
  method: 'POST',
  path: '/graphql',
  body: [JSON.stringify({ query })],
});

const ORIGIN = 'https://site.example';
/** Lists of them are worth compressing. */
const LONG_NAMES = Array.from({ length: 6 }, (_, index) => `${'a long name '.repeat(8)}${index}`);
const RENAMED = JSON.stringify({ data: { name: 'renamed' } });
const ID = { 'x-request-id': 'of-the-client' };

describe.each(databases)('requests that were answered from memory, on $name', (database) => {
  let site: Site;
  /** The same application with nothing in front of it. */
  let bare: Server;
  /** The last one made. */
  let tagId: string;
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;
  const shortPort = (): number => Number(new URL(site.server.url).port);
  const bearer = (): { readonly authorization: string } => ({
    authorization: `Bearer ${site.tokens['full']}`,
  });

  /** Counts the requests that go their whole way meanwhile. */
  const countWhole = (fastify = site.server.app.fastify): (() => number) => {
    const spy = vi.spyOn(fastify, 'routing');
    onTestFinished(() => spy.mockRestore());
    return () => spy.mock.calls.length;
  };
  /** Asks until the answer is remembered, and how it is sent is known. */
  const learn = async (sent: Sent, port = shortPort(), count = countWhole()): Promise<Received> => {
    let received: Received = { status: 0, headers: [], body: '' };
    await vi.waitUntil(
      async () => {
        const before = count();
        received = await askAsIs(port, sent);
        return count() === before;
      },
      { timeout: 5000 },
    );
    return received;
  };

  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      logLevel: 'info',
      config: { server: { cors: { origin: [ORIGIN], credentials: true } } },
    });
    const { context, close } = await openProjectDatabase(site.project);
    await setPermissions(context, { role: 'public', uid: 'api::tag.tag', actions: ['find'] });
    await close();
    await site.server.app.access.refresh();
    for (const name of [...LONG_NAMES, 'one', 'zwei €', 'three']) {
      const made = await askAsIs(shortPort(), {
        method: 'POST',
        path: '/api/tags',
        headers: { ...bearer(), ...JSON_BODY },
        body: [JSON.stringify({ data: { name, weight: 1 } })],
      });
      tagId = (JSON.parse(made.body) as { readonly data: { readonly documentId: string } }).data.documentId;
    }
    const { fastify } = site.server.app;
    bare = createServer((request, response) => fastify.routing(request, response));
    await new Promise<void>((resolve) => {
      bare.listen(0, resolve);
    });
  });
  afterAll(async () => {
    bare.closeAllConnections();
    bare.close();
    await site.close();
  });

  const requests = (): Readonly<Record<string, Sent>> => ({
    'a list by anybody': { path: '/api/tags?sort=name' },
    'a short list': { path: '/api/tags?filters[name]=one' },
    'a list in brotli': { path: '/api/tags?sort=name', headers: { 'accept-encoding': 'gzip, br' } },
    'a list with a token': { path: '/api/tags', headers: bearer() },
    'a list for an allowed origin': { path: '/api/tags', headers: { ...bearer(), origin: ORIGIN } },
    'a list for another origin': {
      path: '/api/tags',
      headers: { ...bearer(), origin: 'https://other.example' },
    },
    'an operation': { ...operation('{ tags { name weight } }'), headers: { ...bearer(), ...JSON_BODY } },
    'an operation in gzip': {
      ...operation('{ tags { name weight } }'),
      headers: { ...bearer(), ...JSON_BODY, 'accept-encoding': 'gzip' },
    },
    'an operation in another type': {
      ...operation('{ tags { name } }'),
      headers: {
        ...bearer(),
        ...JSON_BODY,
        origin: ORIGIN,
        accept: 'application/graphql-response+json',
      },
    },
    'an operation by its address': {
      path: `/graphql?query=${encodeURIComponent('{ tags { name } }')}`,
      headers: { ...JSON_BODY, origin: ORIGIN },
    },
  });

  it('are answered with the headers and bytes that Fastify sends', async () => {
    for (const [name, sent] of Object.entries(requests())) {
      const known = { ...sent, headers: { ...sent.headers, ...ID } };
      const short = await learn(known);
      expect.soft(comparable(short), name).toEqual(comparable(await askAsIs(portOf(bare), known)));
      expect.soft(short.status, name).toBe(200);
      expect.soft(short.headers, name).toContain(ID['x-request-id']);
    }
  });

  it('are sent in the form that each client accepts', async () => {
    const path = '/api/tags?sort=name';
    const plain = await learn({ path });
    const count = countWhole();
    const compressed = await askAsIs(shortPort(), { path, headers: { 'accept-encoding': 'br' } });
    const formOf = (received: Received): unknown =>
      ['vary', 'content-encoding', 'etag'].map((name) => headerOf(received, name));
    const etag = headerOf(plain, 'etag') ?? '';
    expect(formOf(plain)).toEqual(['Origin, Accept-Encoding', undefined, expect.stringMatching(/^"/)]);
    expect(formOf(compressed)).toEqual(['Origin, Accept-Encoding', 'br', `W/${etag}`]);
    expect(Number(headerOf(compressed, 'content-length'))).toBeLessThan(
      Number(headerOf(plain, 'content-length')),
    );
    const unchanged = await askAsIs(shortPort(), {
      path,
      headers: { 'accept-encoding': 'br', 'if-none-match': `W/${etag}` },
    });
    expect([unchanged.status, headerOf(unchanged, 'etag')]).toEqual([304, `W/${etag}`]);
    expect(count()).toBe(1);
  });

  it('are answered likewise where nothing is remembered', async () => {
    const { project } = site;
    const { api } = project.config;
    const memory = { ...api.memory, megabytes: 0 };
    const app = await openApp(
      { ...project, config: { ...project.config, api: { ...api, memory } } },
      { logger: createLogger({ level: 'silent' }) },
    );
    const server = createHotSwapServer();
    onTestFinished(server.close);
    await server.swap(app.fastify);
    const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
    const count = countWhole(app.fastify);
    for (const [name, sent] of Object.entries(requests())) {
      const known = { ...sent, headers: { ...sent.headers, ...ID } };
      const whole = await askAsIs(port, known);
      const short = await learn(known, port, count);
      expect.soft(comparable(short), name).toEqual(comparable(whole));
      expect.soft(short.headers, name).not.toContain('etag');
    }
    const one = { path: `/api/tags/${tagId}`, headers: bearer() };
    expect((await learn(one, port, count)).status).toBe(200);
    await askAsIs(port, { method: 'PUT', ...one, headers: { ...bearer(), ...JSON_BODY }, body: [RENAMED] });
    const before = count();
    expect((await askAsIs(port, one)).body).toContain('renamed');
    expect(count()).toBe(before);
    await askAsIs(port, { ...one, method: 'DELETE' });
    expect((await askAsIs(port, one)).status).toBe(404);
  });

  it('have ids of their own, and lines in the log like others', async () => {
    const sent = requests()['an operation'] ?? { path: '' };
    const idOf = (received: Received): string => headerOf(received, 'x-request-id') ?? '';
    const lineOf = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
      const find = (): string | undefined => site.log.find((line) => line.includes(id));
      await vi.waitUntil(() => find() !== undefined, { timeout: 5000 });
      const {
        reqId: _reqId,
        time: _time,
        ms,
        ...rest
      } = JSON.parse(find() ?? '{}') as { [key: string]: unknown };
      expect(ms).toEqual(expect.any(Number));
      return rest;
    };
    const [first, second] = [await learn(sent), await learn(sent)];
    expect(idOf(first)).toMatch(/^[\da-f-]{36}$/);
    expect(idOf(second)).not.toBe(idOf(first));
    const forged = await learn({ ...sent, headers: { ...sent.headers, 'x-request-id': 'not valid' } });
    expect(idOf(forged)).toMatch(/^[\da-f-]{36}$/);
    const whole = await askAsIs(portOf(bare), sent);
    expect(await lineOf(idOf(first))).toEqual(await lineOf(idOf(whole)));
    expect(await lineOf(idOf(first))).toMatchObject({ operation: 'query { tags }', path: '/graphql' });
  });

  it('go their whole way where anything differs that may decide about the answer', async () => {
    const list = { path: '/api/tags', headers: bearer() };
    const etag = (await learn(list)).headers.find((value) => value.startsWith('"')) ?? '';
    const count = countWhole();
    const before = count();
    const others: readonly Sent[] = [
      { ...list, headers: { ...bearer(), 'if-none-match': etag } },
      { ...list, method: 'HEAD' },
      { ...list, path: '/api/tags/' },
      { ...list, headers: { authorization: 'Bearer unknown' } },
      { ...list, headers: { ...bearer(), origin: 'null' } },
      { ...operation('{ tags { weight } }'), headers: { ...bearer(), ...JSON_BODY } },
    ];
    const statuses: (number | undefined)[] = [];
    for (const sent of others) statuses.push((await askAsIs(shortPort(), sent)).status);
    expect(statuses).toEqual([304, 200, 200, 401, 200, 200]);
    expect(count() - before).toBe(others.length);
  });

  it('are answered alike where bodies come in parts, or are no JSON', async () => {
    const sent = { ...operation('{ tags { documentId } }'), headers: { ...bearer(), ...JSON_BODY } };
    const short = await learn(sent);
    const [text = ''] = sent.body ?? [];
    const inParts = await askAsIs(shortPort(), { ...sent, body: [text.slice(0, 5), text.slice(5)] });
    expect([inParts.status, inParts.body]).toEqual([200, short.body]);
    const broken = { ...sent, body: [text.slice(0, -1)] };
    expect(
      comparable(await askAsIs(shortPort(), { ...broken, headers: { ...sent.headers, ...ID } })),
    ).toEqual(comparable(await askAsIs(portOf(bare), { ...broken, headers: { ...sent.headers, ...ID } })));
  });

  it('are answered where they have waited for a change of the database', async () => {
    const { project } = site;
    const app = await openApp(project, { logger: createLogger({ level: 'silent' }) });
    const server = createHotSwapServer();
    onTestFinished(server.close);
    await server.swap(app.fastify);
    const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
    const sent = { ...operation('{ tags { documentId } }'), headers: { ...bearer(), ...JSON_BODY } };
    const { body } = await learn(sent, port, countWhole(app.fastify));
    await server.pause();
    const waiting = [askAsIs(port, sent), askAsIs(port, sent)];
    // They have arrived by then, with their bodies.
    await askAsIs(shortPort(), sent);
    server.resume();
    expect((await Promise.all(waiting)).map((received) => received.body)).toEqual([body, body]);
  });

  it('are answered one after the other where clients do not wait for answers', async () => {
    const sent = { ...operation('{ tags { documentId } }'), headers: { ...bearer(), ...JSON_BODY } };
    const { body } = await learn(sent);
    const [text = ''] = sent.body ?? [];
    const heads = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const [known, other] = [text, text.replace('documentId', 'nothing')].map(
      (each) =>
        `POST /graphql HTTP/1.1\r\nhost: x\r\n${heads.join('')}content-length: ${each.length}\r\n\r\n${each}`,
    );
    const socket = connect(shortPort(), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write([known, other, known].join(''));
    let received = '';
    for await (const part of socket) {
      received += String(part);
      if (received.split('HTTP/1.1 ').length === 4 && received.endsWith(body)) break;
    }
    expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 200']);
  });

  it('are refused once their rights are taken away', async () => {
    const list = { path: '/api/tags?sort=weight' };
    expect((await learn(list)).status).toBe(200);
    const { context, close } = await openProjectDatabase(site.project);
    await unsetPermissions(context, { role: 'public', uid: 'api::tag.tag', actions: ['find'] });
    await site.server.app.access.refresh();
    expect((await askAsIs(shortPort(), list)).status).toBe(403);
    const withToken = { ...list, headers: bearer() };
    expect((await learn(withToken)).status).toBe(200);
    await revokeToken(context, 'full');
    await close();
    await site.server.app.access.refresh();
    expect((await askAsIs(shortPort(), withToken)).status).toBe(401);
  });
});
