import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { setPermissions, unsetPermissions } from '../../../src/access/permissions/role-permissions.js';
import { revokeToken } from '../../../src/access/tokens.js';
import { openApp } from '../../../src/project/open/open-app.js';
import { openProjectDatabase } from '../../../src/project/open/open-database.js';
import { createHotSwapServer } from '../../../src/server/create-hot-swap-server.js';
import { createLogger } from '../../../src/server/logger.js';
import { databases } from '../../support/databases.js';
import { askAsIs, headerOf } from '../support/ask-as-is.js';
import type { Received, Sent } from '../support/ask-as-is.js';
import { countTagReads } from '../support/count-tag-reads.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';

/** Without what differs from one response to the next. */
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
const ID = { 'x-request-id': 'of-the-client' };

/** Code of the project whose hooks list, in a header, the steps that a request has passed. */
const WATCHING = `export const register = ({ fastify }) => {
  fastify.decorateRequest('steps', null);
  const pass = (request, step) => request.getDecorator('steps').push(step);
  fastify.addHook('onRequest', async (request) => request.setDecorator('steps', ['onRequest']));
  fastify.addHook('onRoute', (route) => {
    if (route.method !== 'GET' && route.method !== 'POST') return;
    const { handler } = route;
    route.handler = function (request, reply) {
      pass(request, 'handler');
      return handler.call(this, request, reply);
    };
    route.preHandler = [route.preHandler ?? [], async (request) => pass(request, 'preHandler')].flat();
  });
  fastify.addHook('onSend', async (request, reply, payload) => {
    pass(request, 'onSend ' + typeof payload);
    reply.header('x-steps', request.getDecorator('steps').join());
  });
};
`;

