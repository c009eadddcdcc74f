import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Transaction } from './database.js';
import { createNestedTransaction, databaseIn } from './nested-transaction.js';
import type { NestedTransaction } from './nested-transaction.js';

interface JoinedTransaction {
  readonly tx: Transaction;
  readonly nested: NestedTransaction;
  readonly database: UnjoinedDatabase;
  readonly depth: number;
  readonly isOpen: () => boolean;
}

type UnjoinedDatabase = Omit<Database, 'join' | 'joined'>;

/**
 * Lets code that knows nothing of a transaction take part in it: what it reads and writes through the
 * database, however deep below the call of `join`, belongs to the transaction.
 */
export function withJoinedTransactions(database: UnjoinedDatabase): Database {
  const storage = new AsyncLocalStorage<JoinedTransaction>();
  const current = (): JoinedTransaction | null => {
    const joined = storage.getStore() ?? null;
    return joined?.isOpen() === true ? joined : null;
  };
  const join = async <T>(tx: Transaction, depth: number, work: () => Promise<T>): Promise<T> => {
    let isOpen = true;
    const nested = createNestedTransaction(tx, depth);
    const inside = { tx, nested, database: databaseIn(database, tx), depth, isOpen: () => isOpen };
    try {
      return await storage.run(inside, work);
    } finally {
      isOpen = false;
    }
  };
  return {
    ...database,
    join: (tx, work) => join(tx, (current()?.depth ?? 0) + 1, work),
    joined: () => current()?.tx ?? null,
    readTexts: (...read) => (current()?.database ?? database).readTexts(...read),
    readNumber: (...read) => (current()?.database ?? database).readNumber(...read),
    transact: async (work, options) => {
      const joined = current();
      if (joined === null) return database.transact(work, options);
      return joined.nested.run((tx) => join(tx, joined.depth + 1, () => work(tx)));
    },
    close: async () => {
      await database.close();
      // Node.js tells each storage that was used of each promise of the process.
      storage.disable();
    },
  };
}
