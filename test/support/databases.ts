import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import type { DialectName } from '../../src/dialects/dialect.js';
import { isWanted } from './wanted-dialects.js';

/** An empty database of its own. Whatever is not dropped before is dropped when the test file ends. */
export interface TestDatabase {
  /** `file:/…/data.db` or `postgresql://…` */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export interface TestDatabaseKind {
  readonly name: DialectName;
  readonly create: () => Promise<TestDatabase>;
}

const open = new Set<TestDatabase>();

const remember = (url: string, remove: () => Promise<void>): TestDatabase => {
  const database: TestDatabase = {
    url,
    drop: async () => {
      if (open.delete(database)) await remove();
    },
  };
  open.add(database);
  return database;
};

const createSqlite = async (): Promise<TestDatabase> => {
  const folder = await mkdtemp(join(tmpdir(), 'galley-sqlite-'));
  return remember(`file:${join(folder, 'data.db')}`, () => rm(folder, { recursive: true, force: true }));
};

const onServer = async (server: string, sql: string): Promise<void> => {
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
  if (server === null || server === undefined) throw new Error('No PostgreSQL was started for this run: is test/support/postgres.ts the globalSetup of this project?');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Each file of the template is copied as it is: a third of the time of writing every page to the log.
  await onServer(server, `CREATE DATABASE ${name} STRATEGY file_copy`);
  return remember(`${server}/${name}`, () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
};

const ALL: readonly TestDatabaseKind[] = [
  { name: 'sqlite', create: createSqlite },
  { name: 'postgresql', create: createPostgres },
];

/**
 * The databases every contract test runs on, less what DIALECTS leaves out.
 *
 * @example
 * describe.each(databases)('publishing on $name', ({ create }) => {
 *   it('…', async () => {
 *     const { url } = await create();
 *   });
 * });
 */
export const databases: readonly TestDatabaseKind[] = ALL.filter(({ name }) => isWanted(name));

afterAll(async () => {
  await Promise.all([...open].map((database) => database.drop()));
});
