import { DummyDriver, Kysely } from 'kysely';
import type { DialectAdapter, Expression, QueryCompiler, RawBuilder } from 'kysely';
import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';
import type { SearchExpressions } from './search-expressions.js';

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
  /** A list as one bound value, for `inList`. Nulls are omitted, because they equal nothing. */
  readonly encodeList: (kind: ColumnKind, values: readonly StoredScalar[]) => BoundValue;
  /** True if a value equals one of a list. `list` is an encoded list or a slot for one. */
  readonly inList: (value: Expression<unknown>, kind: ColumnKind, list: unknown) => RawBuilder<boolean>;
  /** Text that compares by code point, independent of the collation. Applied to the left side only. */
  readonly byCodePoint: (text: Expression<unknown>) => RawBuilder<unknown>;
  /** Lower case for all of Unicode, the same on every database. */
  readonly fold: (text: Expression<unknown>) => RawBuilder<string>;
  /** A column as the text the API prints, for the substring operators on numbers and JSON. */
  readonly asText: (kind: ColumnKind, column: Expression<unknown>) => RawBuilder<string>;
  /** Case-sensitive. `%`, `_` and `\` in the needle have no special meaning. */
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
   * Looks up rows for each row of `outer`, one after the other. Joined in another way, whole tables may be
   * read, since the planner cannot know that `outer` is short.
   */
  readonly rowsOfEach: (rows: RowsOfEach) => FoundRows;
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

/** A column and the value that it must equal. */
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
  /** True if the columns of keys and version are those of a unique index. */
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
interface RowsOfEach {
  readonly outer: RawBuilder<unknown>;
  readonly values: readonly RawBuilder<unknown>[];
  /** Tables in the order in which they are read. */
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

/** Rows in SQL: the clauses after `FROM`, and the values that a statement selects. */
interface FoundRows {
  readonly from: RawBuilder<unknown>;
  readonly values: readonly RawBuilder<unknown>[];
}

/**
 * The type of JSON in SQL; SQL null represents JSON null. In SQLite it is text, so that an expression of
 * another type would be embedded as if it were JSON. `JsonExpressions.value` makes JSON of columns.
 */
export interface SqlJson {
  readonly kind: 'json';
}

export type JsonPairs = readonly (readonly [key: string, value: Expression<SqlJson>])[];

/** The elements of a JSON list as rows. `from` is a table expression; the others refer to its columns. */
export interface JsonRows {
  readonly from: RawBuilder<unknown>;
  /** The element, as JSON. */
  readonly item: RawBuilder<unknown>;
  /** The element as text, where it is a JSON string. */
  readonly text: RawBuilder<string>;
  readonly position: RawBuilder<number>;
}

/** The elements of a JSON list as rows, each with the text under one key, computed once per element. */
export interface LabelledRows {
  readonly from: RawBuilder<unknown>;
  /** The element, as JSON. */
  readonly item: RawBuilder<unknown>;
  /** The text under the key. Null, or text that is not a valid name, if the value is not a string. */
  readonly label: RawBuilder<string>;
}

/** Members of a JSON object. `from` is the table expression they are read from; null where none is needed. */
export interface JsonMembers {
  readonly from: RawBuilder<unknown> | null;
  /** The value under a key, as JSON. */
  readonly member: (key: string) => RawBuilder<SqlJson>;
}

/** Builds and reads JSON in SQL. */
export interface JsonExpressions {
  /** JSON text as a column stores it. */
  readonly stored: (text: Expression<unknown>) => RawBuilder<unknown>;
  /** A JSON object of any number of pairs. */
  readonly object: (pairs: JsonPairs) => RawBuilder<SqlJson>;
  /** Aggregates the JSON items of all rows, in row order, into one JSON array; `[]` without rows. */
  readonly array: (item: Expression<SqlJson>) => RawBuilder<SqlJson>;
  /**
   * A stored column as the API prints it: JSON booleans, ISO times with milliseconds and Z, bigint as text,
   * JSON embedded.
   */
  readonly value: (kind: ColumnKind, column: Expression<unknown>) => RawBuilder<SqlJson>;
  /** The milliseconds since 1970 of a stored moment, or of ISO text, as text. Null for other text. */
  readonly milliseconds: (moment: Expression<unknown>, kind: 'datetime' | 'text') => RawBuilder<unknown>;
  /** A record's JSON as text, for the only column of the statement. */
  readonly text: (json: Expression<SqlJson>) => RawBuilder<string>;
  /**
   * The elements of a JSON list as rows; none for null. An object or a string counts as a list of one, so
   * that an attribute may become repeatable.
   */
  readonly rows: (json: Expression<unknown>, alias: string) => JsonRows;
  /** The elements of a JSON list as rows, each with the text under one of its keys. */
  readonly labelledRows: (json: Expression<unknown>, key: string, alias: string) => LabelledRows;
  /**
   * The value under a key of a JSON object, as a comparable SQL value of that kind. Null where it is missing
   * or of another kind. Times are compared as ISO text.
   */
  readonly field: (json: Expression<unknown>, key: string, kind: ColumnKind) => RawBuilder<unknown>;
  /** A JSON value as text to compare with: strings without quotes, all other values as they are stored. */
  readonly comparable: (json: Expression<unknown>) => RawBuilder<string>;
  /** The value under a key of a JSON object, as JSON. */
  readonly member: (json: Expression<unknown>, key: string) => RawBuilder<SqlJson>;
  /** Several members of one JSON object, which is parsed once for all of them where that pays. */
  readonly members: (json: Expression<unknown>, keys: readonly string[], alias: string) => JsonMembers;
  /** True if a JSON value is absent: SQL null or JSON null. */
  readonly isAbsent: (json: Expression<unknown>) => RawBuilder<boolean>;
}

/** SQL for exact sums: the columns to compute, and the expressions to print and sort them. */
export interface SumExpression {
  readonly parts: readonly RawBuilder<unknown>[];
  readonly print: (parts: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>;
  readonly order: (parts: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>;
}

interface KyselyFactories {
  readonly createAdapter: () => DialectAdapter;
  readonly createQueryCompiler: () => QueryCompiler;
}

/** Creates a Kysely that compiles expressions to SQL, and has no connection. */
export function createCompilingKysely({
  createAdapter,
  createQueryCompiler,
}: KyselyFactories): Kysely<Record<string, Record<string, unknown>>> {
  return new Kysely({
    dialect: {
      createAdapter,
      createQueryCompiler,
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new TypeError('This Kysely has no database to inspect');
      },
    },
  });
}
