import type { JsonRewriting, MigrationValues } from './migration-values.js';
import type { SearchedTable } from './search-expressions.js';

export type SessionRow = Readonly<Record<string, unknown>>;

/**
 * A connection that only migrations use. It owns its settings and locks. When the process dies, the database
 * ends the session with its transaction and its lock.
 */
export interface MigrationSession {
  /** Runs one statement. Its parameters are `$1`, `$2`… on every database. */
  readonly query: (
    sql: string,
    parameters?: readonly (string | number | null)[],
  ) => Promise<readonly SessionRow[]>;
  /** Runs a script of statements, without splitting it at semicolons, which text and comments may contain. */
  readonly script: (sql: string, options?: ScriptOptions) => Promise<void>;
  /** Reads all tables with their columns. */
  readonly columns: () => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /**
   * Runs `work` in one transaction, while no other process migrates. Waits for the lock. `work` may wait for
   * this session only: waiting for anything else could deadlock with another writer of this process.
   * Rebuilding a table does not cascade to rows that reference it. All references must be valid when the work
   * ends.
   *
   * @throws MigrationLockTimeout where the lock is not available in time
   * @throws DanglingReferences where references are broken and the database does not check them itself
   */
  readonly runExclusive: <T>(work: () => Promise<T>) => Promise<T>;
  /**
   * Runs `work` under a lock, outside of a transaction, so that `work` may write on other connections. Waits
   * for the lock. `runExclusive` may be called inside.
   *
   * @throws MigrationLockTimeout where the lock is not available in time
   */
  readonly runAlone: <T>(work: () => Promise<T>) => Promise<T>;
  /** True if statements outside of a transaction may run in different sessions of the database. */
  readonly isPooled: boolean;
  /** The file of the database: another object in every transaction. Null if the database is not a file. */
  readonly file: DatabaseFile | null;
  readonly close: () => Promise<void>;
}

interface ScriptOptions {
  /** True if the script is known to keep all references valid, so that they need no check. */
  readonly keepsReferences: boolean;
}

/** A database that is one file, as one transaction uses it. */
export interface DatabaseFile {
  readonly path: string;
  /** Paths of the copies that were made in this transaction. */
  readonly copies: string[];
  /** Copies the committed data to a new file. Synchronous. */
  readonly copyTo: (path: string) => void;
}

export interface SessionOptions {
  /** Milliseconds to wait for other migrating processes. */
  readonly lockTimeoutMs: number;
  /** If false, a missing database file counts as an empty database, and is not created. */
  readonly isWritable: boolean;
}

/** Returns the columns of every table from rows of `table` and `columns`, a JSON array. */
export function columnsByTable(rows: readonly SessionRow[]): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    rows.map(({ table, columns }) => [
      String(table),
      new Set(JSON.parse(String(columns)) as readonly string[]),
    ]),
  );
}

/** Returns the quoted name of the table with a copy of rows. */
export type CopyLocation = (name: string) => string;

/** A table whose rows are replaced by a copy, or deleted if the copy is null. */
export interface ReplacedTable {
  readonly table: string;
  readonly copy: string | null;
  readonly columns: readonly string[];
}

/** Method of undoing a destructive migration as a whole: by a copied file, or by copied rows. */
export type UndoSupport =
  | {
      readonly kind: 'database';
      /** The path of the database. */
      readonly path: (url: string) => string;
      /** Replaces the content of the database by that of another file, whose journal mode changes. */
      readonly restore: (session: MigrationSession, path: string) => Promise<void>;
    }
  | {
      readonly kind: 'rows';
      readonly replace: (session: MigrationSession, tables: readonly ReplacedTable[]) => Promise<void>;
    };

interface OrderedColumn {
  /** Quoted. */
  readonly name: string;
  readonly isText: boolean;
  readonly isDescending: boolean;
}

/** Support for full-text indexes, built as auxiliary objects or after the transactions of migrations. */
interface SearchSupport {
  readonly objectsFor: (tables: readonly SearchedTable[]) => readonly DatabaseObject[];
  /**
   * Builds the indexes of tables that are not auxiliary objects, and drops all others. Must be called outside
   * of a transaction. Null if they are auxiliary objects.
   */
  readonly build: ((session: MigrationSession, tables: readonly SearchedTable[]) => Promise<void>) | null;
}

