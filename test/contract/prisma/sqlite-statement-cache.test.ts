import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cacheStatements } from '../../../src/prisma/sqlite-statement-cache.js';
import { brokenReach } from './reach.js';

const FILE = 'sqlite-statement-cache.ts';
const SELECT = {
  sql: 'select ? as value',
  args: [7],
  argTypes: [{ scalarType: 'int', arity: 'scalar' }],
} as const;

const openAdapter = async () => {
  const adapter = await new PrismaBetterSqlite3({ url: ':memory:' }).connect();
  onTestFinished(() => adapter.dispose());
  return adapter;
};

describe('the statement cache of SQLite', () => {
  it('finds the database of the adapter', async () => {
    const adapter = await openAdapter();
    expect(
      Reflect.get(adapter, 'client'),
      brokenReach(FILE, 'the private member `client` of the better-sqlite3 adapter'),
    ).toBeInstanceOf(Database);
  });

  it('prepares a statement once', async () => {
    const adapter = await openAdapter();
    const database = Reflect.get(adapter, 'client') as Database.Database;
    const prepare = vi.spyOn(database, 'prepare');
    cacheStatements(adapter);
    const first = await adapter.queryRaw({ ...SELECT, args: [7], argTypes: [...SELECT.argTypes] });
    const second = await adapter.queryRaw({ ...SELECT, args: [8], argTypes: [...SELECT.argTypes] });
    const message = brokenReach(FILE, 'the way in which the adapter runs statements');
    expect([first.rows, second.rows], message).toEqual([[[7]], [[8]]]);
    expect(first.columnNames, message).toEqual(['value']);
    expect(prepare, message).toHaveBeenCalledTimes(1);
  });

  it('returns what the adapter returns without it', async () => {
    const [cached, plain] = [await openAdapter(), await openAdapter()];
    cacheStatements(cached);
    const run = async (adapter: typeof plain) => {
      await adapter.executeScript(
        'create table t (id integer primary key, name text, at datetime, big bigint)',
      );
      const changes = await adapter.executeRaw({
        sql: 'insert into t (name, big) values (?, ?), (null, 9007199254740993)',
        args: ['a', '5'],
        argTypes: [
          { scalarType: 'string', arity: 'scalar' },
          { scalarType: 'bigint', arity: 'scalar' },
        ],
      });
      return [
        changes,
        await adapter.queryRaw({ sql: 'select * from t order by id', args: [], argTypes: [] }),
      ];
    };
    expect(await run(cached), brokenReach(FILE, 'the way in which the adapter runs statements')).toEqual(
      await run(plain),
    );
  });

  it('refuses an adapter that keeps its database elsewhere', async () => {
    const { provider, adapterName, queryRaw, executeRaw, executeScript, startTransaction, dispose } =
      await openAdapter();
    const other = { provider, adapterName, queryRaw, executeRaw, executeScript, startTransaction, dispose };
    expect(() => cacheStatements(other)).toThrow(TypeError);
  });
});
