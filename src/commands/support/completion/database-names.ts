import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../../config/config.js';
import { dialectNamed } from '../../../dialects/dialect-named.js';

/** A shell waits for the answer: one that takes longer is not worth having. */
const PATIENCE_MS = 1500;

const query = async ({ database }: Config, sql: string): Promise<readonly string[]> => {
  const reads = await dialectNamed(database.provider).openReads(database.url);
  try {
    return (await reads.texts(sql, [])).filter((name) => name !== null);
  } finally {
    await reads.close();
  }
};

interface NameColumn {
  readonly table: string;
  readonly column: string;
  /** How the names begin that are wanted. */
  readonly prefix: string | undefined;
}

/** More than anybody reads in a terminal. */
const LIMIT = 1000;

const quoted = (text: string): string => `'${text.replaceAll('\0', '').replaceAll("'", "''")}'`;

/** Without parameters, which databases write differently. */
const selectNames = ({ table, column, prefix = '' }: NameColumn): string => {
  const where = prefix === '' ? '' : ` WHERE substr("${column}", 1, ${[...prefix].length}) = ${quoted(prefix)}`;
  return `SELECT "${column}" FROM "${table}"${where} ORDER BY "${column}" LIMIT ${LIMIT}`;
};

/**
 * One column of text from the project's database, straight from its table: completion may neither wait for a check of the migrations nor
 * change anything. Whatever is in the way, there are no names then.
 */
export async function readNames(config: Config, names: NameColumn): Promise<readonly string[]> {
  const nothing = (): readonly string[] => [];
  const found = query(config, selectNames(names)).catch(nothing);
  return Promise.race([found, sleep(PATIENCE_MS, undefined, { ref: false }).then(nothing)]);
}
