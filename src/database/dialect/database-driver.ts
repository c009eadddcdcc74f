import type { LazySignal, PoolUse } from '../../lib/resources.js';
import type { WriteAdapter } from '../prisma/write-adapter.js';
import type { BoundValue, SqlExpressions } from './sql-expressions.js';

/**
 * A read-only connection or pool that keeps one prepared statement per SQL text. An aborted signal ends its
 * read, unless the read runs in the thread of the caller.
 */
export interface ReadConnection {
  /** The expressions this server supports. Statements for this connection are compiled with them. */
  readonly expressions: SqlExpressions;
  /**
   * Runs a statement whose only column is text (the JSON of one record) or null. Returns that column of
   * every row, in order.
   */
  readonly queryTexts: (
    sql: string,
    parameters: readonly BoundValue[],
    signal?: LazySignal,
  ) => Promise<readonly (string | null)[]>;
  /** Runs a statement that returns one number. */
  readonly queryNumber: (
    sql: string,
    parameters: readonly BoundValue[],
    signal?: LazySignal,
  ) => Promise<number>;
  readonly use: () => PoolUse;
  readonly close: () => Promise<void>;
}

export interface ReadOptions {
  /** Time limit of a read in milliseconds. Longer reads fail with `database/read-timeout`. Null: no limit. */
  readonly timeoutMs: number | null;
  /** The number of threads for slow reads, in databases whose reads would block this thread. */
  readonly threads: number;
  /** Called when an idle connection is lost. */
  readonly onLost?: () => void;
}

/** Options for commands, whose reads have no time limit. */
export const UNLIMITED_READS: ReadOptions = Object.freeze({ timeoutMs: null, threads: 0 });

/** Driver of a database: opens connections, and defines how transactions wait for each other. */
export interface DatabaseDriver {
  /**
   * True if only one transaction can write at a time. Writers then queue in this process, since waiting in
   * the database would block it.
   */
  readonly hasSingleWriter: boolean;
  /** The npm packages that a project must install for the driver, with their versions. */
  readonly packages: Readonly<Record<string, string>>;
  /** Opens a connection (or pool) for reads. `url` is `file:/absolute/data.db` or `postgresql://…`. */
  readonly openReadConnection: (url: string, options?: ReadOptions) => Promise<ReadConnection>;
  /** Opens a connection for experiments with indexes. */
  readonly openExperiment: (url: string) => Promise<IndexExperiment>;
  /**
   * Runs one read-only statement on a separate connection.
   *
   * @throws `database/statement-refused` if it writes or returns no rows, `database/statement-failed`
   */
  readonly runStatement: (url: string, sql: string) => Promise<StatementRows>;
  readonly shell: (url: string) => DatabaseShell;
  /**
   * Creates the adapter that the generated Prisma Client writes through. It calls `onWrite` after each commit
   * if revisions need this.
   */
  readonly createWriteAdapter: (url: string, onWrite?: () => void) => Promise<WriteAdapter>;
  /**
   * A statement that locks a name until the transaction ends. The name is its only parameter. Null where
   * only one transaction writes at a time.
   */
  readonly advisoryLockSql: string | null;
  /**
   * A statement after which the transaction fails soon, instead of waiting, when a row is locked. Null where
   * only one transaction writes at a time.
   */
  readonly lockTimeoutSql: string | null;
  /** Analyzes the tables for which the planner's row estimate is too low. */
  readonly analyzeTables: AnalyzeTables;
}

/** The part of a transaction that ANALYZE runs in. */
interface AnalyzingTransaction {
  readonly execute: (sql: string, parameters: readonly unknown[]) => Promise<number>;
  readonly query: (
    sql: string,
    parameters: readonly unknown[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
}

export type AnalyzeTables = (
  tx: AnalyzingTransaction,
  tables: readonly string[],
  rows: number,
) => Promise<void>;

/** An index of an experiment. */
export interface ExperimentIndex {
  readonly table: string;
  readonly columns: readonly {
    readonly name: string;
    readonly isText: boolean;
    readonly isDescending: boolean;
  }[];
}

/**
 * A connection for experiments with indexes. Tables are copied into temporary tables of the same name, which
 * only this connection sees. Neither the schema nor other sessions are affected.
 */
export interface IndexExperiment {
  readonly expressions: SqlExpressions;
  /** Copies a table with its indexes. Later statements use the copy. */
  readonly copyTable: (table: string) => Promise<void>;
  /** Adds an index to a copied table: status, locale, the columns, and the id. There may be one at a time. */
  readonly createIndex: (index: ExperimentIndex) => Promise<void>;
  /** Removes that index, if there is one. */
  readonly dropIndex: () => Promise<void>;
  /** Returns the first column of the rows. */
  readonly values: (sql: string, parameters: readonly BoundValue[]) => Promise<readonly unknown[]>;
  readonly explain: (sql: string, parameters: readonly BoundValue[]) => Promise<ReadPlan>;
  readonly close: () => Promise<void>;
}

/** The use of indexes in the database's plan of a read. */
export interface ReadPlan {
  /** True if the plan reads every row of a table. */
  readonly scans: boolean;
  /** True if the plan sorts rows instead of reading them in order. */
  readonly sorts: boolean;
  /** True if the plan compares values of rows that no index has selected. */
  readonly filters: boolean;
}

/** Rows returned by a statement that a user typed. */
export interface StatementRows {
  readonly columns: readonly string[];
  /** JSON values, in the order of the columns. */
  readonly rows: readonly (readonly unknown[])[];
}

/** The interactive shell of a database. */
export interface DatabaseShell {
  readonly command: string;
  /** Without passwords, which every user of the machine could read. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Instructions for installing it. */
  readonly installation: string;
}

/** A value as the driver returns it. PostgreSQL's are all text. */
export type ExternalValue = string | number | bigint | null | Uint8Array;
export type ExternalRow = Readonly<Record<string, ExternalValue>>;

/** The native types of columns by their names. */
export type ExternalTable = ReadonlyMap<string, string>;

/** An external database, read within one transaction: all queries see the same state. */
export interface ExternalDatabase {
  /** For messages, without a password. */
  readonly description: string;
  readonly tables: ReadonlyMap<string, ExternalTable>;
  /** Times are in UTC. */
  rows(sql: string): Promise<readonly ExternalRow[]>;
  close(): Promise<void>;
}
