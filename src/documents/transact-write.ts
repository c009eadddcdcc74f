import { isDatabaseFault } from '../database/database-fault.js';
import type { Transaction } from '../database/database.js';
import { fail } from '../errors/catalogue.js';
import type { DocumentContext } from './document-context.js';

const ATTEMPTS = 3;

/** Another write came in between: it took the same unique value, or deleted a target, after this one had looked. */
const isOvertaken = (error: unknown): boolean => isDatabaseFault(error) && (error.fault.kind === 'unique' || error.fault.kind === 'foreign-key');

const isUnavailable = (error: unknown): boolean => isDatabaseFault(error) && (error.fault.kind === 'retry' || error.fault.kind === 'unreachable');

/**
 * Runs a write in one transaction. One that another write overtook is done again, and then finds what is in its way and says so.
 * Throws `server/unavailable` where the database can't be written to.
 */
export async function transactWrite<T>({ database }: DocumentContext, work: (tx: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await database.transact(work);
    } catch (error) {
      if (isUnavailable(error)) throw fail('server/unavailable', {}, { cause: error });
      if (!isOvertaken(error)) throw error;
      if (attempt === ATTEMPTS) throw fail('server/unavailable', {}, { cause: error });
    }
  }
}
