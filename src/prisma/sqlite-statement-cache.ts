/**
 * Reaches below Prisma's API: replaces the private `client` of the better-sqlite3 adapter. Needed because the
 * adapter prepares every statement again at each run, which is about a fifth of the CPU time of a write, and
 * has no option to cache them.
 */
import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { LRUCache } from 'lru-cache';

const MAX_STATEMENTS = 300;

/** The members of a bound statement that the adapter uses. */
interface BoundStatement {
  readonly reader: boolean;
  readonly run: () => unknown;
  readonly columns: () => unknown;
  readonly raw: () => { readonly all: () => unknown };
}

/** The members of the database that the adapter uses. */
interface AdapterDatabase {
  readonly prepare: (sql: string) => {
    readonly run: () => unknown;
    readonly bind: (args: readonly unknown[]) => BoundStatement;
  };
  readonly exec: (script: string) => unknown;
  readonly close: () => unknown;
}

const isDatabase = (value: unknown): value is SqliteDatabase =>
  typeof value === 'object' &&
  value !== null &&
  ['prepare', 'exec', 'close'].every((name) => typeof Reflect.get(value, name) === 'function');

type RawStatement = Statement<unknown[], unknown>;

const prepareRaw = (database: SqliteDatabase, sql: string): RawStatement => {
  const statement = database.prepare<unknown[], unknown>(sql);
  return statement.reader ? statement.raw() : statement;
};

const bind = ({ statement, columns }: CachedStatement, args: readonly unknown[]): BoundStatement => ({
  reader: statement.reader,
  run: () => statement.run(...args),
  columns,
  raw: () => ({ all: () => statement.all(...args) }),
});

/** A statement and its columns, which the adapter reads at every run. */
interface CachedStatement {
  readonly statement: RawStatement;
  readonly columns: () => unknown;
}

const cacheColumns = (statement: RawStatement): CachedStatement => {
  let columns: unknown;
  return { statement, columns: () => (columns ??= statement.columns()) };
};

const withStatementCache = (database: SqliteDatabase): AdapterDatabase => {
  const statements = new LRUCache<string, CachedStatement>({ max: MAX_STATEMENTS });
  const prepare = (sql: string): CachedStatement => {
    const cached = statements.get(sql);
    if (cached !== undefined) return cached;
    const prepared = cacheColumns(prepareRaw(database, sql));
    statements.set(sql, prepared);
    return prepared;
  };
  return {
    prepare: (sql) => {
      const cached = prepare(sql);
      return { run: () => cached.statement.run(), bind: (args) => bind(cached, args) };
    },
    exec: (script) => database.exec(script),
    close: () => database.close(),
  };
};

/**
 * Makes an adapter of `@prisma/adapter-better-sqlite3` keep its prepared statements. Returns the database of
 * the adapter.
 *
 * @throws TypeError where the adapter has no such `client`
 */
export function cacheStatements(adapter: SqlDriverAdapter): SqliteDatabase {
  const database: unknown = Reflect.get(adapter, 'client');
  if (!isDatabase(database))
    throw new TypeError('The better-sqlite3 adapter has no database as its `client`');
  Reflect.set(adapter, 'client', withStatementCache(database));
  return database;
}
