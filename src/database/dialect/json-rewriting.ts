import type { JsonValue } from '../../lib/stored-value.js';

/** A type of JSON values. `integer` is a number without a fraction. */
export type JsonType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** Changes to the members of a JSON object. Members not listed keep their text. */
export interface ObjectRewrite {
  /** The new keys, by the old ones. */
  readonly keys: ReadonlyMap<string, string>;
  /** The new values, by the old keys: JSON of the member's JSON. */
  readonly values: ReadonlyMap<string, (member: string) => string>;
  readonly omitted: readonly string[];
  /** The only keys that stay. Absent: all. */
  readonly only?: readonly string[];
  /** Members to add, under their new keys. `unless` is an old key: the member is added where it is absent. */
  readonly added: readonly { readonly key: string; readonly value: string; readonly unless: string | null }[];
}

export interface ListRewrite {
  /** The JSON that becomes of an item. */
  readonly item: (item: string) => string;
  /** Returns the condition for items that stay. Absent: all stay. */
  readonly where?: (item: string) => string;
}

/**
 * Builds SQL text that rewrites stored JSON. Every argument and result is an expression: of JSON, in the form
 * of the database's columns, unless documented otherwise. Unchanged values keep their text.
 */
export interface JsonRewriting {
  /** A condition: whether a value has a type. SQL null counts as JSON null. */
  readonly isType: (json: string, type: JsonType) => string;
  /** A condition: whether an object has a key. */
  readonly hasKey: (json: string, key: string) => string;
  readonly literal: (value: JsonValue) => string;
  /** Rewrites a JSON object. The alias must be unique in the statement. */
  readonly object: (json: string, alias: string, rewrite: ObjectRewrite) => string;
  /** Rewrites a JSON list, in order. The alias must be unique in the statement. */
  readonly list: (json: string, alias: string, rewrite: ListRewrite) => string;
  /** A list of one item. */
  readonly listOf: (json: string) => string;
  /** The first item of a list. SQL null where it is empty. */
  readonly first: (list: string) => string;
  /** JSON of SQL text that holds JSON. JSON null for SQL null. */
  readonly ofText: (text: string) => string;
  /** JSON, or other JSON where it is null. */
  readonly orElse: (json: string, other: string) => string;
  /** The text of a string under a key. SQL null where there is none. */
  readonly memberText: (json: string, key: string) => string;
  /** A component's id that no other component is likely to have. */
  readonly newId: () => string;
  /** JSON as a column of this database is assigned to: SQL null for JSON null. */
  readonly toColumn: (json: string) => string;
  /** A column's value as JSON text, for a query's result. */
  readonly toText: (json: string) => string;
}