/** Database-specific support for migrations. Their SQL comes from the schema engine. */
export interface MigrationSupport {
  /** Returns the location of copies of rows, outside any schema. With `creates`, creates that location. */
  readonly copyLocation: (
    session: MigrationSession,
    options: { readonly creates: boolean },
  ) => Promise<CopyLocation>;
  readonly undo: UndoSupport;
  /** Drops everything of the project in the database, except copies of rows. */
  readonly dropEverything: (session: MigrationSession) => Promise<void>;
  /** SQL that lets a table number new rows after those it has. Null where the database does so itself. */
  readonly continueNumberingSql: ((table: string, column: string) => string) | null;
  /**
   * Builds the indexes of scripts on tables with rows before the scripts run, while other sessions write.
   * Must be called outside of a transaction. Returns a function that adapts a script to the built indexes.
   * Null if writers have to wait in any case.
   */
  readonly buildIndexes:
    | ((session: MigrationSession, scripts: readonly string[]) => Promise<(script: string) => string>)
    | null;
  /**
   * A column of an index that provides the order of the API: text by code point, nulls lowest. The schema
   * engine writes indexes without either.
   */
  readonly orderedColumn: (column: OrderedColumn) => string;
  /** The longest name of an index or constraint, in bytes. Prisma cuts default names to this length. */
  readonly maxNameBytes: number;
  /** Creates `_prisma_migrations` as Prisma's engine does, unless it exists. */
  readonly createHistoryTableSql: string;
  /** The folder that must exist before the database is created. Null if the database is not a file. */
  readonly databaseFolder: (url: string) => string | null;
  readonly openSession: (url: string, options: SessionOptions) => Promise<MigrationSession>;
  readonly objects: DatabaseObjectSupport;
  readonly search: SearchSupport;
  /** The statistics of the planner, if the database does not maintain them itself. */
  readonly statistics: readonly DatabaseObject[];
  readonly values: MigrationValues;
  /** Rewrites the JSON of components and dynamic zones. */
  readonly json: JsonRewriting;
}

/** Another process was migrating for longer than the lock timeout. */
export class MigrationLockTimeout extends Error {
  override readonly name = 'MigrationLockTimeout';

  constructor(
    readonly lockTimeoutMs: number,
    options?: ErrorOptions,
  ) {
    super(`Waited ${lockTimeoutMs} ms for another process to finish migrating`, options);
  }
}

/** A migration was rolled back because rows of these tables would reference missing rows. */
export class DanglingReferences extends Error {
  override readonly name = 'DanglingReferences';

  constructor(readonly tables: readonly string[]) {
    super(`Rows would reference records that do not exist, in: ${tables.join(', ')}`);
  }
}

/** A table with columns that an object is built on. */
interface RequiredTable {
  readonly table: string;
  readonly columns?: readonly string[];
}

/**
 * An auxiliary object: triggers, functions or full-text tables, which Prisma's schema cannot express. Its
 * data can always be rebuilt from the tables of the schema. Its triggers and views may name only tables of
 * auxiliary objects, and the table of the trigger: SQLite cannot rename tables while a view or trigger names
 * a missing one, as happens while tables are replaced.
 */
export interface DatabaseObject {
  /** Unique in the database. */
  readonly name: string;
  /**
   * Tables and columns that the object requires. Without them the object is not created, as after a migration
   * is reverted.
   */
  readonly requires: readonly RequiredTable[];
  /** The script that builds the object from the existing rows. */
  readonly create: string;
  /** The script that drops the object. Parts of it, or its tables, may be missing. */
  readonly drop: string;
  /** Run at the end of each migration, which may change columns without firing triggers. */
  readonly afterMigration?: string;
  /**
   * Its parts as the database lists them: tables, views and indexes by name, functions as `name()`, triggers
   * as `table.name`. If one is missing, the object is rebuilt.
   */
  readonly parts: readonly string[];
}

/** Database-specific support for auxiliary objects, which are outside the Prisma schema. */
export interface DatabaseObjectSupport {
  /** Selects all existing parts, in a column `part`. */
  readonly partsSql: string;
  /** Scripts that drop objects built by earlier versions of Galley, by name. */
  readonly retired: Readonly<Record<string, string>>;
  /** True if an error reports that the role may not create or drop an object. */
  readonly isDenied: (error: unknown) => boolean;
}
