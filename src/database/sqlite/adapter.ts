import { setTimeout as sleep } from 'node:timers/promises';
import { Buffer } from 'node:buffer';
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlQuery,
  ArgType,
  ColumnType,
  Error as AdapterError,
  ResultValue,
} from '@prisma/driver-adapter-utils';
import { Mutex } from 'async-mutex';
import { LRUCache } from 'lru-cache';
import { getOrCreate } from '../../lib/collections.js';
import { createWriteAdapter } from '../prisma/write-adapter.js';
import type { AdapterDecorator, WriteAdapter } from '../prisma/write-adapter.js';
import { isSqliteBusy, loadDriver, sqlitePath } from './driver.js';
import { SqliteError } from './drivers/connection.js';
import type {
  PrepareOptions,
  SqliteColumn,
  SqliteConnection,
  SqliteStatement,
} from './drivers/connection.js';
import { addUnlimitedFunctions } from './functions.js';
import { ANALYSIS_LIMIT } from './objects.js';

type ColumnTypes = typeof import('@prisma/driver-adapter-utils').ColumnTypeEnum;

// Values, types and errors are converted between SQLite and the driver adapters of Prisma Client.

/** The column types of Prisma, by the types in definitions of tables. */
const DECLARED: Readonly<Record<string, keyof ColumnTypes>> = {
  BIGINT: 'Int64',
  INT8: 'Int64',
  'UNSIGNED BIG INT': 'Int64',
  INTEGER: 'Int32',
  INT: 'Int32',
  INT2: 'Int32',
  MEDIUMINT: 'Int32',
  SMALLINT: 'Int32',
  TINYINT: 'Int32',
  SERIAL: 'Int32',
  DOUBLE: 'Double',
  'DOUBLE PRECISION': 'Double',
  NUMERIC: 'Double',
  REAL: 'Double',
  FLOAT: 'Float',
  DECIMAL: 'Numeric',
  BOOLEAN: 'Boolean',
  DATETIME: 'DateTime',
  TIMESTAMP: 'DateTime',
  DATE: 'Date',
  TIME: 'Time',
  JSONB: 'Json',
  BLOB: 'Bytes',
  TEXT: 'Text',
  CLOB: 'Text',
  CHARACTER: 'Text',
  NCHAR: 'Text',
  'NATIVE CHARACTER': 'Text',
  VARCHAR: 'Text',
  'VARYING CHARACTER': 'Text',
  NVARCHAR: 'Text',
};

/** Returns the type of a column without a known declared type, by a value. */
const typeNameOf = (value: unknown): keyof ColumnTypes => {
  switch (typeof value) {
    case 'string':
      return 'Text';
    case 'bigint':
      return 'Int64';
    case 'number':
      return 'UnknownNumber';
    default:
      return value instanceof Uint8Array ? 'Bytes' : 'Int32';
  }
};

/** Returns the types of the columns of rows, as Prisma Client needs them. */
export const columnTypesOf = (
  types: ColumnTypes,
  columns: readonly SqliteColumn[],
  rows: readonly (readonly unknown[])[],
): ColumnType[] =>
  columns.map(({ declaredType }, index) => {
    const declared = DECLARED[declaredType?.toUpperCase() ?? ''];
    const example = rows.find((row) => row[index] !== null)?.[index];
    return types[declared ?? typeNameOf(example)];
  });

/** Converts a value of a row. Integers are bigint. */
const toResult = (types: ColumnTypes, value: unknown, type: ColumnType | undefined): ResultValue => {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value as ResultValue;
  if (type === types.DateTime) return new Date(Number(value)).toISOString();
  if (typeof value === 'number')
    return type === types.Int32 || type === types.Int64 ? Math.trunc(value) : value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
};

export const toResults = (
  types: ColumnTypes,
  rows: readonly (readonly unknown[])[],
  columnTypes: readonly ColumnType[],
): ResultValue[][] =>
  rows.map((row) => row.map((value, index) => toResult(types, value, columnTypes[index])));

/** Converts a text that Prisma Client passes for a value of another type. */
const parseText = (text: string, type: ArgType['scalarType'] | undefined): unknown => {
  switch (type) {
    case 'int':
      return Number.parseInt(text, 10);
    case 'float':
    case 'decimal':
      return Number.parseFloat(text);
    case 'bigint':
      return BigInt(text);
    case 'datetime':
      return new Date(text);
    case 'bytes':
      return Buffer.from(text, 'base64');
    default:
      return text;
  }
};

