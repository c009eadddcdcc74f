import type { MigrationSession } from '../dialect/migration-support.js';
import { SEARCH_PREFIX } from '../dialect/search-expressions.js';
import { quoteName } from '../dialect/sql-text.js';

/** Quotes a text, such as the path of a file. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Virtual tables drop and create the tables in which they keep their data. */
const SELECT_OBJECTS = (schema: string): string =>
  `SELECT "type", "name", "sql" FROM ${schema}.sqlite_master ` +
  `WHERE "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND "sql" IS NOT NULL AND "name" NOT IN (` +
  `SELECT "name" FROM pragma_table_list WHERE "schema" = ${quoteText(schema)} AND "type" = 'shadow'` +
  `) ORDER BY "type" = 'table' DESC`;

/** Drops every table and view. */
export async function dropEverything({ query, script }: MigrationSession): Promise<void> {
  for (const { type, name } of await query(SELECT_OBJECTS('main')))
    if (type === 'table' || type === 'view')
      await script(`DROP ${String(type)} IF EXISTS main.${quoteName(String(name))}`);
}

const hasSequences = async ({ query }: MigrationSession): Promise<boolean> =>
  (await query(`SELECT 1 AS "found" FROM copied.sqlite_master WHERE "name" = 'sqlite_sequence'`)).length > 0;

/** Replaces everything in the database by what the attached one holds. */
const replaceEverything = async (session: MigrationSession): Promise<void> => {
  const { query, script } = session;
  await dropEverything(session);
  for (const { type, name, sql } of await query(SELECT_OBJECTS('copied'))) {
    // Built anew from the rows, with the other objects beside the schema.
    if (String(name).startsWith(SEARCH_PREFIX)) continue;
    await script(String(sql));
    const table = quoteName(String(name));
    if (type === 'table') await script(`INSERT INTO main.${table} SELECT * FROM copied.${table}`);
  }
  if (!(await hasSequences(session))) return;
  await script('DELETE FROM main.sqlite_sequence');
  await script('INSERT INTO main.sqlite_sequence SELECT * FROM copied.sqlite_sequence');
};

/**
 * Makes a database what another file holds, in one transaction, while others have the database open. The file
 * is switched to the journal mode of the database.
 */
export async function restoreDatabase(session: MigrationSession, path: string): Promise<void> {
  await session.script(`ATTACH ${quoteText(path)} AS copied`);
  try {
    await session.runExclusive(() => replaceEverything(session));
  } finally {
    await session.script('DETACH copied');
  }
}
