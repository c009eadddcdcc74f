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

/**
 * One column of text from the project's database, straight from its table: completion may neither wait for a check of the migrations nor
 * change anything. Whatever is in the way, there are no names then.
 */
export async function readNames(config: Config, table: string, column: string): Promise<readonly string[]> {
  const nothing = (): readonly string[] => [];
  const names = query(config, `SELECT "${column}" FROM "${table}" ORDER BY "${column}"`).catch(nothing);
  return Promise.race([names, sleep(PATIENCE_MS, undefined, { ref: false }).then(nothing)]);
}
