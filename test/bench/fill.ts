import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { DialectName } from '../../src/dialects/dialect-name.js';
import { fillTotals } from '../../src/dialects/totals.js';
import { fillStatements } from './fill-statements.js';

/** What is made anew once the rows are there, which is faster than keeping it up to date row by row. */
interface Rebuilt {
  readonly drop: string;
  readonly create: string;
}

const SQLITE_REBUILT = `SELECT 'DROP ' || type || ' "' || name || '"' AS "drop", sql AS "create"
  FROM sqlite_schema
  WHERE type IN ('index', 'trigger') AND sql IS NOT NULL
    AND tbl_name IN ('articles_documents', 'articles', 'articles_tags_links', 'authors')`;

/** What the triggers would have done. */
const SQLITE_TRIGGERED = [
  'UPDATE cms_revisions SET revision = random() & 9007199254740991',
  ...Object.entries({ articles: 'api::article.article', authors: 'api::author.author' }).map(
    ([table, name]) => fillTotals({ name, table, uniqueColumns: [] }),
  ),
];

const POSTGRES_INDEXES = `SELECT format('DROP INDEX %I.%I', schemaname, indexname) AS "drop",
    indexdef AS "create" FROM pg_indexes
  WHERE tablename IN ('articles', 'articles_tags_links', 'authors') AND indexname NOT LIKE '%_pkey'`;

const HIDDEN_PAGES = `SELECT relpages - relallvisible AS "hidden" FROM pg_class
  WHERE oid = 'articles'::regclass`;

const statementsOf = (dialect: DialectName, size: number, rebuilt: readonly Rebuilt[]): readonly string[] => [
  ...rebuilt.map(({ drop }) => drop),
  ...fillStatements(dialect, size),
  ...rebuilt.map(({ create }) => create),
];

/**
 * Nothing else has the file open, and a fill that fails is begun anew: no journal, which doubles what is
 * written.
 */
const SQLITE_SETTINGS = [
  'journal_mode = OFF',
  'synchronous = OFF',
  'locking_mode = EXCLUSIVE',
  'foreign_keys = OFF',
  'cache_size = -1000000',
  'temp_store = MEMORY',
  'threads = 2',
];

const fillSqlite = (file: string, size: number): void => {
  const database = new Database(file);
  for (const setting of SQLITE_SETTINGS) database.pragma(setting);
  const rebuilt = database.prepare<[], Rebuilt>(SQLITE_REBUILT).all();
  database.transaction(() => {
    for (const statement of statementsOf('sqlite', size, rebuilt)) database.exec(statement);
    for (const statement of SQLITE_TRIGGERED) database.exec(statement);
  })();
  database.pragma('journal_mode = WAL');
  database.close();
};

const fillPostgres = async (url: string, size: number): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Rebuilt>(POSTGRES_INDEXES);
    await client.query(`SET maintenance_work_mem = '1GB'; SET TIME ZONE 'UTC'`);
    await client.query('BEGIN');
    for (const statement of statementsOf('postgresql', size, rows)) await client.query(statement);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
};

/** Fills a migrated database, which has no documents yet. */
export async function fill(dialect: DialectName, url: string, size: number): Promise<void> {
  if (dialect === 'sqlite') fillSqlite(url.replace(/^file:/, ''), size);
  else await fillPostgres(url, size);
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
