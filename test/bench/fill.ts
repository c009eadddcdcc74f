import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import { openProject } from '../../src/app/open-project.js';
import type { Project } from '../../src/app/open-project.js';
import type { DialectName } from '../../src/dialects/dialect-name.js';
import { databaseObjectsOf } from '../../src/migrations/objects/database-objects.js';
import { fillStatements } from './fill-statements.js';

/** What is made anew once the rows are there, which is faster than keeping it up to date row by row. */
interface Rebuilt {
  readonly drop: string;
  readonly create: string;
}

/** The statements that drop and create the indexes of large tables. */
const INDEXES: Readonly<Record<DialectName, string>> = {
  sqlite: `SELECT 'DROP INDEX "' || name || '"' AS "drop", sql AS "create"
    FROM sqlite_schema
    WHERE type = 'index' AND sql IS NOT NULL
      AND tbl_name IN ('articles_documents', 'articles', 'articles_tags_links', 'authors')`,
  postgresql: `SELECT format('DROP INDEX %I.%I', schemaname, indexname) AS "drop",
      concat_ws('; ', indexdef, (
        SELECT string_agg(format('ALTER INDEX %I.%I ALTER COLUMN %s SET STATISTICS %s',
          schemaname, indexname, attnum, attstattarget), '; ')
        FROM pg_attribute
        WHERE attrelid = format('%I.%I', schemaname, indexname)::regclass AND attstattarget > 0)) AS "create"
    FROM pg_indexes
    WHERE tablename IN ('articles', 'articles_tags_links', 'authors') AND indexname NOT LIKE '%_pkey'`,
};

const HIDDEN_PAGES = `SELECT relpages - relallvisible AS "hidden" FROM pg_class
  WHERE oid = 'articles'::regclass`;

/** A connection that has the database for itself. */
interface Connection {
  readonly run: (script: string) => unknown;
  readonly list: (sql: string) => Promise<readonly Rebuilt[]>;
}

const fillTables = async ({ run, list }: Connection, { model, dialect }: Project, size: number) => {
  // Triggers and full-text indexes. What has nothing to drop are tables.
  const objects = databaseObjectsOf(model, dialect).filter(({ drop }) => drop !== '');
  for (const { drop } of objects) await run(drop);
  const indexes = await list(INDEXES[dialect.name]);
  for (const { drop } of indexes) await run(drop);
  for (const statement of fillStatements(dialect.name, size)) await run(statement);
  for (const { create } of [...indexes, ...objects]) await run(create);
};

/**
 * Nothing else has the file open, and a fill that fails is begun anew. New pages are not journalled, while
 * the write-ahead log would hold all of them. In memory, SQLite sorts what it indexes as one list, which
 * takes twice as long as in parts of the cache's size that it merges. Each index reads the whole table, a
 * quarter faster where that is mapped into memory.
 */
const SQLITE_SETTINGS = [
  'journal_mode = MEMORY',
  'synchronous = OFF',
  'locking_mode = EXCLUSIVE',
  'foreign_keys = OFF',
  'cache_size = -64000',
  'mmap_size = 2147418112',
];

const fillSqlite = async (project: Project, size: number): Promise<void> => {
  const database = new Database(project.config.database.url.replace(/^file:/, ''));
  for (const setting of SQLITE_SETTINGS) database.pragma(setting);
  const connection: Connection = {
    run: (script) => database.exec(script),
    list: async (sql) => database.prepare<[], Rebuilt>(sql).all(),
  };
  database.exec('BEGIN');
  await fillTables(connection, project, size);
  database.exec('COMMIT');
  database.pragma('journal_mode = WAL');
  database.close();
};

const fillPostgres = async (project: Project, size: number): Promise<void> => {
  const client = new pg.Client({ connectionString: project.config.database.url });
  await client.connect();
  const connection: Connection = {
    run: (script) => client.query(script),
    list: async (sql) => (await client.query<Rebuilt>(sql)).rows,
  };
  try {
    await client.query(`SET maintenance_work_mem = '1GB'; SET TIME ZONE 'UTC'`);
    await client.query('BEGIN');
    await fillTables(connection, project, size);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
};

/** Fills the migrated database of the project in `folder`, which has no documents yet. */
export async function fill(folder: string, size: number): Promise<void> {
  const project = await openProject(folder);
  await (project.dialect.name === 'sqlite' ? fillSqlite : fillPostgres)(project, size);
}

/** What has just migrated the database may still be leaving it. */
const [MAX_ATTEMPTS, RETRY_MS] = [10, 500];

/**
 * Does what autovacuum does after a while, once nothing is built any more. A read that began before hides
 * rows from the map of what all see, without which indexes alone do not tell which rows are there.
 */
export async function settle(dialect: DialectName, url: string): Promise<void> {
  if (dialect === 'sqlite') return;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (let attempt = 1; ; attempt += 1) {
      await client.query('VACUUM ANALYZE');
      const { rows } = await client.query<{ hidden: number }>(HIDDEN_PAGES);
      const hidden = rows[0]?.hidden;
      if (hidden === 0) return;
      if (attempt === MAX_ATTEMPTS) throw new Error(`${hidden} pages of articles are not visible to all`);
      await sleep(RETRY_MS);
    }
  } finally {
    await client.end();
  }
}
