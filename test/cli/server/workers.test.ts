import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { isAlive, startProcess, waitFor } from '../support/server-process.js';
import { createSiteWithRoutes, statusOf, waitForSlowRequests } from '../support/site-with-routes.js';

/** Has the primary process read late what its workers tell it, as a busy one does. */
const BUSY_PRIMARY = `
require('node:cluster').on('fork', ({ process: worker }) => {
  const emit = worker.emit.bind(worker);
  worker.emit = (name, ...values) => {
    if (!/message$/i.test(name)) return emit(name, ...values);
    setTimeout(emit, 200, name, ...values);
    return true;
  };
});
`;

/** How long a request may take before it counts as one that nobody answers. */
const MAX_WAIT_MS = 20_000;

const pidOf = async (url: string): Promise<number> =>
  (
    (await (
      await fetch(`${url}/pid`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(MAX_WAIT_MS),
      })
    ).json()) as { readonly pid: number }
  ).pid;

/** The processes that answer. One of two may be busy starting while the other answers twenty requests. */
const pidsOfBoth = (url: string, gone?: number): Promise<readonly number[]> =>
  waitFor('both workers', async () => {
    const found = new Set(await Promise.all(Array.from({ length: 20 }, () => pidOf(url))));
    return found.size === 2 && (gone === undefined || !found.has(gone)) ? [...found] : undefined;
  });

/** Between the requests of one client. */
const REQUEST_INTERVAL_MS = 5;

describe('the workers of cms start', () => {
  it('shares the port among workers, replaces one that dies, and ends all of them', async () => {
    const site = await createSiteWithRoutes();
    const server = await startProcess(['start', '--port', '0', '--workers', '2', '--json'], {
      cwd: site.root,
    });
    expect(JSON.parse(server.stdout())).toEqual({ url: server.url, workers: 2 });
    const first = await pidsOfBoth(server.url);
    expect(first).not.toContain(server.pid);
    process.kill(first[0] ?? 0, 'SIGKILL');
    await server.waitForText('A worker exited unexpectedly');
    const second = await pidsOfBoth(server.url, first[0]);
    const slow = fetch(`${server.url}/slow`);
    await waitForSlowRequests(site, 1);
    server.signal('SIGTERM');
    expect((await slow).status).toBe(200);
    expect(await server.ended).toBe(0);
    expect([...first, ...second].filter(isAlive)).toEqual([]);
  });

  it('replaces its workers on SIGHUP, one after the other, and no request fails', async () => {
    const site = await createSiteWithRoutes();
    const server = await startProcess(['start', '--port', '0', '--workers', '2'], { cwd: site.root });
    let isOver = false;
    const seen = new Set<number>();
    const failures: unknown[] = [];
    /**
     * Asks again and again, on connections of its own or on those that are kept. The pauses leave the
     * processors to the workers that start.
     */
    const ask = async (headers: Readonly<Record<string, string>>): Promise<void> => {
      while (!isOver) {
        await fetch(`${server.url}/pid`, { headers })
          .then(async (response) => seen.add(((await response.json()) as { readonly pid: number }).pid))
          .catch((error: unknown) => failures.push(error));
        await pause(REQUEST_INTERVAL_MS);
      }
    };
    const clients = [ask({}), ask({}), ask({}), ask({ connection: 'close' })];
    const before = new Set(await pidsOfBoth(server.url));
    const slow = statusOf(`${server.url}/slow`).catch((error: unknown) => error);
    await waitForSlowRequests(site, 1);
    server.signal('SIGHUP');
    await server.waitForText('All workers are replaced.');
    expect([...before].filter(isAlive)).toEqual([]);
    const after = await waitFor('requests to both new workers', () => {
      const found = [...seen].filter((pid) => !before.has(pid));
      return found.length === 2 ? found : undefined;
    });
    isOver = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
    expect(await slow).toBe(200);
    site.write({ 'cms.config.ts': 'export default { server: { nonsense: true } };' });
    server.signal('SIGHUP');
    await server.waitForText('A worker could not be replaced');
    expect(after.filter(isAlive)).toEqual(after);
    expect(after).toContain(await pidOf(server.url));
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  it('serves requests whose connections were passed on to a worker that no longer listens', async () => {
    const site = await createSiteWithRoutes();
    site.write({ 'busy-primary.cjs': BUSY_PRIMARY });
    const server = await startProcess(['start', '--port', '0', '--workers', '2'], {
      cwd: site.root,
      env: { NODE_OPTIONS: '--require ./busy-primary.cjs' },
    });
    await pidsOfBoth(server.url);
    let isOver = false;
    const failures: unknown[] = [];
    const ask = async (): Promise<void> => {
      while (!isOver) {
        await pidOf(server.url).catch((error: unknown) => failures.push(error));
        await pause(REQUEST_INTERVAL_MS);
      }
    };
    const clients = Array.from({ length: 4 }, ask);
    server.signal('SIGHUP');
    await server.waitForText('All workers are replaced.');
    isOver = true;
    await Promise.all(clients);
    expect(failures).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets requests in flight finish where all workers hear %s themselves',
    async (signal) => {
      const site = await createSiteWithRoutes();
      const server = await startProcess(['start', '--port', '0', '--workers', '2'], { cwd: site.root });
      const slow = Array.from({ length: 6 }, () =>
        fetch(`${server.url}/slow`, { headers: { connection: 'close' } }),
      );
      await waitForSlowRequests(site, 6);
      server.signalGroup(signal);
      expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      expect(await server.ended).toBe(0);
      expect(server.stderr()).not.toContain('exited unexpectedly');
    },
  );

  it('ends the workers where the first process is killed', async () => {
    const server = await startProcess(['start', '--port', '0', '--workers', '2'], {
      cwd: (await createSiteWithRoutes()).root,
    });
    const pids = await pidsOfBoth(server.url);
    server.signal('SIGKILL');
    await waitFor('their end', () => (pids.some(isAlive) ? undefined : true));
  });
});
