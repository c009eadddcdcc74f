import type { SqlDriverAdapter, SqlQueryable } from '@prisma/driver-adapter-utils';
import { createStatementNames, openPostgresPool, rollBack, useOf } from './connections.js';
import { createWriteAdapter } from '../prisma/write-adapter.js';
import type { AdapterDecorator, WriteAdapter } from '../prisma/write-adapter.js';

/** The driver treats an empty name as no name. */
const UNNAMED = '';

/** Long, so that writes of a burst wait instead of failing. */
const CONNECTION_TIMEOUT_MS = 60_000;

const execute = (queryable: SqlQueryable, sql: string): Promise<number> =>
  queryable.executeRaw({ sql, args: [], argTypes: [] });

/** Begins each transaction with settings, where sessions do not keep them. */
const withSettings =
  (settings: string): AdapterDecorator =>
  async (adapter) => {
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await begin(isolationLevel);
      try {
        await execute(transaction, settings);
        return transaction;
      } catch (error) {
        await rollBack((sql) => execute(transaction, sql));
        await transaction.rollback();
        throw error;
      }
    };
    return adapter;
  };

/** Statements of Prisma Client that read only. */
const READ = /^\s*select\b/i;

/** Reports each commit, of transactions and of single statements. */
const noteWrites = (adapter: SqlDriverAdapter, onWrite: () => void): SqlDriverAdapter => {
  const queryRaw = adapter.queryRaw.bind(adapter);
  const executeRaw = adapter.executeRaw.bind(adapter);
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    if (!READ.test(query.sql)) onWrite();
    return result;
  };
  adapter.executeRaw = async (query) => {
    const changed = await executeRaw(query);
    onWrite();
    return changed;
  };
  adapter.startTransaction = async (isolationLevel) => {
    const transaction = await startTransaction(isolationLevel);
    const commit = transaction.commit.bind(transaction);
    transaction.commit = async () => {
      await commit();
      onWrite();
    };
    return transaction;
  };
  return adapter;
};

/**
 * Creates the adapter that Prisma Client writes through, with a separate pool. Statements are named unless
 * sessions are pooled. Prisma Client writes the name of the schema into every statement.
 */
export async function createPostgresAdapter(
  url: string,
  onWrite: () => void = () => undefined,
): Promise<WriteAdapter> {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { pool, kind } = await openPostgresPool(url, {
    settings: [],
    connectionTimeoutMs: CONNECTION_TIMEOUT_MS,
  });
  const nameOf = createStatementNames('galley_');
  const factory = new PrismaPg(pool, {
    schema: kind.schema,
    disposeExternalPool: true,
    statementNameGenerator: ({ sql }) => (kind.isPooled ? UNNAMED : (nameOf(sql) ?? UNNAMED)),
  });
  const { transactionSettings } = kind;
  const decorate: AdapterDecorator =
    transactionSettings === null ? async (adapter) => adapter : withSettings(transactionSettings);
  const adapter = createWriteAdapter(factory, async (connected, isInTransaction) =>
    noteWrites(await decorate(connected, isInTransaction), onWrite),
  );
  return { ...adapter, use: () => useOf(pool) };
}
