import { Buffer } from 'node:buffer';
import { pathToFileURL } from 'node:url';
import { buildRecords } from '../../../lib/records.js';
import { BUSY_TIMEOUT_MS, SqliteError } from './connection.js';
import type {
  OpenSqlite,
  PrepareOptions,
  SqliteConnection,
  SqliteParameters,
  SqliteStatement,
} from './connection.js';

/** The part of `node:sqlite` used here. The types of Node.js 20 do not include it. */
interface NodeStatement {
  readonly all: (...parameters: readonly unknown[]) => readonly unknown[];
  readonly run: (...parameters: readonly unknown[]) => { readonly changes: number | bigint };
  readonly columns: () => readonly { readonly name: string; readonly type: string | null }[];
  readonly setReturnArrays: (enabled: boolean) => void;
  readonly setReadBigInts: (enabled: boolean) => void;
  /** The text up to the end of the statement. */
  readonly sourceSQL: string;
}

interface NodeDatabase {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  readonly exec: (script: string) => void;
  readonly prepare: (sql: string) => NodeStatement;
  readonly function: (name: string, options: object, implementation: (...values: never[]) => unknown) => void;
  readonly close: () => void;
}

export interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string | URL,
    options: { readonly readOnly: boolean; readonly timeout: number },
  ) => NodeDatabase;
  readonly backup: (
    source: NodeDatabase,
    path: string,
    options: { readonly rate: number },
  ) => Promise<number>;
}

/** The result codes that callers distinguish. The first byte of any other is that of its kind. */
const CODES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1299: 'SQLITE_CONSTRAINT_NOTNULL',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  1811: 'SQLITE_CONSTRAINT_TRIGGER',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

const toSqliteError = (error: unknown): unknown => {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  const errcode = Number(error.errcode);
  const code = CODES[errcode] ?? CODES[errcode & 0xff] ?? 'SQLITE_ERROR';
  return new SqliteError(error.message, code, { cause: error });
};

const run = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw toSqliteError(error);
  }
};

const isList = (parameters: SqliteParameters): parameters is readonly unknown[] => Array.isArray(parameters);

/** Returns the arguments of a call that runs a statement. */
const bind = (parameters: SqliteParameters): readonly unknown[] =>
  isList(parameters) ? parameters : [parameters];

const toBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;

/** Node.js returns no integer beyond 2^53 as a number, so all are read as bigint. */
const toRounded = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : toBuffer(value));

/** Blank text, semicolons and comments. */
const EMPTY = /^(?:[\s;]|--.*|\/\*[^]*?(?:\*\/|$))*$/;

/** Node.js ignores the statements after the first one. */
const assertSingle = (sql: string, statement: NodeStatement): void => {
  const { sourceSQL } = statement;
  if (sourceSQL.length < sql.length && !EMPTY.test(sql.slice(sourceSQL.length)))
    throw new SqliteError('The text contains more than one statement', 'SQLITE_ERROR');
};

const prepare = (
  database: NodeDatabase,
  sql: string,
  { bigints = false }: PrepareOptions = {},
): SqliteStatement => {
  const statement = run(() => database.prepare(sql));
  if (sql.includes(';')) assertSingle(sql, statement);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const toValue = bigints ? toBuffer : toRounded;
  const rows = (parameters: SqliteParameters): readonly (readonly unknown[])[] =>
    run(() => statement.all(...bind(parameters)) as readonly (readonly unknown[])[]);
  return {
    columns: () => statement.columns().map(({ name, type }) => ({ name, declaredType: type })),
    values: (parameters = []) => rows(parameters).map(([first]) => toValue(first)),
    rows: (parameters = []) => rows(parameters).map((row) => row.map(toValue)),
    records: (parameters = []) => {
      const names = statement.columns().map(({ name }) => name);
      return buildRecords(rows(parameters), names, (row, index) => toValue(row[index]));
    },
    run: (parameters = []) => Number(run(() => statement.run(...bind(parameters))).changes),
  };
};

/** Settings with which better-sqlite3 is compiled. In WAL mode, commits need not wait for the disk. */
const SETTINGS = 'PRAGMA cache_size = -16000; PRAGMA synchronous = NORMAL';

/**
 * Returns a function that applies the settings once. It does nothing while another connection has the file
 * locked.
 */
const createSettings = (database: NodeDatabase): (() => void) => {
  let areApplied = false;
  return () => {
    if (areApplied) return;
    try {
      run(() => database.exec(SETTINGS));
      areApplied = true;
    } catch (error) {
      if (!(error instanceof SqliteError && error.code === 'SQLITE_BUSY')) throw error;
    }
  };
};

/** Only a URL can open a file without creating it. */
const locationOf = (path: string, creates: boolean): string | URL => {
  if (path === ':memory:' || creates) return path;
  const url = pathToFileURL(path);
  url.searchParams.set('mode', 'rw');
  return url;
};

/** Opens databases through the SQLite that is part of Node.js. */
export const createNodeSqlite =
  ({ DatabaseSync, backup }: NodeSqlite): OpenSqlite =>
  (path, { mode, busyTimeoutMs = BUSY_TIMEOUT_MS }): SqliteConnection => {
    const location = locationOf(path, mode !== 'write');
    const database = run(() => new DatabaseSync(location, { readOnly: mode === 'read', timeout: 0 }));
    const applySettings = createSettings(database);
    applySettings();
    database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    return {
      isOpen: () => database.isOpen,
      isInTransaction: () => database.isTransaction,
      exec: (script) => {
        applySettings();
        run(() => database.exec(script));
      },
      prepare: (sql, options) => {
        applySettings();
        return prepare(database, sql, options);
      },
      define: (name, { bigints = false, ...options }, implementation) =>
        database.function(name, { ...options, useBigIntArguments: bigints }, implementation),
      backup: async (to, pagesPerStep) => {
        try {
          await backup(database, to, { rate: pagesPerStep });
        } catch (error) {
          throw toSqliteError(error);
        }
      },
      close: () => {
        if (database.isOpen) database.close();
      },
    };
  };
