import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database/database.js';
import type { ChangeOptions } from './access.js';

const STAMP_KEY = 'access-stamp';
/** The table of the Prisma model SystemState; one row, found by its primary key. */
const STAMP_SQL = `SELECT value FROM cms_state WHERE key = '${STAMP_KEY}'`;

/** Carries a dry run's result out of a transaction that is not to be kept. */
class DryRun<T> extends Error {
  constructor(readonly result: T) {
    super('dry run');
  }
}

/** The mark of the latest change of tokens, permissions, roles or locales, whoever made it; null before the first. */
export async function readStamp(database: Database): Promise<string | null> {
  const [stamp = null] = await database.readTexts(STAMP_SQL, []);
  return stamp;
}

/** Marks a change, so that every running server takes it over. */
export async function writeStamp(tx: Transaction): Promise<void> {
  const value = randomUUID();
  await tx.model('SystemState').upsert({ where: { key: STAMP_KEY }, create: { key: STAMP_KEY, value }, update: { value } });
}

/**
 * Runs one change of this room's tables in a transaction and tells every running server.
 * A dry run does the same and then undoes it, so that it finds the same faults.
 */
export async function change<T>(database: Database, work: (tx: Transaction) => Promise<T>, options: ChangeOptions = {}): Promise<T> {
  try {
    return await database.transact(async (tx) => {
      const result = await work(tx);
      if (options.dryRun === true) throw new DryRun(result);
      await writeStamp(tx);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return (error as DryRun<T>).result;
    throw error;
  }
}
