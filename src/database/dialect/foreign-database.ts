/** A value as the driver returns it. PostgreSQL's are all text. */
export type ForeignValue = string | number | bigint | null | Uint8Array;
export type ForeignRow = Readonly<Record<string, ForeignValue>>;

/** The native types of columns by their names. */
export type ForeignTable = ReadonlyMap<string, string>;

/** A database that is not this project's, read within one transaction: all queries see the same state. */
export interface ForeignDatabase {
  /** For messages, without a password. */
  readonly description: string;
  readonly tables: ReadonlyMap<string, ForeignTable>;
  /** Times are in UTC. */
  rows(sql: string): Promise<readonly ForeignRow[]>;
  close(): Promise<void>;
}
