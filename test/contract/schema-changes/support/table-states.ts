import { createHash } from 'node:crypto';
import pg from 'pg';
import { openSqlite } from '../../../support/sqlite.js';

/** A digest of the columns and rows of every table, by the table's name. */
export type TableStates = ReadonlyMap<string, string>;

/** Whole numbers arrive as bigint, which tells 1 from 1.0. */
const print = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));

const digestOf = (value: unknown): string => createHash('sha1').update(print(value)).digest('hex');

const readSqlite = (path: string): TableStates => {
  const database = openSqlite(path, { mode: 'read' });
  try {
    // Virtual tables keep their rows in tables of their own, which are listed as well.
    const tables = database.prepare(
      `SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`,
    );
    return new Map(
      tables.rows().map(([name, sql]) => {
        const rows = database.prepare(`SELECT * FROM "${String(name)}"`, { bigints: true }).rows();
        return [String(name), digestOf([sql, rows])];
      }),
    );
  } finally {
    database.close();
  }
};

/**
 * The definitions of columns, and all rows as XML: the one format that PostgreSQL prints a table in by its
 * name.
 */
const POSTGRES_STATES = `
  select relname as name, md5(concat(
    (select json_agg(json_build_array(attname, format_type(atttypid, atttypmod), attnotnull) order by attnum)
      from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped),
    table_to_xml(pg_class.oid::regclass, true, false, ''))) as digest
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;

const readPostgres = async (url: string): Promise<TableStates> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ readonly name: string; readonly digest: string }>(POSTGRES_STATES);
    return new Map(rows.map(({ name, digest }) => [name, digest]));
  } finally {
    await client.end();
  }
};

/** Reads what all tables hold, in a fraction of the time that reading their content by the API takes. */
export async function readTableStates(url: string): Promise<TableStates> {
  return url.startsWith('file:') ? readSqlite(url.slice('file:'.length)) : readPostgres(url);
}
