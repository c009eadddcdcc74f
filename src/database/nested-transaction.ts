import { AsyncLocalStorage } from 'node:async_hooks';
import { Mutex } from 'async-mutex';
import { createError } from '../errors/catalogue.js';
import type { Database, Transaction } from './database.js';

/**
 * Maximum depth of writes by hooks that call hooks that write. Deeper ones are considered an endless
 * recursion.
 */
const MAX_NESTED_WRITES = 10;

/** Runs the writes that a hook makes inside the transaction of the write that called it. */
export interface NestedTransaction {
  readonly run: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;
  /** True if any write has been run. */
  readonly hasWritten: () => boolean;
}

const runInSavepoint = async <T>(
  tx: Transaction,
  savepoint: string,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> => {
  await tx.execute(`SAVEPOINT ${savepoint}`, []);
  try {
    const result = await work(tx);
    await tx.execute(`RELEASE SAVEPOINT ${savepoint}`, []);
    return result;
  } catch (error) {
    // The hook may catch the error; no part of the failed write may remain then.
    await tx.execute(`ROLLBACK TO SAVEPOINT ${savepoint}`, []);
    await tx.execute(`RELEASE SAVEPOINT ${savepoint}`, []);
    throw error;
  }
};

/**
 * Opens the nested transaction of one hook call. Each write of the hook gets a savepoint; writes that the
 * hook starts at the same time run one after another.
 *
 * @throws `project/endless-hooks` from `run`, beyond {@link MAX_NESTED_WRITES} levels
 */
export function createNestedTransaction(tx: Transaction, depth: number): NestedTransaction {
  const mutex = new Mutex();
  let hasWritten = false;
  return {
    hasWritten: () => hasWritten,
    run: (work) =>
      mutex.runExclusive(async () => {
        if (depth > MAX_NESTED_WRITES)
          throw createError('project/endless-hooks', { limit: MAX_NESTED_WRITES });
        hasWritten = true;
        await tx.limitLockWaits();
        const callbacks: (() => Promise<void>)[] = [];
        const lastSteps: typeof callbacks = [];
        const nested: Transaction = {
          ...tx,
          beforeCommit: (callback) => void lastSteps.push(callback),
          afterCommit: (callback) => void callbacks.push(callback),
        };
        const result = await runInSavepoint(nested, `nested_write_${depth}`, work);
        for (const step of lastSteps) tx.beforeCommit(step);
        for (const callback of callbacks) tx.afterCommit(callback);
        return result;
      }),
  };
}

const firstColumnText = (row: Readonly<Record<string, unknown>>): string | null => {
  const [value] = Object.values(row);
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Returns the database as the transaction sees it: reads see the rows that the transaction has written. */
export function databaseIn<D extends Pick<Database, 'readTexts' | 'readNumber' | 'transact'>>(
  database: D,
  tx: Transaction,
): D {
  return {
    ...database,
    readTexts: async (sql, parameters) => (await tx.query(sql, parameters)).map(firstColumnText),
    readNumber: async (sql, parameters) => {
      const [row] = await tx.query(sql, parameters);
      return Number(Object.values(row ?? {})[0]);
    },
    transact: (work) => work(tx),
  };
}

interface JoinedTransaction {
  readonly tx: Transaction;
  readonly nested: NestedTransaction;
  readonly database: UnjoinedDatabase;
  readonly depth: number;
  readonly isOpen: () => boolean;
}

type UnjoinedDatabase = Omit<Database, 'join' | 'joined'>;

/**
 * Lets code join a transaction without a reference to it: its reads and writes through the database, at any
 * depth below the call of `join`, belong to the transaction.
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
      // Node.js calls each enabled storage for every promise of the process.
      storage.disable();
    },
  };
}
