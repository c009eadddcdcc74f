import { SqliteAdapter, SqliteQueryCompiler } from 'kysely';
import type { ColumnKind } from '../lib/stored-value.js';
import { createCompilingKysely } from './compiling-kysely.js';
import type { Dialect } from './dialect.js';
import { createSqliteAdapter } from './sqlite-adapter.js';
import { SQLITE_CHANGE_FEED } from './sqlite-change-feed.js';
import { SQLITE_EXPRESSIONS } from './sqlite-expressions.js';
import { readSqliteFault } from './sqlite-faults.js';
import { SQLITE_MIGRATIONS } from './sqlite-migrations.js';
import { openSqliteReads } from './sqlite-reads.js';
import { encodeForSqlite, encodeListForSqlite } from './sqlite-values.js';

const TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'String',
  integer: 'Int',
  bigint: 'BigInt',
  double: 'Float',
  boolean: 'Boolean',
  datetime: 'DateTime',
  json: 'Json',
};

/** SQLite through better-sqlite3, in WAL mode. */
export const sqlite: Dialect = Object.freeze({
  name: 'sqlite',
  prismaProvider: 'sqlite',
  singleWriter: true,
  maxParameters: 32_766,
  namesConstraints: false,
  prismaType: (kind) => ({ type: TYPES[kind], attribute: null }),
  migrations: SQLITE_MIGRATIONS,
  changeFeed: SQLITE_CHANGE_FEED,
  kysely: createCompilingKysely({ createAdapter: () => new SqliteAdapter(), createQueryCompiler: () => new SqliteQueryCompiler() }),
  ...SQLITE_EXPRESSIONS,
  encode: encodeForSqlite,
  encodeList: encodeListForSqlite,
  openReads: (url) => openSqliteReads(url, sqlite),
  createWriteAdapter: createSqliteAdapter,
  lockName: null,
  limitWaits: null,
  readFault: readSqliteFault,
} satisfies Dialect);
