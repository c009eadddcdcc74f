import type { Database as SqliteDatabase, Statement } from 'better-sqlite3';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';
import { createLruCache } from '../lib/lru-cache.js';

const STATEMENTS = 300;

/** What the adapter asks of a statement that it has bound its arguments to. */
interface BoundStatement {
  readonly reader: boolean;
  readonly run: () => unknown;
  readonly columns: () => unknown;
  readonly raw: () => { readonly all: () => unknown };
}

/** What the adapter asks of its database. */
interface AdapterDatabase {
  readonly prepare: (sql: string) => { readonly run: () => unknown; readonly bind: (args: readonly unknown[]) => BoundStatement };
  readonly exec: (script: string) => unknown;
  readonly close: () => unknown;
}

const isDatabase = (value: unknown): value is SqliteDatabase =>
  typeof value === 'object' && value !== null && ['prepare', 'exec', 'close'].every((name) => typeof Reflect.get(value, name) === 'function');

type RawStatement = Statement<unknown[], unknown>;

const prepareRaw = (database: SqliteDatabase, sql: string): RawStatement => {
  const statement = database.prepare<unknown[], unknown>(sql);
  return statement.reader ? statement.raw() : statement;
};

const bind = ({ statement, columns }: KeptStatement, args: readonly unknown[]): BoundStatement => ({
  reader: statement.reader,
  run: () => statement.run(...args),
  columns,
  raw: () => ({ all: () => statement.all(...args) }),
});

/** A statement and what the adapter asks about its columns at every run, which is always the same. */
interface KeptStatement {
  readonly statement: RawStatement;
  readonly columns: () => unknown;
}

const keep = (statement: RawStatement): KeptStatement => {
  let columns: unknown;
  return { statement, columns: () => (columns ??= statement.columns()) };
};

const remembering = (database: SqliteDatabase): AdapterDatabase => {
  const statements = createLruCache<string, KeptStatement>(STATEMENTS);
  const prepare = (sql: string): KeptStatement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const made = keep(prepareRaw(database, sql));
    statements.set(sql, made);
    return made;
  };
  return {
    prepare: (sql) => {
      const kept = prepare(sql);
      return { run: () => kept.statement.run(), bind: (args) => bind(kept, args) };
    },
    exec: (script) => database.exec(script),
    close: () => database.close(),
  };
};

/**
 * Lets an adapter keep the statements it prepares, which it would prepare anew at every run: a tenth of a write's time. The adapter has no
 * option for it, so its database is replaced; one that keeps it elsewhere is left as it is.
 */
export function rememberStatements(adapter: SqlDriverAdapter): void {
  const database: unknown = Reflect.get(adapter, 'client');
  if (isDatabase(database)) Reflect.set(adapter, 'client', remembering(database));
}
