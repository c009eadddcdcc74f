/**
 * Reaches below Prisma's API: finds the driver's transaction under a transaction of Prisma Client, by the
 * asynchronous context in which the client calls `startTransaction`. Needed because the client does not
 * expose it, and raw statements of the client cost several times as much as those of the driver.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';
import { createRawConnection } from './raw-connection.js';
import type { RawConnection } from './raw-connection.js';

/** The adapter that Prisma Client writes through, and access to the connection of its transactions. */
export interface WriteAdapter {
  readonly factory: SqlDriverAdapterFactory;
  /**
   * Runs `work`, which begins one transaction through Prisma Client. From then on `connection()` returns the
   * connection of that transaction; before and after it throws.
   */
  readonly withTransactionConnection: <T>(
    work: (connection: () => RawConnection) => Promise<T>,
  ) => Promise<T>;
}

/** The connection of a transaction, once Prisma Client has begun it. */
interface TransactionCapture {
  connection: RawConnection | null;
}

/**
 * Wraps the adapter of a dialect. `isInTransaction` returns whether the calling code runs in a transaction of
 * `withTransactionConnection`.
 */
export type AdapterDecorator = (
  adapter: SqlDriverAdapter,
  isInTransaction: () => boolean,
) => Promise<SqlDriverAdapter>;

const notifyTransactionStart = (
  adapter: SqlDriverAdapter,
  onStart: (transaction: Transaction) => void,
): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => adapter.queryRaw(query),
  executeRaw: (query) => adapter.executeRaw(query),
  executeScript: (script) => adapter.executeScript(script),
  dispose: () => adapter.dispose(),
  ...(adapter.getConnectionInfo === undefined
    ? {}
    : { getConnectionInfo: adapter.getConnectionInfo.bind(adapter) }),
  startTransaction: async (isolationLevel) => {
    const transaction = await adapter.startTransaction(isolationLevel);
    onStart(transaction);
    return transaction;
  },
});

/** Wraps an adapter factory so that the connections of its transactions can be found. */
export function createWriteAdapter(
  factory: SqlDriverAdapterFactory,
  decorate: AdapterDecorator = async (adapter) => adapter,
): WriteAdapter {
  const current = new AsyncLocalStorage<TransactionCapture>();
  let activeCaptures = 0;
  const isInTransaction = (): boolean => (current.getStore()?.connection ?? null) !== null;
  return {
    factory: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () =>
        notifyTransactionStart(await decorate(await factory.connect(), isInTransaction), (transaction) => {
          const capture = current.getStore();
          if (capture !== undefined) capture.connection ??= createRawConnection(transaction);
        }),
    },
    withTransactionConnection: (work) => {
      const capture: TransactionCapture = { connection: null };
      const connection = (): RawConnection => {
        if (capture.connection === null) throw new TypeError('No transaction is open');
        return capture.connection;
      };
      activeCaptures += 1;
      return current.run(capture, async () => {
        try {
          return await work(connection);
        } finally {
          capture.connection = null;
          activeCaptures -= 1;
          // An enabled AsyncLocalStorage slows down every promise of the process, also those of reads.
          if (activeCaptures === 0) current.disable();
        }
      });
    },
  };
}
