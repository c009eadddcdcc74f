/**
 * Reaches below Prisma's API: begins transactions on the driver adapter, and lets Prisma Client join them, by
 * the asynchronous context in which the client calls `startTransaction`. Needed because a transaction of the
 * client costs more than the statements of a write, and the client does not expose the driver's transaction.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  ArgType,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import { buildRecords } from '../../lib/records.js';
import type { PoolUse } from '../../lib/resources.js';

type RawRow = Readonly<Record<string, unknown>>;

/** Runs statements on a driver adapter directly, in a transaction that Prisma Client began. */
interface RawConnection {
  /** Returns the number of changed rows. */
  readonly execute: (sql: string, parameters: readonly unknown[]) => Promise<number>;
  readonly query: (sql: string, parameters: readonly unknown[]) => Promise<readonly RawRow[]>;
}

const scalar = (scalarType: ArgType['scalarType']): ArgType => Object.freeze({ scalarType, arity: 'scalar' });

/** Shared by all parameters. */
const ARG_TYPES = {
  string: scalar('string'),
  bigint: scalar('bigint'),
  boolean: scalar('boolean'),
  int: scalar('int'),
  float: scalar('float'),
  datetime: scalar('datetime'),
  unknown: scalar('unknown'),
};

const argTypeOf = (value: unknown): ArgType => {
  switch (typeof value) {
    case 'string':
      return ARG_TYPES.string;
    case 'bigint':
      return ARG_TYPES.bigint;
    case 'boolean':
      return ARG_TYPES.boolean;
    case 'number':
      return Number.isInteger(value) ? ARG_TYPES.int : ARG_TYPES.float;
    default:
      return value instanceof Date ? ARG_TYPES.datetime : ARG_TYPES.unknown;
  }
};

/** Prisma keeps the last hundred queries for its log. Those of bulks have thousands of values. */
const runQuery = async <Result>(
  sql: string,
  parameters: readonly unknown[],
  run: (query: SqlQuery) => Promise<Result>,
): Promise<Result> => {
  const query: SqlQuery = { sql, args: [...parameters], argTypes: parameters.map(argTypeOf) };
  try {
    return await run(query);
  } finally {
    query.args = [];
    query.argTypes = [];
  }
};

/** Wraps a connection of a driver adapter. The adapter converts parameters by their JavaScript type. */
function createRawConnection(connection: SqlQueryable): RawConnection {
  return {
    execute: (sql, parameters) => runQuery(sql, parameters, (query) => connection.executeRaw(query)),
    query: async (sql, parameters) => {
      const { columnNames, rows } = await runQuery(sql, parameters, (query) => connection.queryRaw(query));
      return buildRecords(rows, columnNames, (row, index) => row[index]);
    },
  };
}

/** A transaction of the driver. Its statements fail once it has ended. */
export interface DriverTransaction extends RawConnection {
  /** Rolls back where it fails. */
  readonly commit: () => Promise<void>;
  /** Does nothing to a transaction that has ended. */
  readonly rollback: () => Promise<void>;
  /** Runs `work`, in which a transaction that Prisma Client begins is this one. */
  readonly join: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Runs `work`, whose statements outside of this transaction do not wait until it ends where all share one
   * connection.
   */
  readonly share: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The adapter that Prisma Client writes through, and transactions that begin without the client. */
export interface WriteAdapter {
  /** Returns the use of its connections, if it has several. */
  readonly use?: () => PoolUse;
  readonly factory: SqlDriverAdapterFactory;
  /** Begins a transaction. The client need not be connected. */
  readonly begin: () => Promise<DriverTransaction>;
  /** Closes the connections. Does nothing if they are closed, or were never opened. */
  readonly close: () => Promise<void>;
}

/** Context of running code: the open transaction. `isJoining` is true while the client joins it. */
interface TransactionContext {
  readonly transaction: Transaction;
  readonly isJoining: boolean;
  readonly isOpen: () => boolean;
}

/**
 * Wraps the adapter of a dialect. `isInTransaction` returns true if the calling code runs in `share` or
 * `join` of an open transaction.
 */
export type AdapterDecorator = (
  adapter: SqlDriverAdapter,
  isInTransaction: () => boolean,
) => Promise<SqlDriverAdapter>;

/** A transaction for Prisma Client, which other code commits or rolls back. */
const withoutEnd = (transaction: Transaction): Transaction => ({
  provider: transaction.provider,
  adapterName: transaction.adapterName,
  // The client then sends no COMMIT.
  options: { usePhantomQuery: true },
  queryRaw: (query) => transaction.queryRaw(query),
  executeRaw: (query) => transaction.executeRaw(query),
  commit: async () => undefined,
  rollback: async () => undefined,
  createSavepoint: async (name) => transaction.createSavepoint?.(name),
  rollbackToSavepoint: async (name) => transaction.rollbackToSavepoint?.(name),
  releaseSavepoint: async (name) => transaction.releaseSavepoint?.(name),
});

const joinOpenTransaction = (
  adapter: SqlDriverAdapter,
  contexts: AsyncLocalStorage<TransactionContext>,
  dispose: () => Promise<void>,
): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => adapter.queryRaw(query),
  executeRaw: (query) => adapter.executeRaw(query),
  executeScript: (script) => adapter.executeScript(script),
  dispose,
  ...(adapter.getConnectionInfo === undefined
    ? {}
    : { getConnectionInfo: adapter.getConnectionInfo.bind(adapter) }),
  startTransaction: async (isolationLevel) => {
    const context = contexts.getStore();
    return context?.isJoining === true
      ? withoutEnd(context.transaction)
      : adapter.startTransaction(isolationLevel);
  },
});

