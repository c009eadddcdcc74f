import type { Database, Transaction } from '../../database/database.js';
import { joinTransaction } from '../../documents/document-context.js';

/** A transaction that the caller ends. Calls do not join it automatically. */
interface ManualTransaction {
  readonly tx: Transaction;
  readonly end: (commits: boolean) => Promise<void>;
}

/** Thrown to roll back a manual transaction that has not failed. */
class ManualRollback extends Error {}

/** Begins a transaction that stays open until the caller ends it. */
export function beginTransaction(database: Database): Promise<ManualTransaction> {
  return new Promise((resolve, reject) => {
    let end: (commits: boolean) => void = () => undefined;
    const ending = new Promise<boolean>((resolveEnding) => {
      end = resolveEnding;
    });
    const running: Promise<void> = database
      .transact(async (tx) => {
        resolve({
          tx,
          end: (commits) => {
            end(commits);
            return running;
          },
        });
        if (!(await ending)) throw new ManualRollback('The transaction is rolled back');
      })
      .catch((error: unknown) => {
        reject(error);
        if (!(error instanceof ManualRollback)) throw error;
      });
    running.catch(() => undefined);
  });
}

type Callback = () => unknown;

/** The argument of the function that is passed to `strapi.db.transaction`. */
interface TransactionContext {
  /** Knex inside the transaction. */
  readonly trx: unknown;
  /** Keeps all writes, even if the function fails afterwards. */
  readonly commit: () => Promise<void>;
  /** Rolls back all writes when the function ends. */
  readonly rollback: () => Promise<void>;
  readonly onCommit: (callback: Callback) => void;
  readonly onRollback: (callback: Callback) => void;
}

/** A transaction that the caller ends. */
interface OpenTransaction {
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
  /** Returns Knex inside the transaction. */
  readonly get: () => unknown;
}

/** `strapi.db.transaction` */
export interface TransactFunction {
  (): Promise<OpenTransaction>;
  <T>(work: (context: TransactionContext) => T | Promise<T>): Promise<T>;
}

/** Thrown to roll back a transaction whose function has called `rollback` without failing. */
class RequestedRollback extends Error {
  constructor(readonly result: unknown) {
    super('The transaction is rolled back');
  }
}

interface TransactDependencies {
  readonly database: Database;
  /** Returns Knex for a transaction. */
  readonly knexIn: (tx: Transaction) => unknown;
}

const joinedTransaction = (database: Database): Transaction => {
  const tx = database.joined();
  if (tx === null) throw new TypeError('No transaction is open');
  return tx;
};

const runCallback = async <T>(
  { database, knexIn }: TransactDependencies,
  work: (context: TransactionContext) => T | Promise<T>,
): Promise<T> => {
  let rollbacks: Callback[] = [];
  try {
    return await joinTransaction(database, async () => {
      const tx = joinedTransaction(database);
      let end: 'open' | 'committed' | 'rolled back' = 'open';
      rollbacks = [];
      const context: TransactionContext = {
        get trx() {
          return knexIn(tx);
        },
        commit: async () => {
          end = 'committed';
        },
        rollback: async () => {
          end = 'rolled back';
        },
        onCommit: (callback) => tx.afterCommit(async () => void (await callback())),
        onRollback: (callback) => void rollbacks.push(callback),
      };
      const result = await work(context);
      if ((end as string) === 'rolled back') throw new RequestedRollback(result);
      return result;
    });
  } catch (error) {
    for (const callback of rollbacks) await callback();
    if (error instanceof RequestedRollback) return error.result as T;
    throw error;
  }
};

const openTransaction = async ({ database, knexIn }: TransactDependencies): Promise<OpenTransaction> => {
  const { tx, end } = await beginTransaction(database);
  return { commit: () => end(true), rollback: () => end(false), get: () => knexIn(tx) };
};

/** Creates `strapi.db.transaction`. All reads and writes of its function belong to the transaction. */
export function createTransactFunction(dependencies: TransactDependencies): TransactFunction {
  return <T>(work?: (context: TransactionContext) => T | Promise<T>) =>
    work === undefined ? openTransaction(dependencies) : runCallback(dependencies, work);
}
