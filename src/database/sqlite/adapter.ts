import { setTimeout as sleep } from 'node:timers/promises';
import type { IsolationLevel, SqlDriverAdapter, Transaction } from '@prisma/driver-adapter-utils';
import { Mutex } from 'async-mutex';
import { isSqliteBusy, loadDriver, sqlitePath } from './driver.js';
import { addUnlimitedFunctions } from './functions.js';
import { databaseOf } from '../prisma/sqlite-database.js';
import { ANALYSIS_LIMIT } from './objects.js';
import { createWriteAdapter } from '../prisma/write-adapter.js';
import type { AdapterDecorator, WriteAdapter } from '../prisma/write-adapter.js';

/** SQLite itself never waits for other processes, since waiting would block this one. */
const BUSY_TIMEOUT_MS = 0;
const MAX_RETRY_DELAY_MS = 25;
/** Maximum time to retry a write while another process locks the file. */
const RETRY_TIMEOUT_MS = 30_000;

/**
 * The number of pages in the write-ahead log at which it is copied into the database file. A page is copied
 * once, however often it was written, so rare checkpoints cost less.
 */
const CHECKPOINT_PAGES = 4000;

const SETTINGS = `PRAGMA journal_mode = WAL;
  PRAGMA foreign_keys = ON;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  PRAGMA analysis_limit = ${ANALYSIS_LIMIT}`;

/** Retries while another process is writing. This process can serve requests between the attempts. */
const retryWhileBusy = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + RETRY_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isSqliteBusy(error) || Date.now() >= deadline) throw error;
    }
    await sleep(1 + Math.random() * MAX_RETRY_DELAY_MS);
  }
};

const execute = (adapter: SqlDriverAdapter, sql: string): Promise<number> =>
  adapter.executeRaw({ sql, args: [], argTypes: [] });

/** Prisma Client sends COMMIT and ROLLBACK as statements, and calls `commit` and `rollback` after them. */
const createTransaction = (adapter: SqlDriverAdapter, release: () => void): Transaction => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  options: { usePhantomQuery: false },
  queryRaw: (query) => adapter.queryRaw(query),
  executeRaw: (query) => adapter.executeRaw(query),
  commit: async () => release(),
  rollback: async () => release(),
  createSavepoint: async (name) => void (await execute(adapter, `SAVEPOINT ${name}`)),
  rollbackToSavepoint: async (name) => void (await execute(adapter, `ROLLBACK TO ${name}`)),
  releaseSavepoint: async (name) => void (await execute(adapter, `RELEASE SAVEPOINT ${name}`)),
});

const assertSerializable = async (level: IsolationLevel | undefined): Promise<void> => {
  if (level === undefined || level === 'SERIALIZABLE') return;
  const { DriverAdapterError } = await import('@prisma/driver-adapter-utils');
  throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level });
};

/**
 * Begins a transaction that holds the write lock from the start. Transactions of the unchanged adapter begin
 * as readers, and fail as soon as they write where another process has written in between.
 */
const beginImmediate = async (adapter: SqlDriverAdapter, mutex: Mutex): Promise<Transaction> => {
  const release = await mutex.acquire();
  try {
    await retryWhileBusy(() => execute(adapter, 'BEGIN IMMEDIATE'));
    return createTransaction(adapter, release);
  } catch (error) {
    release();
    throw error;
  }
};

/** All statements share one connection, so statements outside of the open transaction wait until it ends. */
const serializeStatements: AdapterDecorator = async (adapter, isInTransaction) => {
  // Transactions run compiled reads too.
  addUnlimitedFunctions(databaseOf(adapter));
  const mutex = new Mutex();
  const runExclusive = <T>(statement: () => Promise<T>): Promise<T> =>
    isInTransaction() ? statement() : mutex.runExclusive(() => retryWhileBusy(statement));
  await retryWhileBusy(() => adapter.executeScript(SETTINGS));
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => runExclusive(() => adapter.queryRaw(query)),
    executeRaw: (query) => runExclusive(() => adapter.executeRaw(query)),
    executeScript: (script) => runExclusive(() => adapter.executeScript(script)),
    dispose: () => adapter.dispose(),
    startTransaction: async (isolationLevel) => {
      await assertSerializable(isolationLevel);
      if (isInTransaction()) throw new TypeError('A transaction cannot begin inside another one');
      return beginImmediate(adapter, mutex);
    },
  };
};

/** Creates the adapter that Prisma Client writes through, on one connection in WAL mode. */
export async function createSqliteAdapter(url: string): Promise<WriteAdapter> {
  await loadDriver();
  const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3');
  return createWriteAdapter(
    new PrismaBetterSqlite3({ url: `file:${sqlitePath(url)}`, timeout: BUSY_TIMEOUT_MS }),
    serializeStatements,
  );
}