/** Converts an argument of a statement to a value that SQLite can bind. */
export const toBindable = (value: unknown, type: ArgType | undefined): unknown => {
  const parsed = typeof value === 'string' ? parseText(value, type?.scalarType) : value;
  if (typeof parsed === 'boolean') return parsed ? 1 : 0;
  return parsed instanceof Date ? parsed.toISOString().replace('Z', '+00:00') : parsed;
};

/** Returns the part of a message behind the text. */
const partBehind = (message: string, text: string): string | undefined => message.split(text)[1];

/** Returns the columns in `UNIQUE constraint failed: tags.name, tags.locale`, with their table. */
const violatedColumns = (message: string): readonly string[] =>
  partBehind(message, 'constraint failed: ')?.split(', ') ?? [];

const lastName = (column: string): string => column.split('.').at(-1) ?? column;

const describe = ({ code, message }: SqliteError): AdapterError => {
  const columns = violatedColumns(message);
  const constraint = { fields: columns.map(lastName) };
  if (code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY') {
    const table = columns[0]?.split('.').slice(0, -1).join('.');
    return { kind: 'UniqueConstraintViolation', constraint, ...(table === undefined ? {} : { table }) };
  }
  if (code === 'SQLITE_CONSTRAINT_NOTNULL') return { kind: 'NullConstraintViolation', constraint };
  if (code === 'SQLITE_CONSTRAINT_FOREIGNKEY' || code === 'SQLITE_CONSTRAINT_TRIGGER')
    return { kind: 'ForeignKeyConstraintViolation', constraint: { foreignKey: {} } };
  if (code.startsWith('SQLITE_BUSY')) return { kind: 'SocketTimeout' };
  const table = partBehind(message, 'no such table: ');
  if (table !== undefined) return { kind: 'TableDoesNotExist', table };
  const column = partBehind(message, 'no such column: ') ?? partBehind(message, 'has no column named ');
  if (column !== undefined) return { kind: 'ColumnNotFound', column };
  // 1 is SQLite's code for an error without a specific code.
  return { kind: 'sqlite', extendedCode: 1, message };
};

/** Describes an error of a statement as Prisma Client expects it. */
export const toAdapterError = (error: SqliteError): AdapterError => ({
  ...describe(error),
  originalCode: error.code,
  originalMessage: error.message,
});

/** SQLite itself never waits for other processes, since waiting would block this one. */
const BUSY_TIMEOUT_MS = 0;
const MAX_RETRY_DELAY_MS = 25;
/** Maximum time to retry a write while another process locks the file. */
const RETRY_TIMEOUT_MS = 30_000;

/**
 * The number of pages in the write-ahead log at which it is copied into the database file. A page is copied
 * once, however often it was written, so rare checkpoints cost less.
 */
const CHECKPOINT_PAGES = 4000;

/** Number of prepared statements to keep. Preparing those of a write takes longer than running them. */
const MAX_STATEMENTS = 500;

const SETTINGS = `PRAGMA journal_mode = WAL;
  PRAGMA foreign_keys = ON;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  PRAGMA analysis_limit = ${ANALYSIS_LIMIT}`;

/** Retries while another process is writing. This process can serve requests between the attempts. */
const retryWhileBusy = async <T>(attempt: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + RETRY_TIMEOUT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isSqliteBusy(error) || Date.now() >= deadline) throw error;
    }
    await sleep(1 + Math.random() * MAX_RETRY_DELAY_MS);
  }
};

type AdapterUtils = typeof import('@prisma/driver-adapter-utils');

const PROVIDER = { provider: 'sqlite', adapterName: 'galley-sqlite' } as const;

