import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import TokenCreate from '../../../src/commands/token/create.js';
import { openProject } from '../../../src/project/open/open-project.js';
import { listen } from '../../api/events/event-client.js';
import type { EventClient, Message } from '../../api/events/event-client.js';
import { databases } from '../../support/databases.js';
import { migrateProjectDatabase } from '../../support/migrate-project.js';
import { createSite, SECRETS } from '../support/migrated-project.js';
import type { ProjectFiles } from '../support/temp-project.js';
import { runCommand } from '../support/run-command.js';
import { startProcess } from '../support/server-process.js';
import type { ServerProcess } from '../support/server-process.js';

const WRITERS = 6;
const DOCUMENTS = 12;
const CLIENTS = 8;
/** Documents each writer writes before a process is killed. */
const KILL_AFTER = 4;
/** The number of idle clients whose memory is measured. */
const IDLE = Number(process.env['EVENT_LISTENERS'] ?? 0);
const TIMEOUT_MS = 120_000;
const CONFIG = 'export default { events: { maxStreamsPerAddress: 5000 } };\n';
/** Names the process of each response. */
const ENTRY = `export default {
  register({ fastify }) {
    fastify.addHook('onRequest', async (_request, reply) => void reply.header('x-process', process.pid));
  },
};
`;

interface EventSite {
  readonly token: string;
  readonly start: (...argv: readonly string[]) => Promise<ServerProcess>;
}

const createEventSite = async (url: string, files: ProjectFiles = {}): Promise<EventSite> => {
  const site = createSite({ '.env': `${SECRETS}DATABASE_URL=${url}\n`, 'cms.config.js': CONFIG, ...files });
  await migrateProjectDatabase(await openProject(site.root), { label: 'start' });
  const options = { cwd: site.root };
  const { stdout } = await runCommand(TokenCreate, ['--name', 'all', '--type', 'full-access'], options);
  return {
    token: stdout.trim(),
    start: (...argv) => startProcess(['start', '--port', '0', ...argv], options),
  };
};

/** A client that reconnects to the next address, as a load balancer would send it there. */
const followThrough = (urls: readonly string[], token: string, query = '') => {
  const messages: Message[] = [];
  let isClosed = false;
  let attempts = 0;
  let current: EventClient | null = null;
  let lastEventId: string | undefined;
  const connect = (): EventClient => {
    const url = urls[attempts % urls.length] ?? '';
    const client = listen({
      url,
      as: token,
      query,
      ...(lastEventId === undefined ? {} : { lastEventId }),
      onMessage: (message) => void messages.push(message),
      onEnd: () => {
        if (client.lastEventId !== '') lastEventId = client.lastEventId;
        attempts += 1;
        if (!isClosed) setTimeout(connect, 20);
      },
    });
    current = client;
    return client;
  };
  const { opened } = connect();
  return {
    messages,
    opened,
    process: () => Number(current?.headers['x-process']),
    close: () => {
      isClosed = true;
      current?.close();
    },
  };
};

