import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import type { Dialect } from '../dialects/dialect.js';
import type { RawConnection } from '../prisma/raw-connection.js';
import type { WriteAdapter } from '../prisma/write-adapter.js';
import { isGalleyError } from '../errors/galley-error.js';
import { DatabaseError } from './database-error.js';
import type { Database, Transaction } from './database.js';
import { delegateOf } from './model-delegate.js';
import type { PrismaClientLike } from '../prisma/generated-client.js';

const MAX_ATTEMPTS = 12;
const INITIAL_BACKOFF_MS = 4;
const MAX_BACKOFF_MS = 250;
/** Long, since a transaction that only has to wait should not fail. */
const TRANSACTION_TIMEOUTS = { maxWait: 60_000, timeout: 120_000 };

/** The lock that retries hold, so that they run one at a time. */
const RETRY_LOCK = 'transactions run again';

interface TransactDependencies {
  readonly dialect: Dialect;
  readonly client: PrismaClientLike;
  readonly adapter: WriteAdapter;
}

type UncommittedTransaction = Omit<Transaction, 'afterCommit'>;

/** Returns a known driver error as `DatabaseError`, and any other error as it is. */
export function toDatabaseError(dialect: Dialect, error: unknown): unknown {
  if (isGalleyError(error) || error instanceof DatabaseError) return error;
  const driverError = dialect.errors.classify(error);
  return driverError === null ? error : new DatabaseError(driverError, error);
}

/** `connection` is called for each statement, since it throws once the transaction has ended. */
const openTransaction = (
  { dialect }: TransactDependencies,
  client: unknown,
  connection: () => RawConnection,
  isRetry: boolean,
): UncommittedTransaction => ({
  model: (name) => delegateOf(client, name),
  execute: async (sql, parameters) => connection().execute(sql, parameters),
  query: async (sql, parameters) => connection().query(sql, parameters),
  lock: async (name) => {
    if (dialect.driver.advisoryLockSql !== null)
      await connection().query(dialect.driver.advisoryLockSql, [name]);
  },
  limitLockWaits: async () => {
    // A retry waits as long as it takes, while the other transactions fail and give way to it.
    if (dialect.driver.lockTimeoutSql !== null && !isRetry)
      await connection().query(dialect.driver.lockTimeoutSql, []);
  },
});

const runOnce = <T>(
  dependencies: TransactDependencies,
  work: (tx: UncommittedTransaction) => Promise<T>,
  isRetry: boolean,
): Promise<T> =>
  dependencies.adapter.withTransactionConnection((connection) =>
    dependencies.client.$transaction(async (client) => {
      const tx = openTransaction(dependencies, client, connection, isRetry);
      if (isRetry) await tx.lock(RETRY_LOCK);
      return work(tx);
    }, TRANSACTION_TIMEOUTS),
  );

/** Waits longer with each attempt, plus a random time, so that conflicting transactions do not meet again. */
const backOff = (attempts: number): Promise<void> =>
  sleep(Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** attempts) * (0.5 + Math.random()));

const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && error.driverError.kind === 'retry';

const runWithRetries = async <T>(
  dependencies: TransactDependencies,
  work: (tx: UncommittedTransaction) => Promise<T>,
): Promise<T> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await runOnce(dependencies, work, attempts > 1);
    } catch (error) {
      const databaseError = toDatabaseError(dependencies.dialect, error);
      if (!isRetryable(databaseError) || attempts === MAX_ATTEMPTS) throw databaseError;
    }
    await backOff(attempts);
  }
};

/** Adds `afterCommit` to the transactions of `run`. Only callbacks of the committed attempt are called. */
const withCommitCallbacks =
  (run: <T>(work: (tx: UncommittedTransaction) => Promise<T>) => Promise<T>): Database['transact'] =>
  async (work) => {
    let callbacks: (() => Promise<void>)[] = [];
    const result = await run((tx) => {
      const registered: typeof callbacks = [];
      callbacks = registered;
      return work({ ...tx, afterCommit: (callback) => void registered.push(callback) });
    });
    for (const callback of callbacks) await callback();
    return result;
  };

/**
 * Runs transactions: repeats those that another writer interfered with, and runs one at a time where the
 * database allows one writer only.
 */
export function createTransact(dependencies: TransactDependencies): Database['transact'] {
  if (!dependencies.dialect.driver.hasSingleWriter)
    return withCommitCallbacks((work) => runWithRetries(dependencies, work));
  const mutex = new Mutex();
  return withCommitCallbacks((work) => mutex.runExclusive(() => runWithRetries(dependencies, work)));
}
