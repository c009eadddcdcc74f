import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseOf } from '../../../../src/database/prisma/sqlite-database.js';
import { brokenReach } from './reach.js';

const openAdapter = async () => {
  const adapter = await new PrismaBetterSqlite3({ url: ':memory:' }).connect();
  onTestFinished(() => adapter.dispose());
  return adapter;
};

describe('the database of an adapter for SQLite', () => {
  it('is the connection on which the adapter runs statements', async () => {
    const adapter = await openAdapter();
    const message = brokenReach(
      'sqlite-database.ts',
      'the private member `client` of the better-sqlite3 adapter',
    );
    const database = databaseOf(adapter);
    expect(database, message).toBeInstanceOf(Database);
    database.function('seven', () => 7);
    const { rows } = await adapter.queryRaw({ sql: 'select seven()', args: [], argTypes: [] });
    expect(rows, message).toEqual([[7]]);
  });

  it('is missing in an adapter that lacks its property', async () => {
    const { provider, adapterName, queryRaw, executeRaw, executeScript, startTransaction, dispose } =
      await openAdapter();
    const other = { provider, adapterName, queryRaw, executeRaw, executeScript, startTransaction, dispose };
    expect(() => databaseOf(other)).toThrow(TypeError);
  });
});
