import type { RawBuilder } from 'kysely';

/** A column and what it must equal. */
export interface Equality {
  readonly column: RawBuilder<unknown>;
  readonly value: RawBuilder<unknown>;
  /** Whether the value belongs to the row the path starts from. */
  readonly isOuter: boolean;
}

/** What stands between two tables: a link table, or the elements of a JSON list. */
export interface PathLink {
  readonly from: RawBuilder<unknown>;
  /** How it is found from the row the path starts from; empty where `from` itself refers to that row. */
  readonly keys: readonly Equality[];
}

/**
 * The way from one row to rows of another table, by a link or straight. Compiled reads know which way is short, and say so, since a
 * database without statistics guesses wrong by orders of magnitude: nearly all rows of a table share their status and locale.
 */
export interface RowPath {
  readonly link: PathLink | null;
  /** `"tags" as "t5"` */
  readonly table: RawBuilder<unknown>;
  readonly alias: string;
  /** How rows of the table are found: from the link, or where there is none from the row the path starts from. */
  readonly keys: readonly Equality[];
  /** Which of the rows found so are meant: few of many. */
  readonly version: readonly Equality[];
  /** Whether keys and version together name one row by a unique index. */
  readonly isUnique: boolean;
}

/** A `FROM` clause and its conditions. */
export interface FoundRows {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
}

/** Rows of one table with a column `id`, chosen, put in order and cut. */
export interface OrderedRows {
  readonly table: RawBuilder<unknown>;
  readonly alias: string;
  readonly where: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** Whether the order is that of `id` alone. */
  readonly isById: boolean;
  readonly slice: RawBuilder<unknown>;
}
