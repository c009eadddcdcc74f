import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { isGalleyError } from '../errors/galley-error.js';
import { DatabaseError } from './database-error.js';
import { createDelegate, delegateOf } from './database.js';
import type { Database, ModelDelegate, TransactOptions, Transaction } from './database.js';
import type { Dialect } from './dialect/dialect.js';
import type { PrismaClientLike } from './prisma/generated-client.js';
import type { DriverTransaction, WriteAdapter } from './prisma/write-adapter.js';
import { openRows } from './table.js';

/**
 * Returns the result of `work`, or fails once the time is up. `work` continues then.
 *
 * @param onExpiry called when the time is up
 * @throws DatabaseError `unreachable`, when the time is up
 */
async function withDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  onExpiry: () => void = () => undefined,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new DatabaseError({ kind: 'unreachable' }, new Error(`No end after ${milliseconds} ms`)));
      onExpiry();
    }, milliseconds);
    timer.unref();
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

/** Longer than any transaction takes, since the client does not end this one. */
const TIMEOUTS = { maxWait: 60_000, timeout: 300_000 };

/** Prisma Client inside a transaction that other code began. */
interface JoinedClient {
  /** The delegate of a model. The client is loaded and joins when a method of it is first called. */
  readonly model: (name: string) => ModelDelegate;
  /** Call this before the transaction ends. Fails where the client could not join. */
  readonly leave: () => Promise<void>;
}

interface Participation {
  readonly client: Promise<unknown>;
  readonly leave: () => Promise<void>;
}

type LoadClient = () => Promise<PrismaClientLike>;

const join = (loadClient: LoadClient, transaction: DriverTransaction): Participation => {
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  let ended: Promise<void> = Promise.resolve();
  const joined = new Promise<unknown>((resolve, reject) => {
    ended = loadClient().then((client) =>
      transaction.join(() =>
        client.$transaction(async (transactionClient) => {
          resolve(transactionClient);
          await left;
        }, TIMEOUTS),
      ),
    );
    ended.catch(reject);
  });
  return {
    client: joined,
    leave: () => {
      leave();
      return ended;
    },
  };
};

/**
 * Lets Prisma Client join a transaction once a model of it is used. Most writes use none, and a transaction
 * of the client costs more than their statements.
 */
function createJoinedClient(loadClient: LoadClient, transaction: DriverTransaction): JoinedClient {
  let participation: Participation | undefined;
  const call = async (name: string, method: keyof ModelDelegate, args: unknown): Promise<unknown> => {
    participation ??= join(loadClient, transaction);
    const delegate = delegateOf(await participation.client, name);
    return Reflect.apply(delegate[method], delegate, [args]);
  };
  return {
    model: (name) => createDelegate((method, args) => call(name, method, args)),
    leave: async () => participation?.leave(),
  };
}

const MAX_ATTEMPTS = 12;
/** Few, since the second attempt reports the cause of nearly every conflict. */
const MAX_CONFLICTS = 3;
const INITIAL_BACKOFF_MS = 4;
const MAX_BACKOFF_MS = 250;
/** Long, since a transaction that only has to wait should not fail. */
const BEGIN_TIMEOUT_MS = 60_000;
const TRANSACTION_TIMEOUT_MS = 120_000;

/** The lock that retries hold, so that they run one at a time. */
const RETRY_LOCK = 'transactions run again';

interface TransactDependencies {
  readonly dialect: Dialect;
  readonly loadClient: () => Promise<PrismaClientLike>;
  readonly openAdapter: () => Promise<WriteAdapter>;
}

type UncommittedTransaction = Omit<Transaction, 'beforeCommit' | 'afterCommit'>;

interface TransactionWork<T> extends Required<TransactOptions> {
  readonly work: (tx: UncommittedTransaction) => Promise<T>;
}

type RunTransaction = <T>(work: TransactionWork<T>) => Promise<T>;

/** Returns a known driver error as `DatabaseError`, and any other error as it is. */
export function toDatabaseError(dialect: Dialect, error: unknown): unknown {
  if (isGalleyError(error) || error instanceof DatabaseError) return error;
  const driverError = dialect.errors.classify(error);
  return driverError === null ? error : new DatabaseError(driverError, error);
}

