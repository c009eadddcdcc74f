/** The interface that both drivers for SQLite implement, and the error that their statements throw. */

/** Values by position, or by the names of parameters without their `$`. Numbers are bound as floats. */
export type SqliteParameters = readonly unknown[] | Readonly<Record<string, unknown>>;

export interface SqliteColumn {
  readonly name: string;
  /** The type in the table's definition. Null for an expression. */
  readonly declaredType: string | null;
}

/** A prepared statement. Integers are numbers, and blobs are of the class Buffer. */
export interface SqliteStatement {
  /** Returns the columns of its rows, or an empty list if it returns no rows. */
  readonly columns: () => readonly SqliteColumn[];
  /** Returns the first value of every row. */
  readonly values: (parameters?: SqliteParameters) => readonly unknown[];
  readonly rows: (parameters?: SqliteParameters) => readonly (readonly unknown[])[];
  readonly records: (parameters?: SqliteParameters) => readonly Readonly<Record<string, unknown>>[];
  /** Runs a statement that returns no rows. Returns the number of changed rows. */
  readonly run: (parameters?: SqliteParameters) => number;
}

export interface PrepareOptions {
  /** Returns integers as bigint. Otherwise, those beyond 2^53 are rounded. */
  readonly bigints?: boolean;
}

interface SqliteFunctionOptions {
  /** The result depends on the arguments alone. */
  readonly deterministic?: boolean;
  /** Triggers and views cannot call the function. */
  readonly directOnly?: boolean;
  /** Accepts any number of arguments, instead of as many as the function declares. */
  readonly varargs?: boolean;
  /** Passes integers as bigint. Otherwise, one beyond 2^53 is rounded, or ends the statement. */
  readonly bigints?: boolean;
}

/** A connection that belongs to one thread. */
export interface SqliteConnection {
  readonly isOpen: () => boolean;
  readonly isInTransaction: () => boolean;
  /** Runs all statements of a script. */
  readonly exec: (script: string) => void;
  /** Prepares the only statement of a text. */
  readonly prepare: (sql: string, options?: PrepareOptions) => SqliteStatement;
  /** Defines a function of SQL. If it throws, the statement throws the same error. */
  readonly define: (
    name: string,
    options: SqliteFunctionOptions,
    implementation: (...values: never[]) => unknown,
  ) => void;
  /** Copies the database to a file, the given number of pages at a time. */
  readonly backup: (path: string, pagesPerStep: number) => Promise<void>;
  /** Does nothing to a closed connection. */
  readonly close: () => void;
}

/** In WAL mode statements wait only while the file is recovered or its journal mode is switched. */
export const BUSY_TIMEOUT_MS = 2000;

export interface OpenSqliteOptions {
  /** Only `create` creates a missing file. */
  readonly mode: 'read' | 'write' | 'create';
  /** Milliseconds for which a statement blocks the thread while another connection holds a lock. */
  readonly busyTimeoutMs?: number;
}

/** Opens a file, or an empty database for `:memory:`. */
export type OpenSqlite = (path: string, options: OpenSqliteOptions) => SqliteConnection;

/** A statement that SQLite rejected. Both drivers describe it in the same way. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';

  constructor(
    message: string,
    /** The name of SQLite's result code, such as `SQLITE_BUSY` or `SQLITE_CONSTRAINT_UNIQUE`. */
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
