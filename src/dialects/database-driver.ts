import type { PoolUse } from '../lib/pool-use.js';
import type { Requester } from '../lib/requester.js';
import type { BoundValue, SqlExpressions } from './sql-expressions.js';
import type { DatabaseShell, StatementRows } from './statement.js';
import type { Trial } from './trial.js';
import type { UncountedStatement } from './uncounted-statement.js';
import type { WriteAdapter } from '../prisma/write-adapter.js';

/**
 * A read-only connection or pool that keeps one prepared statement per SQL text. Where a read has a
 * requester who leaves, it is ended, unless it runs in the thread of the caller.
 */
export interface ReadConnection {
  /** The expressions this server supports. Statements for this connection are compiled with them. */
  readonly expressions: SqlExpressions;
  /**
   * Runs a statement whose only column is text (the JSON of one record) or null. Returns that column of
   * every row, in order. `uncounted`, with the same parameters, may run instead.
   */
  readonly queryTexts: (
    sql: string,
    parameters: readonly BoundValue[],
    requester?: Requester,
    uncounted?: UncountedStatement,
  ) => Promise<readonly (string | null)[]>;
  /** Runs a statement that returns one number. */
  readonly queryNumber: (
    sql: string,
    parameters: readonly BoundValue[],
    requester?: Requester,
  ) => Promise<number>;
  readonly use: () => PoolUse;
  readonly close: () => Promise<void>;
}

export interface ReadOptions {
  /** How many milliseconds a read may take. Beyond it, `database/read-timeout`. Null: any. */
  readonly timeoutMs: number | null;
  /** How many threads do slow reads, where reads would block this one. */
  readonly threads: number;
  /** Told when a connection that nobody uses is lost. */
  readonly onLost?: () => void;
}

/** For commands, which read what they need however long it takes. */
export const UNLIMITED_READS: ReadOptions = Object.freeze({ timeoutMs: null, threads: 0 });

/** How connections are opened and how transactions wait for each other. */
export interface DatabaseDriver {
  /**
   * Whether only one transaction can write at a time. Writers then queue in this process, since waiting in
   * the database would block it.
   */
  readonly hasSingleWriter: boolean;
  /** Opens a connection (or pool) for reads. `url` is `file:/absolute/data.db` or `postgresql://…`. */
  readonly openReadConnection: (url: string, options?: ReadOptions) => Promise<ReadConnection>;
  /** Opens a connection on which indexes can be tried out. */
  readonly openTrial: (url: string) => Promise<Trial>;
  /**
   * Runs one statement that only reads, on a connection of its own.
   *
   * @throws `database/statement-refused` where it writes or returns no rows, `database/statement-failed`
   */
  readonly runStatement: (url: string, sql: string) => Promise<StatementRows>;
  readonly shell: (url: string) => DatabaseShell;
  /**
   * Creates the adapter that the generated Prisma Client writes through. It calls `onWrite` after each commit
   * where revisions need to know of it.
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
  /**
   * Returns a statement that tells the planner what those of the tables hold of which it knows fewer rows.
   * Plans that are kept were made for what it knew last, which for a new table is nothing. Null where it does
   * not keep plans.
   */
  readonly analyzeSql: ((tables: readonly string[], rows: number) => string) | null;
}