describe.each(databases)('events of two processes on $name', ({ create }) => {
  it('reach every client in order if one process is killed', { timeout: TIMEOUT_MS }, async () => {
    const { token, start } = await createEventSite((await create()).url);
    const [first, second] = [await start(), await start()];
    const send = async (server: ServerProcess, method: string, path: string, title: string) => {
      const response = await fetch(`${server.url}/api/tags${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'DELETE' ? {} : { body: JSON.stringify({ data: { title } }) }),
      });
      const text = await response.text();
      expect([method, response.status < 300 ? 'done' : text]).toEqual([method, 'done']);
      return text === '' ? '' : (JSON.parse(text) as { data: { documentId: string } }).data.documentId;
    };
    const clients = Array.from({ length: CLIENTS }, (_, index) =>
      followThrough(index % 2 === 0 ? [first.url, second.url] : [second.url, first.url], token),
    );
    onTestFinished(() => {
      for (const client of clients) client.close();
    });
    await Promise.all(clients.map(({ opened }) => opened));

    const acknowledged: string[] = [];
    let killed = 0;
    const write = async (writer: number): Promise<void> => {
      for (let index = 0; index < DOCUMENTS; index += 1) {
        if (index === KILL_AFTER) {
          killed += 1;
          if (killed === WRITERS) first.signal('SIGKILL');
        }
        // Every writer has written to the first process before the last one kills it.
        const server = index < KILL_AFTER && index % 2 === 0 ? first : second;
        const documentId = await send(server, 'POST', '', `${writer} ${index}`);
        await send(server, 'PUT', `/${documentId}`, `${writer} ${index} again`);
        await send(second, 'PUT', `/${documentId}`, `${writer} ${index} once more`);
        await send(second, 'DELETE', `/${documentId}`, '');
        acknowledged.push(documentId);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    const last = await send(second, 'POST', '', 'last');

    for (const { messages } of clients)
      await expect
        .poll(() => messages.at(-1)?.data['documentId'], { timeout: TIMEOUT_MS, interval: 20 })
        .toBe(last);
    const actionsOf = (messages: readonly Message[], documentId: string) =>
      messages.filter(({ data }) => data['documentId'] === documentId).map(({ data }) => data['action']);
    for (const { messages } of clients) {
      expect(messages.filter(({ event }) => event !== 'message')).toEqual([]);
      expect(messages).toHaveLength(4 * acknowledged.length + 1);
      for (const documentId of acknowledged)
        expect(actionsOf(messages, documentId)).toEqual(['create', 'update', 'update', 'delete']);
      const numbers = messages.map(({ id }) => parseInt(id, 10));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    expect(clients.map(({ messages }) => messages.map(({ id }) => id).join())).toEqual(
      clients.map(() => clients[0]?.messages.map(({ id }) => id).join()),
    );
  });

  it('reach every client of two workers if one is killed', { timeout: TIMEOUT_MS }, async () => {
    const { token, start } = await createEventSite((await create()).url, { 'src/index.js': ENTRY });
    const server = await start('--workers', '2');
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const isOfTags = index % 4 < 2;
      return { isOfTags, ...followThrough([server.url], token, isOfTags ? '?tag=*' : '') };
    });
    onTestFinished(() => {
      for (const client of clients) client.close();
    });
    await Promise.all(clients.map(({ opened }) => opened));
    const workers = [...new Set(clients.map((client) => client.process()))];
    expect(workers).toHaveLength(2);

    const written: string[] = [];
    const writers = new Set<number>();
    const write = async (): Promise<void> => {
      const response = await fetch(`${server.url}/api/tags`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          connection: 'close',
        },
        body: JSON.stringify({ data: { title: `tag ${written.length}` } }),
      });
      writers.add(Number(response.headers.get('x-process')));
      written.push(((await response.json()) as { data: { documentId: string } }).data.documentId);
    };
    for (let index = 0; index < DOCUMENTS; index += 1) await write();
    expect(writers).toEqual(new Set(workers));
    process.kill(workers[0] ?? 0, 'SIGKILL');
    await server.waitForText('A worker exited unexpectedly');
    for (let index = 0; index < DOCUMENTS; index += 1) await write();

    for (const { isOfTags, messages } of clients) {
      // A new server announces all responses once.
      const received = () => messages.filter(({ data }) => String(data['tags']) !== 'all');
      await expect.poll(() => received().length, { timeout: TIMEOUT_MS, interval: 20 }).toBe(written.length);
      expect(new Set(messages.map(({ event }) => event))).toEqual(new Set([isOfTags ? 'tags' : 'message']));
      const found = received().map(({ data }) =>
        isOfTags
          ? (data['tags'] as string[]).find((tag) => tag.startsWith('tag:'))?.slice('tag:'.length)
          : data['documentId'],
      );
      expect(found).toEqual(written);
    }
  });

  it.runIf(IDLE > 0)('need little memory for idle clients', { timeout: TIMEOUT_MS }, async () => {
    const { token, start } = await createEventSite((await create()).url);
    const server = await start();
    const memory = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
    const createTag = () =>
      fetch(`${server.url}/api/tags`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ data: { title: crypto.randomUUID() } }),
      });
    for (let index = 0; index < 200; index += 1) await createTag();
    const before = memory();
    const clients = Array.from({ length: IDLE }, () => listen({ url: server.url, as: token }));
    onTestFinished(() => {
      for (const client of clients) client.close();
    });
    await Promise.all(clients.map(({ opened }) => opened));
    expect(new Set(clients.map(({ status }) => status))).toEqual(new Set([200]));
    const idle = memory();
    const startedAt = performance.now();
    const response = await createTag();
    const writtenAt = performance.now();
    expect(response.status).toBe(201);
    await expect
      .poll(() => clients.every(({ messages }) => messages.length === 1), {
        timeout: TIMEOUT_MS,
        interval: 5,
      })
      .toBe(true);
    const reachedAt = performance.now();
    const figures = {
      before,
      idle,
      after: memory(),
      write: writtenAt - startedAt,
      all: reachedAt - writtenAt,
    };
    process.stdout.write(`${IDLE} clients: ${JSON.stringify(figures)}\n`);
    expect(idle - before).toBeLessThan(100 * (IDLE / 1000));
    expect(reachedAt - writtenAt).toBeLessThan(1000);
  });
});
