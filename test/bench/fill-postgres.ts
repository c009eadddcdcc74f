import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Project } from '../../src/project/open/open-project.js';
import { databaseObjectsOf } from '../../src/migrations/apply/auxiliary-objects.js';
import { fillSql, fillStatements } from './fill-statements.js';

/** What is made anew once the rows are there, which is faster than keeping it up to date row by row. */
interface Rebuilt {
  readonly drop: string;
  readonly create: string;
}

/**
 * The statements that drop and create the foreign keys and indexes of large tables. A foreign key is checked
 * row by row while it is there, and by one join when it is added.
 */
const REBUILT = `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS "drop",
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      AS "create"
  FROM pg_constraint
  WHERE contype = 'f' AND conrelid::regclass::text IN ('articles', 'articles_tags_links', 'authors')
  UNION ALL
  SELECT format('DROP INDEX %I.%I', schemaname, indexname),
    concat_ws('; ', indexdef, (
      SELECT string_agg(format('ALTER INDEX %I.%I ALTER COLUMN %s SET STATISTICS %s',
        schemaname, indexname, attnum, attstattarget), '; ')
      FROM pg_attribute
      WHERE attrelid = format('%I.%I', schemaname, indexname)::regclass AND attstattarget > 0))
  FROM pg_indexes
  WHERE tablename IN ('articles', 'articles_tags_links', 'authors') AND indexname NOT LIKE '%_pkey'`;

const HIDDEN_PAGES = `SELECT relpages - relallvisible AS "hidden" FROM pg_class
  WHERE oid = 'articles'::regclass`;

const fillTables = async (client: pg.Client, { model, dialect }: Project, size: number): Promise<void> => {
  // Triggers and full-text indexes. What has nothing to drop are tables.
  const objects = databaseObjectsOf(model, dialect).filter(({ drop }) => drop !== '');
  for (const { drop } of objects) await client.query(drop);
  const { rows: rebuilt } = await client.query<Rebuilt>(REBUILT);
  for (const { drop } of rebuilt) await client.query(drop);
  for (const statement of fillStatements('postgresql', size)) await client.query(fillSql(statement));
  for (const { create } of [...rebuilt.toReversed(), ...objects]) await client.query(create);
};

/** Fills the migrated database of a project, which has no documents yet. */
export async function fillPostgres(project: Project, size: number): Promise<void> {
  const client = new pg.Client({ connectionString: project.config.database.url });
  await client.connect();
  try {
    await client.query(`SET maintenance_work_mem = '1GB'; SET TIME ZONE 'UTC'`);
    await client.query('BEGIN');
    await fillTables(client, project, size);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** What has just migrated the database may still be leaving it. */
const [MAX_ATTEMPTS, RETRY_MS] = [10, 500];

/**
 * Does what autovacuum does after a while, once nothing is built any more. A read that began before hides
 * rows from the map of what all see, without which indexes alone do not tell which rows are there.
 */
export async function settlePostgres(url: string): Promise<void> {
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
