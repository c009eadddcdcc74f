import type { ClientBase } from 'pg';
import { defined } from '../../lib/defined.js';
import { quoteName, quoteText } from '../dialect/sql-text.js';
import { readUrlOptions } from './connection-url.js';

/** Properties of the sessions of one URL. */
export interface SessionKind {
  /**
   * True if each transaction may get another session, as behind PgBouncer in transaction mode. Names of
   * statements, settings, locks of sessions and LISTEN are then lost or meet those of others.
   */
  readonly isPooled: boolean;
  /** The schema to work in. */
  readonly schema: string;
  /** Statements that each session begins with. Empty if sessions are pooled. */
  readonly settings: readonly string[];
  /** The query that each transaction begins with. Null where the session has the settings already. */
  readonly transactionSettings: string | null;
}

const UTC = /^(Etc\/)?(UTC|GMT)$/;

const PROBE = `select pg_backend_pid() as pid, current_schema()::text as schema,
  current_setting('TimeZone') as "timeZone"`;

interface Probe {
  readonly pid: number;
  readonly schema: string | null;
  readonly timeZone: string;
}

/** The process that the connection was told of when it was opened. The type of the driver lacks it. */
const announcedProcess = (client: ClientBase): unknown => Reflect.get(client, 'processID');

const settingsOfTransaction = (wanted: string | null, { schema, timeZone }: Probe): string | null => {
  const settings = [
    ...(UTC.test(timeZone) ? [] : [`set_config('TimeZone', 'UTC', true)`]),
    ...(wanted === null || wanted === schema
      ? []
      : [`set_config('search_path', ${quoteText(quoteName(wanted))}, true)`]),
  ];
  return settings.length === 0 ? null : `select ${settings.join(', ')}`;
};

/**
 * Finds out what a new connection can keep. Poolers make up the process that they announce, since they do
 * not know yet which session will serve: it differs from the one that answers.
 */
export async function detectSessionKind(client: ClientBase, url: string): Promise<SessionKind> {
  const { schema, isPooled } = readUrlOptions(url);
  const { rows } = await client.query<Probe>(PROBE);
  const probe = defined(rows[0], 'The process of the session');
  const kind = { schema: schema ?? probe.schema ?? 'public' };
  if (isPooled ?? announcedProcess(client) !== probe.pid)
    return {
      ...kind,
      isPooled: true,
      settings: [],
      transactionSettings: settingsOfTransaction(schema, probe),
    };
  const searchPath = schema === null ? [] : [`SET search_path TO ${quoteName(schema)}`];
  return {
    ...kind,
    isPooled: false,
    settings: ["SET TIME ZONE 'UTC'", ...searchPath],
    transactionSettings: null,
  };
}

/** Runs `work` in a transaction of its own that begins with the settings. */
export async function withTransactionSettings<T>(
  client: ClientBase,
  begin: string,
  settings: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`${begin}; ${settings}`);
  try {
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Where the connection is lost, the server rolls back. The first error is the one to report.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