/** Sends COMMIT or ROLLBACK, as Prisma Client does, unless the adapter sends it. */
const sendEnd = async (transaction: Transaction, statement: 'COMMIT' | 'ROLLBACK'): Promise<void> => {
  if (!transaction.options.usePhantomQuery)
    await transaction.executeRaw({ sql: statement, args: [], argTypes: [] });
};

const rollBack = async (transaction: Transaction): Promise<void> => {
  try {
    await sendEnd(transaction, 'ROLLBACK');
  } finally {
    await transaction.rollback();
  }
};

const commit = async (transaction: Transaction): Promise<void> => {
  try {
    await sendEnd(transaction, 'COMMIT');
  } catch (error) {
    // The first error is the one to report.
    await rollBack(transaction).catch(() => undefined);
    throw error;
  }
  await transaction.commit();
};

const openTransaction = (
  transaction: Transaction,
  contexts: AsyncLocalStorage<TransactionContext>,
): DriverTransaction => {
  const raw = createRawConnection(transaction);
  let isOpen = true;
  const connection = (): RawConnection => {
    if (!isOpen) throw new TypeError('No transaction is open');
    return raw;
  };
  const contextOf = (isJoining: boolean): TransactionContext => ({
    transaction,
    isJoining,
    isOpen: () => isOpen,
  });
  return {
    execute: async (sql, parameters) => connection().execute(sql, parameters),
    query: async (sql, parameters) => connection().query(sql, parameters),
    join: (work) => contexts.run(contextOf(true), work),
    share: (work) => contexts.run(contextOf(false), work),
    commit: () => {
      isOpen = false;
      return commit(transaction);
    },
    rollback: async () => {
      if (!isOpen) return;
      isOpen = false;
      await rollBack(transaction);
    },
  };
};

/** Wraps an adapter factory so that transactions can begin without Prisma Client, and it can join them. */
export function createWriteAdapter(
  factory: SqlDriverAdapterFactory,
  decorate: AdapterDecorator = async (adapter) => adapter,
): WriteAdapter {
  const contexts = new AsyncLocalStorage<TransactionContext>();
  let connected: Promise<SqlDriverAdapter> | undefined;
  const open = async (): Promise<SqlDriverAdapter> =>
    decorate(await factory.connect(), () => contexts.getStore()?.isOpen() === true);
  /** Prisma Client and the transactions that begin without it share the connections. */
  const connect = (): Promise<SqlDriverAdapter> => {
    connected ??= open().catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return connected;
  };
  const close = async (): Promise<void> => {
    const closing = connected;
    connected = undefined;
    await (await closing)?.dispose();
    // Node.js calls each enabled storage for every promise of the process.
    contexts.disable();
  };
  return {
    factory: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () => joinOpenTransaction(await connect(), contexts, close),
    },
    begin: async () => openTransaction(await (await connect()).startTransaction(), contexts),
    close,
  };
}
