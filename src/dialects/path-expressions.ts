import type { RawBuilder } from 'kysely';
import type { FromClause, RowPath } from './row-path.js';

/** Where the rows at the end of a path are looked for. */
export type ExistsPlan =
  /** Those of each row that the path starts from. The conditions may refer to that row. */
  | 'each-row'
  /** The same, unless the table is so small that those which match are found once for all. */
  | 'each-row-or-small-table'
  /** Few rows of the whole table are expected to meet the conditions: the database may begin with those. */
  | 'selective';

/** Follows relations from row to row. */
export interface PathExpressions {
  /** The rows at the end of a path, always looked up from the row the path starts from. */
  readonly rows: (path: RowPath) => FromClause;
  /** Whether some row at the end of a path meets the conditions. */
  readonly exists: (
    path: RowPath,
    conditions: readonly RawBuilder<unknown>[],
    plan: ExistsPlan,
  ) => RawBuilder<boolean>;
}
