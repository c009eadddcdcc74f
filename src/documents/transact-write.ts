import { isDatabaseError } from '../database/database-error.js';
import type { Database, Transaction } from '../database/database.js';
import { toUnavailableError } from '../database/unavailable-error.js';
import { createError } from '../errors/catalogue.js';
import type { DocumentContext } from './document-context.js';

/**
 * Runs a write in one transaction. After a conflict with a concurrent write it runs again. Its checks then
 * find the cause of the conflict and report it. The write of a hook belongs to the transaction of the write
 * that called the hook, which runs again as a whole.
 *
 * @throws `server/unavailable` and what else `toUnavailableError` returns if the database cannot be written
 *   to
 */
export async function transactWrite<T>(
  { database, nested }: Pick<DocumentContext, 'database' | 'nested'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (nested !== null) return nested.run(work);
  // What goes wrong concerns the joined transaction as a whole.
  if (database.joined() !== null) return database.transact(work);
  try {
    return await database.transact(work, { callsProjectCode: false, retriesConflicts: true });
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    const { kind } = error.driverError;
    const isConflict = kind === 'unique' || kind === 'foreign-key';
    throw isConflict
      ? createError('server/unavailable', {}, { cause: error })
      : (toUnavailableError(error) ?? error);
  }
}

/**
 * Runs `work`, all of whose reads and writes belong to one transaction: the one that the caller has joined,
 * or else a new one, in which `work` may run more than once.
 *
 * @throws like {@link transactWrite}
 */
export async function transactTogether<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.joined() !== null) return database.transact(work);
  return transactWrite({ database, nested: null }, (tx) => tx.runProjectCode(() => database.join(tx, work)));
}