const openTransaction = (
  { driver, expressions }: Dialect,
  connection: DriverTransaction,
  model: Transaction['model'],
  isRetry: boolean,
): UncommittedTransaction => ({
  model,
  table: (table) => openRows(expressions, connection, table),
  execute: connection.execute,
  query: connection.query,
  runProjectCode: connection.share,
  lock: async (name) => {
    if (driver.advisoryLockSql !== null) await connection.query(driver.advisoryLockSql, [name]);
  },
  limitLockWaits: async () => {
    // A retry waits without limit, while the other transactions fail and yield to it.
    if (driver.lockTimeoutSql !== null && !isRetry) await connection.query(driver.lockTimeoutSql, []);
  },
});

const begin = (openAdapter: () => Promise<WriteAdapter>): Promise<DriverTransaction> => {
  const beginning = openAdapter().then((adapter) => adapter.begin());
  // A transaction that begins too late is not left open.
  return withDeadline(beginning, BEGIN_TIMEOUT_MS, () => {
    beginning.then((transaction) => transaction.rollback()).catch(() => undefined);
  });
};

const runOnce = async <T>(
  { dialect, loadClient, openAdapter }: TransactDependencies,
  { work, callsProjectCode }: TransactionWork<T>,
  isRetry: boolean,
): Promise<T> => {
  const connection = await begin(openAdapter);
  const joined = createJoinedClient(loadClient, connection);
  try {
    const tx = openTransaction(dialect, connection, joined.model, isRetry);
    if (isRetry) await tx.lock(RETRY_LOCK);
    const running = callsProjectCode ? tx.runProjectCode(() => work(tx)) : work(tx);
    const result = await withDeadline(running, TRANSACTION_TIMEOUT_MS);
    await joined.leave();
    await connection.commit();
    return result;
  } catch (error) {
    // The first error is the one to report.
    await joined.leave().catch(() => undefined);
    await connection.rollback().catch(() => undefined);
    throw error;
  }
};

/** Waits longer with each attempt, plus a random time, so that conflicting transactions do not meet again. */
const backOff = (attempts: number): Promise<void> =>
  sleep(Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** attempts) * (0.5 + Math.random()));

const kindOf = (error: unknown): string | null =>
  error instanceof DatabaseError ? error.driverError.kind : null;

const runWithRetries = async <T>(
  dependencies: TransactDependencies,
  work: TransactionWork<T>,
): Promise<T> => {
  let conflicts = 0;
  let isRetry = false;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await runOnce(dependencies, work, isRetry);
    } catch (error) {
      const databaseError = toDatabaseError(dependencies.dialect, error);
      const kind = kindOf(databaseError);
      const isConflict = kind === 'unique' || kind === 'foreign-key';
      if (isConflict) conflicts += 1;
      const isRepeated = isConflict ? work.retriesConflicts && conflicts < MAX_CONFLICTS : kind === 'retry';
      if (!isRepeated || attempts === MAX_ATTEMPTS) throw databaseError;
      isRetry = kind === 'retry';
    }
    // A conflict is with a write that is committed already.
    if (isRetry) await backOff(attempts);
  }
};

/**
 * Adds `beforeCommit` and `afterCommit` to the transactions of `run`. Only callbacks of the committed attempt
 * are called.
 */
const withCommitCallbacks =
  (run: RunTransaction): Database['transact'] =>
  async (work, { callsProjectCode = true, retriesConflicts = false } = {}) => {
    let callbacks: (() => Promise<void>)[] = [];
    const result = await run({
      callsProjectCode,
      retriesConflicts,
      work: async (tx) => {
        const lastSteps: typeof callbacks = [];
        const registered: typeof callbacks = [];
        callbacks = registered;
        const returned = await work({
          beforeCommit: (callback) => void lastSteps.push(callback),
          afterCommit: (callback) => void registered.push(callback),
          ...tx,
        });
        for (const step of lastSteps) await step();
        return returned;
      },
    });
    for (const callback of callbacks) await callback();
    return result;
  };

/**
 * Creates the function that runs transactions. It repeats transactions that conflict with another writer, and
 * runs one at a time if the database allows only one writer.
 */
export function createTransact(dependencies: TransactDependencies): Database['transact'] {
  if (!dependencies.dialect.driver.hasSingleWriter)
    return withCommitCallbacks((work) => runWithRetries(dependencies, work));
  const mutex = new Mutex();
  return withCommitCallbacks((work) => mutex.runExclusive(() => runWithRetries(dependencies, work)));
}
