export type SessionRow = Readonly<Record<string, unknown>>;

/**
 * One connection of its own on which migrations run. Never shared with requests: settings and locks belong to it, and when the process
 * dies the database ends the session, its transaction and its lock.
 */
export interface MigrationSession {
  /** One statement; values are bound as `$1`, `$2`… on every database. */
  readonly query: (sql: string, parameters?: readonly (string | number | null)[]) => Promise<readonly SessionRow[]>;
  /** A whole script of statements, sent as it stands (never cut at semicolons, which text and comments may hold). */
  readonly script: (sql: string) => Promise<void>;
  /** Every table with its columns. */
  readonly columns: () => Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  /**
   * Runs `work` in one transaction, alone among all migrating processes: all of it is kept, or nothing. Waits for its turn.
   * `work` may wait for this session and for nothing else, or it would keep others waiting who may be in this very process.
   * Rebuilding a table never cascades into the rows that point at it; every reference must hold when the work ends.
   *
   * @throws MigrationLockTimeout when the turn does not come in time.
   * @throws DanglingReferences when rows would point nowhere and the database itself would not have noticed.
   */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

export interface SessionOptions {
  /** How long to wait for other migrating processes, in milliseconds. */
  readonly waitMs: number;
  /** False: only to look, so that a database file that is not there reads as an empty database and is not made. */
  readonly isWritten: boolean;
}

/** Rows of a table's name and a column's name, as sets of columns by table. */
export function groupColumns(rows: readonly SessionRow[]): ReadonlyMap<string, ReadonlySet<string>> {
  const tables = new Map<string, Set<string>>();
  for (const { table, column } of rows) {
    const columns = tables.get(String(table));
    if (columns === undefined) tables.set(String(table), new Set([String(column)]));
    else columns.add(String(column));
  }
  return tables;
}

/** What migrating needs to know about a database beyond its SQL, which comes from the schema engine. */
export interface MigrationSupport {
  /** The database's name among Prisma's driver adapters. */
  readonly engineProvider: 'sqlite' | 'postgres';
  /** Longest name of an index or constraint, in bytes; Prisma cuts the names it makes up to this. */
  readonly maxNameBytes: number;
  /** Makes `_prisma_migrations` exactly as Prisma's own engine does, unless it is there. */
  readonly createHistory: string;
  /** The folder that must be there before the database can be made; null: it is not made of files here. */
  readonly folderOf: (url: string) => string | null;
  readonly openSession: (url: string, options: SessionOptions) => Promise<MigrationSession>;
}

/** Another process has been migrating for longer than this one would wait. */
export class MigrationLockTimeout extends Error {
  override readonly name = 'MigrationLockTimeout';

  constructor(readonly waitMs: number, options?: ErrorOptions) {
    super(`Waited ${waitMs} ms for another process to finish migrating`, options);
  }
}

/** The tables whose rows point nowhere after a migration, which is why it was rolled back. */
export class DanglingReferences extends Error {
  override readonly name = 'DanglingReferences';

  constructor(readonly tables: readonly string[]) {
    super(`Rows would point at records that do not exist, in: ${tables.join(', ')}`);
  }
}
