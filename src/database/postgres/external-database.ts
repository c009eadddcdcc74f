import type { Client } from 'pg';
import { redactUrl } from '../../lib/text.js';
import { quoteName } from '../dialect/sql-text.js';
import type { ExternalDatabase, ExternalRow, ExternalTable } from '../dialect/database-driver.js';
import { readUrlOptions } from './connections.js';

const CONNECTION_TIMEOUT_MS = 10_000;

const COLUMNS = `select table_name as "table", column_name as name, data_type as type
  from information_schema.columns where table_schema = current_schema()`;

const readTables = async (client: Client): Promise<ReadonlyMap<string, ExternalTable>> => {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(COLUMNS);
  const tables = new Map<string, Map<string, string>>();
  for (const { table, name, type } of rows) {
    const known = tables.get(table) ?? new Map<string, string>();
    tables.set(table, known.set(name, type));
  }
  return tables;
};

const begin = async (client: Client, url: string): Promise<void> => {
  const { schema } = readUrlOptions(url);
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query("SET LOCAL TIME ZONE 'UTC'");
  await client.query("SET LOCAL datestyle = 'ISO'");
  if (schema !== null) await client.query(`SET LOCAL search_path TO ${quoteName(schema)}`);
};

/** Returns values as the server's text, because the driver parses times in the time zone of this process. */
export async function openExternalPostgres(url: string): Promise<ExternalDatabase> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: 'galley import',
    types: { getTypeParser: () => (value: string) => value },
  });
  // The running query reports a lost connection.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await begin(client, url);
    return {
      description: `the database ${redactUrl(url)}`,
      tables: await readTables(client),
      rows: async (sql) => (await client.query<ExternalRow>(sql)).rows,
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}
