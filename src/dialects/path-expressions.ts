import type { RawBuilder } from 'kysely';
import type { FromClause, RowPath } from './row-path.js';

/** Follows relations from row to row. */
export interface PathExpressions {
  /** The rows at the end of a path, always looked up from the row the path starts from. */
  readonly rows: (path: RowPath) => FromClause;
  /**
   * Whether some row at the end of a path meets the conditions, which refer to that row alone.
   * `isSelective` says that few rows of the whole table are expected to meet them, so that the database may
   * begin with those.
   */
  readonly exists: (
    path: RowPath,
    conditions: readonly RawBuilder<unknown>[],
    isSelective: boolean,
  ) => RawBuilder<boolean>;
}
