/**
 * Reaches below Prisma's API: reads the private `client` of the better-sqlite3 adapter. Needed because the
 * adapter has no option to add SQL functions, which compiled reads call within transactions.
 */
import type { Database as SqliteDatabase } from 'better-sqlite3';
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils';

const isDatabase = (value: unknown): value is SqliteDatabase =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'function') === 'function';

/**
 * Returns the database of an adapter of `@prisma/adapter-better-sqlite3`.
 *
 * @throws TypeError where the adapter has no such `client`
 */
export function databaseOf(adapter: SqlDriverAdapter): SqliteDatabase {
  const database: unknown = Reflect.get(adapter, 'client');
  if (!isDatabase(database))
    throw new TypeError('The better-sqlite3 adapter has no database as its `client`');
  return database;
}