const createQueryable = (
  connection: SqliteConnection,
  { ColumnTypeEnum: types, DriverAdapterError }: AdapterUtils,
) => {
  const run = async <T>(work: () => T): Promise<T> => {
    try {
      return work();
    } catch (error) {
      throw error instanceof SqliteError ? new DriverAdapterError(toAdapterError(error)) : error;
    }
  };
  const statements = new LRUCache<string, SqliteStatement>({ max: MAX_STATEMENTS });
  const prepare = (sql: string, options: PrepareOptions): SqliteStatement =>
    getOrCreate(statements, `${options.bigints} ${sql}`, () => connection.prepare(sql, options));
  const bindable = ({ args, argTypes }: SqlQuery): readonly unknown[] =>
    args.map((value, index) => toBindable(value, argTypes[index]));
  return {
    ...PROVIDER,
    queryRaw: (query) =>
      run(() => {
        const statement = prepare(query.sql, { bigints: true });
        if (statement.columns().length === 0) {
          statement.run(bindable(query));
          return { columnNames: [], columnTypes: [], rows: [] };
        }
        const rows = statement.rows(bindable(query));
        // Running a statement prepares it again if another process has changed the schema.
        const columns = statement.columns();
        const columnTypes = columnTypesOf(types, columns, rows);
        return {
          columnNames: columns.map(({ name }) => name),
          columnTypes,
          rows: toResults(types, rows, columnTypes),
        };
      }),
    executeRaw: (query) => run(() => prepare(query.sql, { bigints: false }).run(bindable(query))),
    executeScript: (script) => run(() => connection.exec(script)),
  } satisfies Partial<SqlDriverAdapter>;
};

const assertSerializable = (
  level: IsolationLevel | undefined,
  { DriverAdapterError }: AdapterUtils,
): void => {
  if (level !== undefined && level !== 'SERIALIZABLE')
    throw new DriverAdapterError({ kind: 'InvalidIsolationLevel', level });
};

/**
 * Creates the adapter of a connection. A transaction holds the write lock from the start: one that began as a
 * reader would fail as soon as it writes where another process has written in between.
 */
const createAdapter = (connection: SqliteConnection, utils: AdapterUtils): SqlDriverAdapter => {
  const queryable = createQueryable(connection, utils);
  const { executeScript } = queryable;
  return {
    ...queryable,
    dispose: async () => connection.close(),
    startTransaction: async (isolationLevel) => {
      assertSerializable(isolationLevel, utils);
      await executeScript('BEGIN IMMEDIATE');
      return {
        ...queryable,
        // Prisma Client sends COMMIT and ROLLBACK as statements, and calls these functions after them.
        options: { usePhantomQuery: false },
        commit: async () => undefined,
        rollback: async () => undefined,
        createSavepoint: (name) => executeScript(`SAVEPOINT ${name}`),
        rollbackToSavepoint: (name) => executeScript(`ROLLBACK TO ${name}`),
        releaseSavepoint: (name) => executeScript(`RELEASE SAVEPOINT ${name}`),
      };
    },
  };
};

/** All statements share one connection, so statements outside of the open transaction wait until it ends. */
const serializeStatements: AdapterDecorator = async (adapter, isInTransaction) => {
  const mutex = new Mutex();
  const runExclusive = <T>(statement: () => Promise<T>): Promise<T> =>
    isInTransaction() ? statement() : mutex.runExclusive(() => retryWhileBusy(statement));
  await retryWhileBusy(() => adapter.executeScript(SETTINGS));
  return {
    ...PROVIDER,
    queryRaw: (query) => runExclusive(() => adapter.queryRaw(query)),
    executeRaw: (query) => runExclusive(() => adapter.executeRaw(query)),
    executeScript: (script) => runExclusive(() => adapter.executeScript(script)),
    dispose: () => adapter.dispose(),
    startTransaction: async (isolationLevel) => {
      if (isInTransaction()) throw new TypeError('A transaction cannot begin inside another one');
      const release = await mutex.acquire();
      const end = async (): Promise<void> => release();
      try {
        const transaction = await retryWhileBusy(() => adapter.startTransaction(isolationLevel));
        return { ...transaction, commit: end, rollback: end };
      } catch (error) {
        release();
        throw error;
      }
    },
  };
};

/** Creates the adapter that Prisma Client writes through, on one connection in WAL mode. */
export async function createSqliteAdapter(url: string): Promise<WriteAdapter> {
  const open = await loadDriver();
  const utils = await import('@prisma/driver-adapter-utils');
  const connect = async (): Promise<SqlDriverAdapter> => {
    const connection = open(sqlitePath(url), { mode: 'create', busyTimeoutMs: BUSY_TIMEOUT_MS });
    // Transactions run compiled reads too.
    addUnlimitedFunctions(connection);
    return createAdapter(connection, utils);
  };
  return createWriteAdapter({ ...PROVIDER, connect }, serializeStatements);
}