describe.each(databases)('cached responses on $name', (database) => {
  let site: Site;
  const port = (): number => Number(new URL(site.server.url).port);
  const bearer = (): { readonly authorization: string } => ({
    authorization: `Bearer ${site.tokens['full']}`,
  });
  const countReads = (): (() => number) => countTagReads(site);

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
    for (const name of [...LONG_NAMES, 'one', 'zwei €', 'three'])
      await askAsIs(port(), {
        method: 'POST',
        path: '/api/tags',
        headers: { ...bearer(), ...JSON_BODY },
        body: [JSON.stringify({ data: { name, weight: 1 } })],
      });
    // Nothing is cached until the changes of the database are followed.
    await vi.waitUntil(async () => headerOf(await askAsIs(port(), { path: '/api/tags' }), 'etag'));
  });
  afterAll(() => site.close());

  const requests = (): Readonly<Record<string, Sent>> => ({
    'a list by anybody': { path: '/api/tags?sort=name' },
    'a short list': { path: '/api/tags?filters[name]=one' },
    'a list in brotli': { path: '/api/tags?sort=name:desc', headers: { 'accept-encoding': 'gzip, br' } },
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
      headers: { ...bearer(), ...JSON_BODY, origin: ORIGIN, accept: 'application/graphql-response+json' },
    },
    'an operation by its address': {
      path: `/graphql?query=${encodeURIComponent('{ tags { name } }')}`,
      headers: { ...JSON_BODY, origin: ORIGIN },
    },
  });

  it('have the headers and bytes of computed ones', async () => {
    const count = countReads();
    for (const [name, sent] of Object.entries(requests())) {
      const known = { ...sent, headers: { ...sent.headers, ...ID } };
      const computed = await askAsIs(port(), known);
      const before = count();
      // The second one is compressed already.
      for (const cached of [await askAsIs(port(), known), await askAsIs(port(), known)]) {
        expect.soft(comparable(cached), name).toEqual(comparable(computed));
        expect.soft([cached.status, count()], name).toEqual([200, before]);
        expect.soft(cached.headers, name).toContain(ID['x-request-id']);
      }
    }
  });

  it('take one of two ways, and hooks of the project see both', async () => {
    const watched = await createSite({
      project: 'magazine',
      database,
      files: { 'src/index.js': WATCHING },
    });
    onTestFinished(watched.close);
    const reads = vi.spyOn(watched.server.app.database, 'readTexts');
    const send = async (sent: Sent): Promise<readonly [string, string | undefined]> => {
      const before = reads.mock.calls.length;
      const received = await askAsIs(Number(new URL(watched.server.url).port), sent);
      expect(received.status).toBe(200);
      const way = reads.mock.calls.length === before ? 'cached' : 'computed';
      return [way, headerOf(received, 'x-steps')];
    };
    const headers = { authorization: `Bearer ${watched.tokens['full']}`, ...JSON_BODY };
    await vi.waitUntil(async () => (await send({ path: '/api/tags', headers }))[0] === 'cached');
    const steps = 'onRequest,preHandler,handler,onSend string';
    for (const sent of [{ path: '/api/tags?sort=name' }, operation('{ tags { weight } }')]) {
      expect(await send({ ...sent, headers })).toEqual(['computed', steps]);
      const repeated = async (): Promise<unknown> => {
        const received = await send({ ...sent, headers });
        return received[0] === 'cached' ? received : null;
      };
      expect(await vi.waitUntil(repeated)).toEqual(['cached', steps]);
    }
  });

  it('are sent in the form that each client accepts', async () => {
    const path = '/api/tags?sort=name';
    const plain = await askAsIs(port(), { path });
    const compressed = await askAsIs(port(), { path, headers: { 'accept-encoding': 'br' } });
    const formOf = (received: Received): unknown =>
      ['vary', 'content-encoding', 'etag'].map((name) => headerOf(received, name));
    const etag = headerOf(plain, 'etag') ?? '';
    expect(formOf(plain)).toEqual(['Origin, accept-encoding', undefined, expect.stringMatching(/^"/)]);
    const compressedEtag = `${etag.slice(0, -1)}.br"`;
    expect(formOf(compressed)).toEqual(['Origin, accept-encoding', 'br', compressedEtag]);
    for (const known of [compressedEtag, `W/${etag}`]) {
      const unchanged = await askAsIs(port(), {
        path,
        headers: { 'accept-encoding': 'br', 'if-none-match': known },
      });
      expect([unchanged.status, headerOf(unchanged, 'etag')]).toEqual([304, known]);
    }
  });

  it('have ids of their own, and lines in the log like computed ones', async () => {
    const sent = { ...operation('{ tags { publishedAt } }'), headers: { ...bearer(), ...JSON_BODY } };
    const idOf = (received: Received): string => headerOf(received, 'x-request-id') ?? '';
    const lineOf = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
      const find = (): string | undefined => site.log.find((line) => line.includes(id));
      await vi.waitUntil(() => find() !== undefined, { timeout: 5000 });
      const { reqId, time, ms, ...rest } = JSON.parse(find() ?? '{}') as { [key: string]: unknown };
      expect([reqId, time, ms]).toEqual([id, expect.anything(), expect.any(Number)]);
      return rest;
    };
    const [computed, cached] = [await askAsIs(port(), sent), await askAsIs(port(), sent)];
    expect(idOf(cached)).toMatch(/^[\da-f-]{36}$/);
    expect(idOf(cached)).not.toBe(idOf(computed));
    expect(await lineOf(idOf(cached))).toEqual(await lineOf(idOf(computed)));
    expect(await lineOf(idOf(cached))).toMatchObject({ operation: 'query { tags }', path: '/graphql' });
  });

  it('are sent where they have waited for a change of the database', async () => {
    const app = await openApp(site.project, { logger: createLogger({ level: 'silent' }) });
    const server = createHotSwapServer();
    onTestFinished(server.close);
    await server.swap(app.fastify);
    const { port: other } = await server.listen({ host: '127.0.0.1', port: 0 });
    const sent = { ...operation('{ tags { documentId } }'), headers: { ...bearer(), ...JSON_BODY } };
    const { body } = await askAsIs(other, sent);
    await server.pause();
    const waiting = [askAsIs(other, sent), askAsIs(other, sent)];
    // They have arrived by then, with their bodies.
    await askAsIs(port(), sent);
    server.resume();
    expect((await Promise.all(waiting)).map((received) => received.body)).toEqual([body, body]);
  });

  it('are sent in order where clients do not wait for responses', async () => {
    const sent = { ...operation('{ tags { documentId } }'), headers: { ...bearer(), ...JSON_BODY } };
    const { body } = await askAsIs(port(), sent);
    const [text = ''] = sent.body ?? [];
    const heads = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const [known, other] = [text, text.replace('documentId', 'nothing')].map(
      (each) =>
        `POST /graphql HTTP/1.1\r\nhost: x\r\n${heads.join('')}content-length: ${each.length}\r\n\r\n${each}`,
    );
    const socket = connect(port(), '127.0.0.1');
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
    for (const _ of [1, 2]) expect((await askAsIs(port(), list)).status).toBe(200);
    const { context, close } = await openProjectDatabase(site.project);
    await unsetPermissions(context, { role: 'public', uid: 'api::tag.tag', actions: ['find'] });
    await site.server.app.access.refresh();
    expect((await askAsIs(port(), list)).status).toBe(403);
    const withToken = { ...list, headers: bearer() };
    for (const _ of [1, 2]) expect((await askAsIs(port(), withToken)).status).toBe(200);
    await revokeToken(context, 'full');
    await close();
    await site.server.app.access.refresh();
    expect((await askAsIs(port(), withToken)).status).toBe(401);
  });
});
