import { createError } from '../../errors/catalogue.js';
import { errorCode, messageOf } from '../../lib/caught-errors.js';
import { quoteName } from '../dialect/sql-text.js';
import type { DatabaseShell, StatementRows } from '../dialect/database-driver.js';
import { openPostgresClient, readUrlOptions } from './connections.js';

const CONNECTION_TIMEOUT_MS = 10_000;
const READ_ONLY_TRANSACTION = '25006';

/**
 * Matches statements, after comments, that have effects even in a read-only transaction: COPY writes files
 * and runs programs.
 */
const REACHES_OUT = /^(?:\s|--.*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:copy|do|call|load|checkpoint)\b/i;

const toInteger = (text: string): number | string =>
  Number.isSafeInteger(Number(text)) ? Number(text) : text;

/** By the ids of types. Other values stay the text that the server sends. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [20, toInteger],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [114, (text): unknown => JSON.parse(text)],
  [3802, (text): unknown => JSON.parse(text)],
]);

const keepText = (text: string): unknown => text;

const statementError = (error: unknown): Error =>
  errorCode(error) === READ_ONLY_TRANSACTION
    ? createError('database/statement-refused', {}, { cause: error })
    : createError('database/statement-failed', { reason: messageOf(error) }, { cause: error });

/**
 * Runs a statement in a read-only transaction, which the statement cannot end.
 *
 * @throws `database/statement-refused`, `database/statement-failed`
 */
export async function runPostgresStatement(url: string, sql: string): Promise<StatementRows> {
  if (REACHES_OUT.test(sql)) throw createError('database/statement-refused', {});
  const { client, kind } = await openPostgresClient(url, {
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    application_name: 'galley sql',
    types: { getTypeParser: (id: number) => PARSERS.get(id) ?? keepText },
  });
  try {
    await client.query('BEGIN TRANSACTION READ ONLY');
    if (kind.transactionSettings !== null) await client.query(kind.transactionSettings);
    // The extended protocol takes one statement only.
    const query = { text: sql, rowMode: 'array' as const, queryMode: 'extended' };
    const { fields, rows } = await client.query<unknown[]>(query).catch((error: unknown) => {
      throw statementError(error);
    });
    if (fields.length === 0) throw createError('database/statement-refused', {});
    return { columns: fields.map(({ name }) => name), rows };
  } finally {
    await client.end();
  }
}

/** URL parameters that Prisma reads and psql rejects. */
const PRISMA_PARAMETERS = [
  'schema',
  'pgbouncer',
  'connection_limit',
  'pool_timeout',
  'socket_timeout',
  'statement_cache_size',
  'sslaccept',
  'sslidentity',
];

/** Matches up to the last "@", since passwords may contain one. */
const PASSWORD = /^([a-z]+:\/\/[^:@/]*):(.*)@/i;

export function postgresShell(url: string): DatabaseShell {
  const [address = '', search = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(search);
  for (const name of PRISMA_PARAMETERS) parameters.delete(name);
  const password = PASSWORD.exec(address)?.[2];
  const { schema } = readUrlOptions(url);
  const target = address.replace(PASSWORD, '$1@');
  return {
    command: 'psql',
    args: [parameters.size === 0 ? target : `${target}?${parameters.toString()}`],
    env: {
      ...(password === undefined ? {} : { PGPASSWORD: decodeURIComponent(password) }),
      ...(schema === null
        ? {}
        : { PGOPTIONS: `-c search_path=${quoteName(schema).replaceAll(/[\s\\]/g, String.raw`\$&`)}` }),
    },
    installation: 'apt install postgresql-client, or brew install libpq',
  };
}
