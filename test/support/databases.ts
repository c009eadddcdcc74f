import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { DialectName } from '../../src/database/dialect/dialect.js';
import { getOrCreate } from '../../src/lib/collections.js';
import { isSelected } from './selected-dialects.js';

export interface TestDatabase {
  /** `file:/…/data.db` or `postgresql://…` */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export interface TestDatabaseKind {
  readonly name: DialectName;
  /** Creates an empty database. It is dropped at the latest when the test file ends. */
  readonly create: () => Promise<TestDatabase>;
}

const openDatabases = new Set<TestDatabase>();

/** Drops a database when the test file ends, unless the test has dropped it. */
const trackDatabase = ({ url, drop }: TestDatabase): TestDatabase => {
  const database: TestDatabase = {
    url,
    drop: async () => {
      if (openDatabases.delete(database)) await drop();
    },
  };
  openDatabases.add(database);
  return database;
};

/** Creates a database: an empty one, or a copy of another one. */
type CreateDatabase = (source?: string) => Promise<TestDatabase>;

const createSqlite: CreateDatabase = async (source) => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-sqlite-'));
  const file = join(folder, 'data.db');
  if (source !== undefined) await copyFile(source.slice('file:'.length), file);
  return { url: `file:${file}`, drop: () => rm(folder, { recursive: true, force: true }) };
};

const pools = new Map<string, pg.Pool>();

const openPool = (server: string): pg.Pool => {
  const pool = new pg.Pool({ connectionString: `${server}/postgres`, allowExitOnIdle: true });
  // The server may stop before an idle connection is closed.
  pool.on('error', () => undefined);
  return pool;
};

/** Runs one statement on the server of this run. Connections are kept, since opening one takes long. */
const runOnServer = async (server: string, sql: string): Promise<void> => {
  await getOrCreate(pools, server, () => openPool(server)).query(sql);
};

const createPostgres: CreateDatabase = async (source) => {
  const server = inject('postgresServer');
  if (server === null || server === undefined)
    throw new Error(
      'No PostgreSQL was started for this run: is test/support/postgres.ts the globalSetup of this project?',
    );
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = source === undefined ? '' : `TEMPLATE ${source.slice(source.lastIndexOf('/') + 1)}`;
  // The files of the template are copied. That takes a third of the time of writing every page to the log.
  await runOnServer(server, `CREATE DATABASE ${name} ${template} STRATEGY file_copy`);
  return {
    url: `${server}/${name}`,
    drop: () => runOnServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
};

const CREATE: Readonly<Record<DialectName, CreateDatabase>> = {
  sqlite: createSqlite,
  postgresql: createPostgres,
};

/** Creates a database that outlives the test file, for copies of it. */
export const createSharedDatabase = (name: DialectName): Promise<TestDatabase> => CREATE[name]();

/** Copies a database that nobody has open. */
export const copyDatabase = async (name: DialectName, url: string): Promise<TestDatabase> =>
  trackDatabase(await CREATE[name](url));

const kindOf = (name: DialectName): TestDatabaseKind => ({
  name,
  create: async () => trackDatabase(await CREATE[name]()),
});

const ALL_DATABASES: readonly TestDatabaseKind[] = [kindOf('sqlite'), kindOf('postgresql')];

/**
 * The databases that every contract test runs on. DIALECTS can exclude some.
 *
 * @example
 *   describe.each(databases)('publishing on $name', ({ create }) => {
 *     it('…', async () => {
 *       const { url } = await create();
 *     });
 *   });
 */
export const databases: readonly TestDatabaseKind[] = ALL_DATABASES.filter(({ name }) => isSelected(name));

/** Drops what tests have left open. `drop-databases.ts` calls it after every test file. */
export async function dropOpenDatabases(): Promise<void> {
  await Promise.all([...openDatabases].map((database) => database.drop()));
}
