import type { RawBuilder } from 'kysely';
import type { FromClause, RowPath } from './row-path.js';

/** Follows relations from row to row. */
export interface PathExpressions {
  /** The rows at the end of a path, always looked up from the row the path starts from. */
  readonly rows: (path: RowPath) => FromClause;
  /**
   * True if some row at the end of a path meets the conditions. If `isSelective`, few rows of the whole table
   * are expected to, and the database may begin with those.
   */
  readonly exists: (
    path: RowPath,
    conditions: readonly RawBuilder<unknown>[],
    options: { readonly isSelective: boolean },
  ) => RawBuilder<boolean>;
  /**
   * Joins the table at the end of a path of one row at most, so that a list has only the rows that lead to
   * one which meets the conditions. Null: `exists` is planned as well.
   */
  readonly join: ((path: RowPath, conditions: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>) | null;
}
