import { createConnection } from 'node:net';
import { fastify as createFastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createEventPlugin } from '../../../src/api/rest/event-plugin.js';
import type { StreamItem } from '../../../src/documents/changes/live-events.js';
import { toGalleyError } from '../../../src/server/request-errors.js';
import { databases } from '../../support/databases.js';
import { createSite } from '../support/site.js';
import type { Site } from '../support/site.js';
import { expectMessages, listen } from './event-client.js';
import type { EventClient } from './event-client.js';

const TIMEOUT_MS = 20_000;

describe.each(databases)('limits of events on $name', (database) => {
  let site: Site;
  const connect = async (): Promise<EventClient> => {
    const client = listen({ url: site.server.url, as: site.tokens['full'] });
    onTestFinished(client.close);
    await client.opened;
    return client;
  };
  const statusFrom = async (address: string): Promise<readonly [number, unknown]> => {
    const aborted = new AbortController();
    onTestFinished(() => aborted.abort());
    const response = await fetch(`${site.server.url}/api/events`, {
      headers: { authorization: `Bearer ${site.tokens['full']}`, 'x-forwarded-for': address },
      signal: aborted.signal,
    });
    if (response.ok) return [response.status, null];
    return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
  };
  const createTag = (name: string) =>
    site.server.app.documents.create({
      type: 'api::tag.tag',
      data: { name },
      selection: { fields: [], populate: [] },
    });

  beforeAll(async () => {
    site = await createSite({
      project: 'magazine',
      database,
      config: { server: { proxy: 1 }, events: { maxStreams: 3, maxStreamsPerAddress: 2 } },
    });
  });
  afterAll(() => site.close());

  it('apply to an address and to the process, and count open streams only', async () => {
    const first = await connect();
    expect((await connect()).status).toBe(200);
    const third = await connect();
    expect([third.status, third.body]).toEqual([429, expect.stringContaining('over 2 connections')]);
    expect(await statusFrom('192.0.2.1')).toEqual([200, null]);
    expect(await statusFrom('192.0.2.2')).toEqual([503, expect.stringContaining('to 3 clients')]);
    first.close();
    await expect.poll(async () => (await connect()).status, { timeout: TIMEOUT_MS }).toBe(200);
  });

  it('end streams when the server closes, without waiting, and nothing is missed', async () => {
    const { startServer } = await import('../../../src/project/serve/start-server.js');
    const other = await startServer(site.root, { overrides: { host: '127.0.0.1', port: 0 } });
    const client = listen({ url: other.url, as: site.tokens['full'] });
    await client.opened;
    const startedAt = performance.now();
    await other.close();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    await expect.poll(() => client.isEnded, { timeout: TIMEOUT_MS }).toBe(true);
    const { documentId } = await createTag(`closed ${database.name}`);
    const again = listen({
      url: site.server.url,
      as: site.tokens['full'],
      lastEventId: client.lastEventId,
    });
    onTestFinished(again.close);
    await expectMessages(again, [{ action: 'create', documentId }]);
  });

  it('disconnect a client that reads nothing, for which little is read', async () => {
    const { access, project } = site.server.app;
    let count = 0;
    const fastify = createFastify();
    onTestFinished(() => fastify.close());
    await fastify.register(
      createEventPlugin({
        access,
        model: project.model,
        prefix: '/api',
        limits: { maxStreams: 10, maxStreamsPerAddress: 10 },
        stallTimeout: 100,
        toGalleyError,
        open: async function* endless({ signal }): AsyncGenerator<StreamItem> {
          while (!signal.aborted) {
            count += 1;
            yield { kind: 'reset', id: `${count}-${'x'.repeat(1000)}` };
          }
        },
      }),
    );
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = fastify.server.address() as { readonly port: number };
    const socket = createConnection({ port, host: '127.0.0.1' });
    onTestFinished(() => void socket.destroy());
    const closed = new Promise((resolve) =>
      fastify.server.once('connection', (each) => each.once('close', resolve)),
    );
    socket.pause();
    socket.write(
      `GET /api/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${site.tokens['full']}\r\n\r\n`,
    );
    await closed;
    // The buffers of both sockets, which the system limits.
    expect(count).toBeLessThan(20_000);
  });

  it('logs nothing but rejected streams', () => {
    expect(site.log.filter((line) => !line.includes('to 3 clients'))).toEqual([]);
  });
});

describe.each(databases.filter(({ name }) => name === 'postgresql'))(
  'events behind a pooler on $name',
  (database) => {
    it('are found by polls', async () => {
      const { url, drop } = await database.create();
      const pooled = { ...database, create: async () => ({ url: `${url}?pgbouncer=true`, drop }) };
      const site = await createSite({ project: 'magazine', database: pooled });
      const client = listen({ url: site.server.url, as: site.tokens['full'] });
      await client.opened;
      const { documentId } = await site.server.app.documents.create({
        type: 'api::tag.tag',
        data: { name: 'pooled' },
        selection: { fields: [], populate: [] },
      });
      await expectMessages(client, [{ action: 'create', documentId }]);
      client.close();
      await site.close();
    });
  },
);
