import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlDriverAdapter, SqlQueryable, Transaction } from '@prisma/driver-adapter-utils';
import { createTurns } from '../lib/turns.js';
import type { Turns } from '../lib/turns.js';
import { isSqliteBusy } from './sqlite-faults.js';
import { rememberStatements } from './sqlite-statement-cache.js';
import { sqlitePath } from './sqlite-url.js';
import { createWriteAdapter } from './write-adapter.js';
import type { AdapterChange, WriteAdapter } from './write-adapter.js';

/** How long SQLite itself waits for other processes: not at all, since that would stop this one. */
const BLOCKING_WAIT_MS = 0;
const LONGEST_PAUSE_MS = 25;
/** How long another process may keep the file before a write is given up. */
const PATIENCE_MS = 30_000;

/** Pages of the journal that are copied to the file at once: as each page is copied once however often it was written, fewer copyings cost less. */
const CHECKPOINT_PAGES = 4000;

const SETTINGS = `PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`;

/** Tries until no other process is writing, leaving this one free to serve meanwhile. */
const whenFree = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isSqliteBusy(error) || Date.now() >= deadline) throw error;
    }
    await sleep(1 + Math.random() * LONGEST_PAUSE_MS);
  }
};

const plain = (connection: SqlQueryable, sql: string): Promise<number> => connection.executeRaw({ sql, args: [], argTypes: [] });

/**
 * The adapter begins transactions that only read at first; one that writes later fails at once when another process wrote in between,
 * however long it might wait. So it is begun again as one that writes.
 */
const beginWriting = async (transaction: Transaction): Promise<void> => {
  await plain(transaction, 'ROLLBACK');
  try {
    await whenFree(() => plain(transaction, 'BEGIN IMMEDIATE'));
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
};

const endsTurn = (transaction: Transaction, pass: () => void): Transaction => ({
  provider: transaction.provider,
  adapterName: transaction.adapterName,
  options: transaction.options,
  queryRaw: (query) => transaction.queryRaw(query),
  executeRaw: (query) => transaction.executeRaw(query),
  commit: () => transaction.commit().finally(pass),
  rollback: () => transaction.rollback().finally(pass),
  createSavepoint: async (name) => transaction.createSavepoint?.(name),
  rollbackToSavepoint: async (name) => transaction.rollbackToSavepoint?.(name),
  releaseSavepoint: async (name) => transaction.releaseSavepoint?.(name),
});

const startInTurn = async (adapter: SqlDriverAdapter, turns: Turns, isolationLevel: Parameters<SqlDriverAdapter['startTransaction']>[0]): Promise<Transaction> => {
  const pass = await turns.take();
  try {
    const transaction = await adapter.startTransaction(isolationLevel);
    await beginWriting(transaction);
    return endsTurn(transaction, pass);
  } catch (error) {
    pass();
    throw error;
  }
};

/** All statements share one connection, so whatever does not belong to the open transaction has to wait for its end. */
const takeTurns: AdapterChange = async (adapter, isInTransaction) => {
  rememberStatements(adapter);
  const turns = createTurns();
  const inTurn = <T>(statement: () => Promise<T>): Promise<T> => (isInTransaction() ? statement() : turns.run(() => whenFree(statement)));
  await whenFree(() => adapter.executeScript(SETTINGS));
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    queryRaw: (query) => inTurn(() => adapter.queryRaw(query)),
    executeRaw: (query) => inTurn(() => adapter.executeRaw(query)),
    executeScript: (script) => inTurn(() => adapter.executeScript(script)),
    dispose: () => adapter.dispose(),
    startTransaction: async (isolationLevel) => {
      if (isInTransaction()) throw new TypeError('A transaction cannot begin inside another one');
      return startInTurn(adapter, turns, isolationLevel);
    },
  };
};

export async function createSqliteAdapter(url: string): Promise<WriteAdapter> {
  const { PrismaBetterSqlite3 } = await import('@prisma/adapter-better-sqlite3');
  return createWriteAdapter(new PrismaBetterSqlite3({ url: `file:${sqlitePath(url)}`, timeout: BLOCKING_WAIT_MS }), takeTurns);
}
