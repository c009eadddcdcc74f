import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, Transaction } from '@prisma/driver-adapter-utils';
import { createRawConnection } from './raw-statement.js';
import type { RawConnection } from './raw-statement.js';

/** The way to the database for writes: what Prisma Client is made with, and the connection under a transaction it has begun. */
export interface WriteAdapter {
  readonly factory: SqlDriverAdapterFactory;
  /**
   * Runs `work`, which begins one transaction through Prisma Client; from then on `connection()` is that transaction's connection.
   * Statements there cost a fraction of Prisma Client's.
   */
  readonly watch: <T>(work: (connection: () => RawConnection) => Promise<T>) => Promise<T>;
}

interface Watched {
  connection: RawConnection | null;
}

/** How a dialect changes the adapter it was given. `isInTransaction` asks whether the calling code runs in a watched transaction. */
export type AdapterChange = (adapter: SqlDriverAdapter, isInTransaction: () => boolean) => Promise<SqlDriverAdapter>;

const watchStarts = (adapter: SqlDriverAdapter, begun: (transaction: Transaction) => void): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => adapter.queryRaw(query),
  executeRaw: (query) => adapter.executeRaw(query),
  executeScript: (script) => adapter.executeScript(script),
  dispose: () => adapter.dispose(),
  ...(adapter.getConnectionInfo === undefined ? {} : { getConnectionInfo: adapter.getConnectionInfo.bind(adapter) }),
  startTransaction: async (isolationLevel) => {
    const transaction = await adapter.startTransaction(isolationLevel);
    begun(transaction);
    return transaction;
  },
});

/** Wraps an adapter factory so that the transactions begun through it can be watched. */
export function createWriteAdapter(factory: SqlDriverAdapterFactory, change: AdapterChange = async (adapter) => adapter): WriteAdapter {
  // Prisma Client does not hand out the connection of a transaction; the call that begins it can be told by where it comes from.
  const current = new AsyncLocalStorage<Watched>();
  let watching = 0;
  const isInTransaction = (): boolean => (current.getStore()?.connection ?? null) !== null;
  return {
    factory: {
      provider: factory.provider,
      adapterName: factory.adapterName,
      connect: async () =>
        watchStarts(await change(await factory.connect(), isInTransaction), (transaction) => {
          const watched = current.getStore();
          if (watched !== undefined) watched.connection ??= createRawConnection(transaction);
        }),
    },
    watch: (work) => {
      const watched: Watched = { connection: null };
      const connection = (): RawConnection => {
        if (watched.connection === null) throw new TypeError('No transaction is open');
        return watched.connection;
      };
      watching += 1;
      return current.run(watched, async () => {
        try {
          return await work(connection);
        } finally {
          watched.connection = null;
          watching -= 1;
          // While it is in use it makes every promise of the process dearer, those of reads too.
          if (watching === 0) current.disable();
        }
      });
    },
  };
}
