import { isDatabaseError } from '../database/database-error.js';
import type { Database, Transaction } from '../database/database.js';
import { toUnavailableError } from '../database/unavailable-error.js';
import { createError } from '../errors/catalogue.js';
import type { DocumentContext } from './document-context.js';

const MAX_ATTEMPTS = 3;

/**
 * Whether a concurrent write has taken the same unique value or deleted a link's target after this write had
 * checked it.
 */
const isConflict = (error: unknown): boolean =>
  isDatabaseError(error) && (error.driverError.kind === 'unique' || error.driverError.kind === 'foreign-key');

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
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transact(work, { callsProjectCode: false });
    } catch (error) {
      const unavailable = isDatabaseError(error) ? toUnavailableError(error) : null;
      if (unavailable !== null) throw unavailable;
      if (!isConflict(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw createError('server/unavailable', {}, { cause: error });
    }
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
