import type { Expression, RawBuilder } from 'kysely';
import type { ColumnKind } from '../../lib/stored-value.js';

/**
 * The type of JSON in SQL; SQL null stands for JSON null. In SQLite it is text, so that an expression of
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
  /** The text under the key. Null, or text that is no valid name, where the value is not a string. */
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
