import { setTimeout as sleep } from 'node:timers/promises';
import type { IsolationLevel, SqlDriverAdapter, SqlQuery } from '@prisma/driver-adapter-utils';
import { Mutex } from 'async-mutex';
import { createWriteAdapter } from '../prisma/write-adapter.js';
import type { AdapterDecorator, WriteAdapter } from '../prisma/write-adapter.js';
import { columnTypesOf, toAdapterError, toBindable, toResults } from './adapter-values.js';
import { isSqliteBusy, loadDriver, sqlitePath } from './driver.js';
import { SqliteError } from './drivers/connection.js';
import type { SqliteConnection } from './drivers/connection.js';
import { addUnlimitedFunctions } from './functions.js';
import { ANALYSIS_LIMIT } from './objects.js';

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

type AdapterUtils = typeof import('@prisma/driver-adapter-utils');

const PROVIDER = { provider: 'sqlite', adapterName: 'galley-sqlite' } as const;

const createQueryable = (
  connection: SqliteConnection,
  { ColumnTypeEnum: types, DriverAdapterError }: AdapterUtils,
) => {
  const run = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      throw error instanceof SqliteError ? new DriverAdapterError(toAdapterError(error)) : error;
    }
  };
  const bindable = ({ args, argTypes }: SqlQuery): readonly unknown[] =>
    args.map((value, index) => toBindable(value, argTypes[index]));
  return {
    ...PROVIDER,
    queryRaw: (query) =>
      run(() => {
        const statement = connection.prepare(query.sql, { bigints: true });
        const columns = statement.columns();
        if (columns.length === 0) {
          statement.run(bindable(query));
          return { columnNames: [], columnTypes: [], rows: [] };
        }
        const rows = statement.rows(bindable(query));
        const columnTypes = columnTypesOf(types, columns, rows);
        return {
          columnNames: columns.map(({ name }) => name),
          columnTypes,
          rows: toResults(types, rows, columnTypes),
        };
      }),
    executeRaw: (query) => run(() => connection.prepare(query.sql).run(bindable(query))),
    executeScript: (script) => run(() => connection.exec(script)),
  } satisfies Partial<SqlDriverAdapter>;
};

const assertSerializable = (
  level: IsolationLevel | undefined,
  { DriverAdapterError }: AdapterUtils,
): void => {
  if (level !== undefined && level !== 'SERIALIZABLE')
    throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level });
};

/**
 * Creates the adapter of a connection. A transaction holds the write lock from the start: one that began as a
 * reader would fail as soon as it writes where another process has written in between.
 */
const createAdapter = (connection: SqliteConnection, utils: AdapterUtils): SqlDriverAdapter => {
  const queryable = createQueryable(connection, utils);
  const { executeScript } = queryable;
  return {
    ...queryable,
    dispose: async () => connection.close(),
    startTransaction: async (isolationLevel) => {
      assertSerializable(isolationLevel, utils);
      await executeScript('BEGIN IMMEDIATE');
      return {
        ...queryable,
        // Prisma Client sends COMMIT and ROLLBACK as statements, and calls these functions after them.
        options: { usePhantomQuery: false },
        commit: async () => undefined,
        rollback: async () => undefined,
        createSavepoint: (name) => executeScript(`SAVEPOINT ${name}`),
        rollbackToSavepoint: (name) => executeScript(`ROLLBACK TO ${name}`),
        releaseSavepoint: (name) => executeScript(`RELEASE SAVEPOINT ${name}`),
      };
    },
  };
};

/** All statements share one connection, so statements outside of the open transaction wait until it ends. */
const serializeStatements: AdapterDecorator = async (adapter, isInTransaction) => {
  const mutex = new Mutex();
  const runExclusive = <T>(statement: () => Promise<T>): Promise<T> =>
    isInTransaction() ? statement() : mutex.runExclusive(() => retryWhileBusy(statement));
  await retryWhileBusy(() => adapter.executeScript(SETTINGS));
  return {
    ...PROVIDER,
    queryRaw: (query) => runExclusive(() => adapter.queryRaw(query)),
    executeRaw: (query) => runExclusive(() => adapter.executeRaw(query)),
    executeScript: (script) => runExclusive(() => adapter.executeScript(script)),
    dispose: () => adapter.dispose(),
    startTransaction: async (isolationLevel) => {
      if (isInTransaction()) throw new TypeError('A transaction cannot begin inside another one');
      const release = await mutex.acquire();
      const end = async (): Promise<void> => release();
      try {
        const transaction = await retryWhileBusy(() => adapter.startTransaction(isolationLevel));
        return { ...transaction, commit: end, rollback: end };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
};

/** Creates the adapter that Prisma Client writes through, on one connection in WAL mode. */
export async function createSqliteAdapter(url: string): Promise<WriteAdapter> {
  const open = await loadDriver();
  const utils = await import('@prisma/driver-adapter-utils');
  const connect = async (): Promise<SqlDriverAdapter> => {
    const connection = open(sqlitePath(url), { mode: 'create', busyTimeoutMs: BUSY_TIMEOUT_MS });
    // Transactions run compiled reads too.
    addUnlimitedFunctions(connection);
    return createAdapter(connection, utils);
  };
  return createWriteAdapter({ ...PROVIDER, connect }, serializeStatements);
}
