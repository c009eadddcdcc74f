import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import Start from '../../src/commands/start.js';
import PermissionsSet from '../../src/commands/permissions/set.js';
import TokenCreate from '../../src/commands/token/create.js';
import TokenRevoke from '../../src/commands/token/revoke.js';
import { runBinary } from './support/binary.js';
import { createMigratedSite, createSite, SECRETS } from './support/migrated-project.js';
import { runCommand } from './support/run-command.js';
import { lives, startProcess, until } from './support/server-process.js';
import type { TempProject } from './support/temp-project.js';

/** Routes that tell which process answers, and one that takes its time. */
const ENTRY = `
export default {
  register({ fastify }) {
    fastify.get('/pid', async () => ({ pid: process.pid }));
    fastify.get('/slow', async () => { await new Promise((done) => setTimeout(done, 700)); return { done: true }; });
  },
};
`;

const createServed = async (): Promise<TempProject> => {
  const site = await createMigratedSite();
  site.write({ 'src/index.js': ENTRY });
  return site;
};

const statusOf = async (url: string, key?: string): Promise<number> => {
  const response = await fetch(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
};

const pidOf = async (url: string): Promise<number> => ((await (await fetch(`${url}/pid`, { headers: { connection: 'close' } })).json()) as { readonly pid: number }).pid;

const takePort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  onTestFinished(() => { server.close(); });
  return (server.address() as AddressInfo).port;
};

describe('cms start', () => {
  it('serves, honours changed rights within a second, and ends with 0 when told to', async () => {
    const site = await createServed();
    const server = await startProcess(['start', '--port', '0'], { cwd: site.root });
    expect(server.stdout()).toBe(`${server.url}\n`);
    expect(await statusOf(`${server.url}/_health`)).toBe(204);
    expect(await statusOf(`${server.url}/api/tags`)).toBe(403);
    await runCommand(PermissionsSet, ['public', 'tag', 'find'], { cwd: site.root });
    const { stdout } = await runCommand(TokenCreate, ['--name', 'ci', '--type', 'read-only'], { cwd: site.root });
    const changedAt = Date.now();
    await until('the public', async () => ((await statusOf(`${server.url}/api/tags`)) === 200 ? true : undefined));
    await until('the token', async () => ((await statusOf(`${server.url}/api/articles`, stdout.trim())) === 200 ? true : undefined));
    expect(Date.now() - changedAt).toBeLessThan(2000);
    await runCommand(TokenRevoke, ['ci'], { cwd: site.root });
    await until('its end', async () => ((await statusOf(`${server.url}/api/articles`, stdout.trim())) === 401 ? true : undefined));
    server.signal('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stdout()).toBe(`${server.url}\n`);
    expect(server.stderr()).not.toContain(stdout.trim());
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('lets a request in flight finish at %s', async (signal) => {
    const server = await startProcess(['start', '--port', '0'], { cwd: (await createServed()).root });
    const slow = fetch(`${server.url}/slow`);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    server.signal(signal);
    const response = await slow;
    expect({ status: response.status, body: await response.json() }).toEqual({ status: 200, body: { done: true } });
    expect(await server.ended).toBe(0);
    await expect(fetch(`${server.url}/_health`)).rejects.toThrow();
  });

  it('shares the port among workers, replaces one that dies, and ends all of them', async () => {
    const site = await createServed();
    const server = await startProcess(['start', '--port', '0', '--workers', '2', '--json'], { cwd: site.root });
    expect(JSON.parse(server.stdout())).toEqual({ url: server.url, workers: 2 });
    const pids = async (): Promise<ReadonlySet<number>> => new Set(await Promise.all(Array.from({ length: 20 }, () => pidOf(server.url))));
    const first = [...(await pids())];
    expect(first).toHaveLength(2);
    expect(first).not.toContain(server.pid);
    process.kill(first[0] ?? 0, 'SIGKILL');
    await server.seen('A worker ended by itself');
    const second = await until('its replacement', async () => {
      const found = [...(await pids())];
      return found.length === 2 && !found.includes(first[0] ?? 0) ? found : undefined;
    });
    const slow = fetch(`${server.url}/slow`);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
    server.signal('SIGTERM');
    expect((await slow).status).toBe(200);
    expect(await server.ended).toBe(0);
    expect([...first, ...second].filter(lives)).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('lets requests in flight finish where all workers hear %s themselves', async (signal) => {
    const server = await startProcess(['start', '--port', '0', '--workers', '2'], { cwd: (await createServed()).root });
    const slow = Array.from({ length: 6 }, () => fetch(`${server.url}/slow`, { headers: { connection: 'close' } }));
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    server.signalGroup(signal);
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await server.ended).toBe(0);
    expect(server.stderr()).not.toContain('another takes its place');
  });

  it('ends the workers where the first process is killed', async () => {
    const server = await startProcess(['start', '--port', '0', '--workers', '2'], { cwd: (await createServed()).root });
    const pids = [...new Set(await Promise.all(Array.from({ length: 10 }, () => pidOf(server.url))))];
    server.signal('SIGKILL');
    await until('their end', () => (pids.some(lives) ? undefined : true));
  });

  it('is production unless NODE_ENV says otherwise', async () => {
    const site = await createServed();
    site.write({ 'src/index.js': 'export default { register({ fastify, config }) { fastify.get("/environment", async () => ({ is: config.environment })); } };' });
    const server = await startProcess(['start', '--port', '0'], { cwd: site.root });
    expect(await (await fetch(`${server.url}/environment`)).json()).toEqual({ is: 'production' });
  });
});

describe('cms start refuses', () => {
  it.each([['1'], ['2']])('pending migrations, with 4 (%s workers)', async (workers) => {
    const { exitCode, stdout, stderr } = await runCommand(Start, ['--port', '0', '--workers', workers], { cwd: createSite().root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(stderr).toContain('cms migrate');
  });

  it.each([['1'], ['2']])('missing and weak secrets, naming each (%s workers)', async (workers) => {
    const site = await createMigratedSite();
    site.write({ '.env': 'API_TOKEN_SALT=changeme\n' });
    const { exitCode, stdout } = await runCommand(Start, ['--port', '0', '--workers', workers, '--json'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ error: { code: 'config/unsafe-secrets', message: 'JWT_SECRET is missing and API_TOKEN_SALT is weak.', hint: expect.stringContaining('openssl') } });
  });

  it.each([['1', 'server/port-in-use'], ['2', 'server/worker-failed']])('a port in use (%s workers)', async (workers, code) => {
    const site = await createMigratedSite();
    const port = await takePort();
    const { exitCode, stdout, stderr } = await runBinary(['start', '--port', String(port), '--workers', workers, '--json'], { cwd: site.root });
    expect({ exitCode, document: JSON.parse(stdout) as unknown }).toEqual({ exitCode: 1, document: { error: { code, message: `Port ${port} on 127.0.0.1 is in use.`, hint: expect.stringContaining('--port') } } });
    expect(stderr).not.toContain('    at ');
  });

  it.each([[['--port', '99999']], [['--workers', '0']], [['--port', 'abc']]])('%j as wrong usage', async (argv) => {
    const { exitCode, stdout } = await runCommand(Start, argv, { cwd: createSite({ '.env': SECRETS }).root });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  });

  it('a database that does not answer, without its password', async () => {
    const site = createSite({ '.env': `${SECRETS}DATABASE_URL=postgresql://cms:hunter2@127.0.0.1:1/site\n` });
    const { exitCode, stderr } = await runCommand(Start, ['--port', '0', '--workers', '2'], { cwd: site.root });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('does not answer');
    expect(stderr).not.toContain('hunter2');
  });
});
