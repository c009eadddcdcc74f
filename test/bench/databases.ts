import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../support/start-postgres.js';
import type { PostgresServer } from '../support/start-postgres.js';
import type { BenchOptions } from './options.js';

/** Where the databases of a run are. */
export interface BenchDatabases {
  /** Returns the address of an empty database for the site in `folder`. */
  readonly create: (folder: string, name: string) => Promise<string>;
  readonly stop: () => Promise<void>;
}

/**
 * As a server for such a database is set up; the default holds 128 MB. Nothing is vacuumed while something is
 * measured, or half vacuumed when an index is built.
 */
const POSTGRES_SETTINGS = ['shared_buffers=1GB', 'effective_cache_size=4GB', 'autovacuum=off'];

const sqliteDatabases: BenchDatabases = {
  create: async (folder) => {
    const file = join(folder, 'data.db');
    await Promise.all(['', '-wal', '-shm'].map((end) => rm(file + end, { force: true })));
    return `file:${file}`;
  },
  stop: async () => undefined,
};

const postgresDatabases = ({ url, stop }: PostgresServer): BenchDatabases => ({
  create: async (_folder, name) => {
    const client = new pg.Client({ connectionString: `${url}/postgres` });
    await client.connect();
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
    await client.end();
    return `${url}/${name}`;
  },
  stop,
});

export async function openDatabases({ dialect, server }: BenchOptions): Promise<BenchDatabases> {
  if (dialect === 'sqlite') return sqliteDatabases;
  return postgresDatabases(
    server === null ? await startPostgres(POSTGRES_SETTINGS) : { url: server, stop: async () => undefined },
  );
}
