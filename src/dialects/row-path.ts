import type { RawBuilder } from 'kysely';

/** A column and what it must equal. */
export interface Equality {
  readonly column: RawBuilder<unknown>;
  readonly value: RawBuilder<unknown>;
  /** Whether the value belongs to the row that the path starts from. */
  readonly isOuter: boolean;
}

/** What connects two tables: a link table, or the elements of a JSON list. */
export interface PathLink {
  readonly from: RawBuilder<unknown>;
  /** How it is found from the start of the path. Empty where `from` itself refers to that row. */
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
  /** How rows of the table are found: from the link, or else from the start of the path. */
  readonly keys: readonly Equality[];
  /** The status and locale of the rows, among all those the keys find. */
  readonly version: readonly Equality[];
  /** Whether keys and version together are the columns of a unique index. */
  readonly isUnique: boolean;
}

/** A `FROM` clause and its conditions. */
export interface FromClause {
  readonly from: RawBuilder<unknown>;
  readonly where: readonly RawBuilder<unknown>[];
}

/** A page among the first rows of a list whose best plan no value decides. */
export interface FirstRows {
  /** No less than the offset and the limit together, and the same for many pages. */
  readonly atMost: number;
  readonly limit: RawBuilder<unknown>;
  /** Null: the page begins with the first row of a whole list. */
  readonly offset: RawBuilder<unknown> | null;
}

/** Rows of one table with a column `id`: filtered, sorted and limited. */
export interface OrderedRowsOptions {
  readonly table: RawBuilder<unknown>;
  readonly alias: string;
  readonly where: RawBuilder<unknown>;
  readonly order: RawBuilder<unknown>;
  /** Whether the rows are sorted by `id` alone. */
  readonly isById: boolean;
  /** Null: all rows. */
  readonly slice: RawBuilder<unknown> | null;
  /** The slice once more, where a plan can be kept for it. Default: it cannot. */
  readonly firstRows?: FirstRows | null;
}

/** Rows of several lists, each of which an index holds in order. */
export interface MergedRowsOptions extends RowOrder {
  readonly table: RawBuilder<unknown>;
  readonly alias: string;
  /** A subquery with a row per list, which `where` names. */
  readonly lists: RawBuilder<unknown>;
  readonly limit: RawBuilder<unknown>;
  readonly offset: RawBuilder<unknown>;
}

/** The rows that meet a condition, as an index finds them. */
export interface CountedMatches extends FromClause {
  /** The id of a row of the read. Null where rows lead to such rows. */
  readonly id: RawBuilder<unknown> | null;
}

/** Rows as `OrderedRowsOptions` has them, which are found in one way or in another. */
export interface CountedRowsOptions {
  readonly table: RawBuilder<unknown>;
  readonly alias: string;
  /** Finds what decides between the ways. */
  readonly matches: CountedMatches;
  /** Where few rows match. */
  readonly few: RowOrder;
  /** Where many rows match. */
  readonly many: RowOrder;
  readonly limit: RawBuilder<unknown>;
  readonly offset: RawBuilder<unknown>;
}

export type RowOrder = Pick<OrderedRowsOptions, 'where' | 'order'>;

/** The rows from which a path leads to rows that meet conditions, found from its end. */
export type RowsInReverse = (
  path: RowPath,
  conditions: readonly RawBuilder<unknown>[],
  start: RawBuilder<unknown>,
) => FromClause;

/** What is done to know which of two ways is faster where the planner does not know. */
export interface CountedRows {
  /** The clauses from `FROM` on, as `orderedRows` has them. */
  readonly orderedRows: (rows: CountedRowsOptions) => RawBuilder<unknown>;
  /** Null where the planner knows how many rows link some others. */
  readonly inReverse: RowsInReverse | null;
}

/**
 * From how many rows on a page is found by walking through its order rather than by sorting what matches. Of
 * 100,000 rows, a page of 25 is then found after 2,500, which takes as long as sorting 1,000; counting that
 * far in an index takes a tenth of a millisecond.
 */
export const MANY_ROWS = 1000;

/** A query for each row of another, whose conditions name that row. */
export interface RowsOfEach {
  readonly outer: RawBuilder<unknown>;
  readonly alias: string;
  /** Tables, of which one has the alias. */
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}
