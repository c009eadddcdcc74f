import type { Expression, Kysely, RawBuilder } from 'kysely';
import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';
import type { JsonExpressions } from './json-expressions.js';
import type { PathExpressions } from './path-expressions.js';
import type { SearchExpressions } from './search-expressions.js';
import type { SumExpression } from './sums.js';
import type { Equality, OrderedRowsOptions, RowsOfEach } from './row-path.js';

/** A value as the read connection binds it. */
export type BoundValue = string | number | bigint | boolean | null;

/** Position in a text that a needle must have. */
export type MatchPosition = 'anywhere' | 'start' | 'end';

/** SQL fragments of one database, as Kysely expressions, and the values that are bound to them. */
export interface SqlExpressions {
  /** Compiles Kysely expressions to this database's SQL. It never executes a statement. */
  readonly kysely: Kysely<Record<string, Record<string, unknown>>>;
  /** The largest number of bound parameters of one statement. */
  readonly maxParameters: number;
  /**
   * A bound parameter of that kind. `value` is among the parameters of the compiled statement: the read
   * compiler passes a slot, which is later filled with the encoded value.
   */
  readonly parameter: (kind: ColumnKind, value: unknown) => RawBuilder<unknown>;
  /** The `n`th parameter of a raw statement, counted from 1: `?` or `$n`. */
  readonly placeholder: (n: number) => string;
  /** A JavaScript value as it must be bound to be compared with a column of that kind. */
  readonly encode: (kind: ColumnKind, value: StoredScalar) => BoundValue;
  /** A list as one bound value, for `inList`. Nulls are left out, since they equal nothing. */
  readonly encodeList: (kind: ColumnKind, values: readonly StoredScalar[]) => BoundValue;
  /** True if a value equals one of a list. `list` is an encoded list or a slot for one. */
  readonly inList: (value: Expression<unknown>, kind: ColumnKind, list: unknown) => RawBuilder<boolean>;
  /** Text that compares by code point, whatever the database's collation. Applied to the left side only. */
  readonly byCodePoint: (text: Expression<unknown>) => RawBuilder<unknown>;
  /** Lower case for all of Unicode, the same on every database. */
  readonly fold: (text: Expression<unknown>) => RawBuilder<string>;
  /** A column as the text the API prints, for the substring operators on numbers and JSON. */
  readonly asText: (kind: ColumnKind, column: Expression<unknown>) => RawBuilder<string>;
  /** Case-sensitive. `%`, `_` and `\` in the needle stand for themselves. */
  readonly contains: (
    text: Expression<unknown>,
    needle: Expression<unknown>,
    position: MatchPosition,
  ) => RawBuilder<boolean>;
  /** A text that follows, by code point, all texts that begin with the prefix. */
  readonly afterPrefix: (prefix: Expression<unknown>) => RawBuilder<unknown>;
  /** An `ORDER BY` item with nulls lowest: first ascending, last descending. */
  readonly orderBy: (value: Expression<unknown>, direction: 'asc' | 'desc') => RawBuilder<unknown>;
  /**
   * An equality that must not be looked up in an index, nor be taken for selective: where a row of an order
   * is searched that has it, one of the first ones is expected to.
   */
  readonly unselectiveEqual: (equality: Pick<Equality, 'column' | 'value'>) => RawBuilder<unknown>;
  /**
   * The clauses from `FROM` on: the rows of an alias that are found for each row of `outer`, one after the
   * other. Joined as the planner likes, whole tables may be read, since it cannot know that bounds of a range
   * are close.
   */
  readonly rowsOfEach: (rows: RowsOfEach) => RawBuilder<unknown>;
  /** The clauses from `FROM` on: sorted rows of one page under the alias, so that only those are printed. */
  readonly orderedRows: (rows: OrderedRowsOptions) => RawBuilder<unknown>;
  /** `LIMIT … OFFSET …` of two parameters made for kind `integer`. */
  readonly slice: (limit: unknown, offset: unknown) => RawBuilder<unknown>;
  /**
   * Rows of several ordered lists, as a subquery. `limit` rows are read in all where the database reads the
   * lists one after another, otherwise up to `limit` of each.
   */
  readonly firstOf: (lists: readonly Expression<unknown>[], limit: unknown) => RawBuilder<unknown>;
  /**
   * The value, computed only while the statement's budget lasts. Each time, `cost` is spent; beyond the limit
   * the statement fails with `request/too-many-records`. Only for statements of a read connection.
   */
  readonly spending: <T>(
    cost: Expression<unknown>,
    budget: ReadBudget,
    value: Expression<T>,
  ) => RawBuilder<T>;
  /**
   * A condition that always holds, during which a statement that looks at many rows can be ended. `id` is the
   * id of a row. It may be ended at about one in `interval` rows. Null where the database ends statements by
   * itself.
   */
  readonly interruptible: ((id: Expression<unknown>, interval: number) => RawBuilder<boolean>) | null;
  /** The sum of a column of numbers. Large integers are printed as text. Null without values. */
  readonly sum: (kind: ColumnKind, column: Expression<unknown>) => SumExpression;
  /** The average of a column of numbers. Null without values. */
  readonly average: (column: Expression<unknown>) => RawBuilder<unknown>;
  /** The bytes of a text or JSON column; 0 for null. */
  readonly byteLength: (column: Expression<unknown>) => RawBuilder<number>;
  readonly json: JsonExpressions;
  readonly search: SearchExpressions;
  readonly paths: PathExpressions;
}

/** Budget of one statement. */
export interface ReadBudget {
  readonly limit: number;
  /** The part of the request that spends, for the error: `author.articles`. */
  readonly branch: string;
}
