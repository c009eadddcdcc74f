/** Copies of a database that is a file, while others use it. */
export interface DatabaseCopies {
  /** Copies what is committed to a new file. */
  readonly copy: (url: string, path: string) => Promise<void>;
  /** Returns what is wrong with a copy. Null: nothing. */
  readonly check: (path: string) => Promise<string | null>;
  /** Makes the database what a copy is, as a whole or not at all. */
  readonly restore: (path: string, url: string) => Promise<void>;
}

/** Database-specific support for backups. */
export interface BackupSupport {
  /** Null: the database is no file, and its content is kept. */
  readonly copies: DatabaseCopies | null;
  /** Selects the number of connections of servers to the database. Null: the database does not know it. */
  readonly countServersSql: string | null;
}
