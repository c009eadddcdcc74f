import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '../database/database.js';
import type { ChangeOptions } from './access.js';

const VERSION_KEY = 'access-stamp';
/** The Prisma model SystemState has this table. The statement reads one row by its primary key. */
const VERSION_SQL = `SELECT value FROM cms_state WHERE key = '${VERSION_KEY}'`;

/** Carries the result of a dry run out of a transaction that is rolled back. */
class DryRun<T> extends Error {
  constructor(readonly result: T) {
    super('dry run');
  }
}

/**
 * Returns the version of tokens, permissions, roles and locales, which every change replaces; null before the
 * first change.
 */
export async function readAccessVersion(database: Database): Promise<string | null> {
  const [version = null] = await database.readTexts(VERSION_SQL, []);
  return version;
}

/** Sets a new version, so that every running server loads the change. */
export async function bumpAccessVersion(tx: Transaction): Promise<void> {
  const value = randomUUID();
  await tx
    .model('SystemState')
    .upsert({ where: { key: VERSION_KEY }, create: { key: VERSION_KEY, value }, update: { value } });
}

/**
 * Runs a change of the tables of this layer in a transaction and informs every running server. A dry run does
 * the same and rolls it back, so that it reports the same errors.
 */
export async function changeAccess<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  options: ChangeOptions = {},
): Promise<T> {
  try {
    return await database.transact(async (tx) => {
      const result = await work(tx);
      if (options.dryRun === true) throw new DryRun(result);
      await bumpAccessVersion(tx);
      return result;
    });
  } catch (error) {
    if (error instanceof DryRun) return (error as DryRun<T>).result;
    throw error;
  }
}
