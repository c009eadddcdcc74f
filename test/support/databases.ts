import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { DialectName } from '../../src/database/dialect/dialect.js';
import { isSelected } from './selected-dialects.js';

/** An empty database. It is dropped at the latest when the test file ends. */
interface TestDatabase {
  /** `file:/…/data.db` or `postgresql://…` */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export interface TestDatabaseKind {
  readonly name: DialectName;
  readonly create: () => Promise<TestDatabase>;
}

const openDatabases = new Set<TestDatabase>();

const trackDatabase = (url: string, remove: () => Promise<void>): TestDatabase => {
  const database: TestDatabase = {
    url,
    drop: async () => {
      if (openDatabases.delete(database)) await remove();
    },
  };
  openDatabases.add(database);
  return database;
};

const createSqlite = async (): Promise<TestDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-sqlite-'));
  return trackDatabase(`file:${join(folder, 'data.db')}`, () => rm(folder, { recursive: true, force: true }));
};

/** Runs one statement on the server of this run. */
export const runOnServer = async (server: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const createPostgres = async (): Promise<TestDatabase> => {
  const server = inject('postgresServer');
  if (server === null || server === undefined)
    throw new Error(
      'No PostgreSQL was started for this run: is test/support/postgres.ts the globalSetup of this project?',
    );
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // The files of the template are copied. That takes a third of the time of writing every page to the log.
  await runOnServer(server, `CREATE DATABASE ${name} STRATEGY file_copy`);
  return trackDatabase(`${server}/${name}`, () =>
    runOnServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  );
};

const ALL_DATABASES: readonly TestDatabaseKind[] = [
  { name: 'sqlite', create: createSqlite },
  { name: 'postgresql', create: createPostgres },
];

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
