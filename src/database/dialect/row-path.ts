import type { RawBuilder } from 'kysely';

/** A column and what it must equal. */
export interface Equality {
  readonly column: RawBuilder<unknown>;
  readonly value: RawBuilder<unknown>;
  /** True if the value belongs to the row that the path starts from. */
  readonly isOuter: boolean;
}

/** Connection between two tables: a link table, or the elements of a JSON list. */
export interface PathLink {
  readonly from: RawBuilder<unknown>;
  /** Conditions that find it from the start of the path. Empty if `from` itself refers to that row. */
  readonly keys: readonly Equality[];
}

/**
 * The path from one row to rows of another table, through a link or directly. Compiled reads state it
 * explicitly. A planner without statistics guesses wrong by orders of magnitude, since nearly all rows of a
 * table share their status and locale.
 */
export interface RowPath {
  readonly link: PathLink | null;
  /** `"tags" as "t5"` */
  readonly table: RawBuilder<unknown>;
  readonly alias: string;
  /** Conditions that find rows of the table: from the link, or else from the start of the path. */
  readonly keys: readonly Equality[];
  /** The status and locale of the rows, among all those the keys find. */
  readonly version: readonly Equality[];
  /** True if keys and version together are the columns of a unique index. */
  readonly isUnique: boolean;
}

/** A `FROM` clause and its conditions. */
export interface FromClause {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
}

/** Rows of one table with a column `id`: filtered, sorted and limited. */
export interface OrderedRowsOptions {
  readonly table: RawBuilder<unknown>;
  /** The table, with those that it is joined with to filter its rows. */
  readonly from: RawBuilder<unknown>;
  readonly alias: string;
  readonly where: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** True if the rows are sorted by `id` alone. */
  readonly isById: boolean;
  /** Null: all rows. */
  readonly slice: RawBuilder<unknown> | null;
}

/** A query for each row of another, whose conditions name that row. */
export interface RowsOfEach {
  readonly outer: RawBuilder<unknown>;
  readonly alias: string;
  /** Tables, of which one has the alias. */
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}
