import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import { getDialect } from '../../database/get-dialect.js';

/** The shell waits for completion, so slower databases are skipped. */
const TIMEOUT_MS = 1500;

const queryTexts = async ({ database }: Config, sql: string): Promise<readonly string[]> => {
  const connection = await getDialect(database.provider).driver.openReadConnection(database.url);
  try {
    return (await connection.queryTexts(sql, [])).filter((name) => name !== null);
  } finally {
    await connection.close();
  }
};

interface NameColumn {
  readonly table: string;
  readonly column: string;
  /** Only names that start with this text. */
  readonly prefix: string | undefined;
}

/** The maximum number of names. */
const MAX_NAMES = 1000;

const quoteLiteral = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`;

/** Written without parameters, whose syntax differs between databases. */
const selectNames = ({ table, column, prefix = '' }: NameColumn): string => {
  const where =
    prefix === '' ? '' : ` WHERE substr("${column}", 1, ${[...prefix].length}) = ${quoteLiteral(prefix)}`;
  return `SELECT "${column}" FROM "${table}"${where} ORDER BY "${column}" LIMIT ${MAX_NAMES}`;
};

/**
 * Reads one text column of a table of the project's database. Does not check migrations, which would take too
 * long. Returns an empty list on any failure.
 */
export async function readNames(config: Config, source: NameColumn): Promise<readonly string[]> {
  const noNames = (): readonly string[] => [];
  const names = queryTexts(config, selectNames(source)).catch(noNames);
  return Promise.race([names, sleep(TIMEOUT_MS, undefined, { ref: false }).then(noNames)]);
}
