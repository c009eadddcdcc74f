import type { Expression, Kysely, RawBuilder } from 'kysely';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import type { ChangeFeedSupport } from './change-feed.js';
import type { MigrationSupport } from './migration-support.js';
import type { Equality, FoundRows, OrderedRows, RowPath } from './row-path.js';
import type { WriteAdapter } from './write-adapter.js';

export type DialectName = 'sqlite' | 'postgresql';

/** A value as the read connection binds it. */
export type BoundValue = string | number | bigint | boolean | null;

/** Where a needle must stand in a text. */
export type NeedlePlace = 'anywhere' | 'start' | 'end';

/** A connection for compiled reads: prepared statements, kept per SQL text. Refuses to write. */
export interface ReadConnection {
  /** The dialect as this very server speaks it; statements for this connection are compiled with it. */
  readonly dialect: Dialect;
  /** Runs a statement whose only column is text (JSON of one record) or null; returns that column of every row, in order. */
  readonly texts: (sql: string, parameters: readonly BoundValue[]) => Promise<readonly (string | null)[]>;
  /** Runs a statement that answers one number. */
  readonly number: (sql: string, parameters: readonly BoundValue[]) => Promise<number>;
  readonly close: () => Promise<void>;
}

/** What a driver said, in terms the rest of the toolkit understands. */
export type DriverFault =
  /** SQLite names the columns; PostgreSQL the constraint (or index), and columns is empty. */
  | { readonly kind: 'unique'; readonly columns: readonly string[]; readonly constraint: string | null }
  | { readonly kind: 'foreign-key' }
  /** Another writer is in the way; the transaction may be tried again. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'unreachable' };

/** The elements of a JSON list as rows: `from` is a table expression, the others refer to its columns. */
export interface JsonRows {
  readonly from: RawBuilder<unknown>;
  /** The element, as JSON. */
  readonly item: RawBuilder<unknown>;
  /** The element as text, where it is a JSON string. */
  readonly text: RawBuilder<string>;
  readonly position: RawBuilder<number>;
}

/** As {@link JsonRows}, with a text of each element that is worked out once. */
export interface LabelledRows {
  readonly from: RawBuilder<unknown>;
  /** The element, as JSON. */
  readonly item: RawBuilder<unknown>;
  /** The text under the key asked for, to be compared with names: null or no name at all where something else stands there. */
  readonly label: RawBuilder<string>;
}

/** Members of one JSON object: `from` is a table expression they are read from, or null where there is no need of one. */
export interface JsonMembers {
  readonly from: RawBuilder<unknown> | null;
  /** The value under a key, as JSON. */
  readonly member: (key: string) => RawBuilder<unknown>;
}

/** Everything that differs between databases. Two implementations: `sqlite.ts`, `postgres.ts`; nothing else compares names. */
export interface Dialect {
  readonly name: DialectName;
  readonly prismaProvider: DialectName;
  /** Only one transaction writes at a time, so writers queue in this process instead of waiting in the database. */
  readonly singleWriter: boolean;
  /** Most bound parameters one statement may carry. */
  readonly maxParameters: number;
  /** Whether primary and foreign keys have names of their own here (Prisma refuses `map:` on them where they have none). */
  readonly namesConstraints: boolean;
  /** Prisma type of a column: `{type: 'Json', attribute: '@db.Json'}`. */
  readonly prismaType: (kind: ColumnKind) => { readonly type: string; readonly attribute: string | null };
  readonly migrations: MigrationSupport;
  readonly changeFeed: ChangeFeedSupport;

  /** Compiles Kysely expressions to this database's SQL; never executes. */
  readonly kysely: Kysely<Record<string, Record<string, unknown>>>;
  /**
   * A bound parameter of that kind. `value` comes back among the compiled parameters: the read compiler puts a slot there, to be filled
   * with what `encode` makes of the value.
   */
  readonly parameter: (kind: ColumnKind, value: unknown) => RawBuilder<unknown>;
  /** The `n`th parameter of a raw statement, counted from 1: `?` or `$n`. */
  readonly placeholder: (n: number) => string;
  /** JSON object from pairs, any number of them (functions take about a hundred arguments on PostgreSQL; longer ones are spliced). */
  readonly jsonObject: (pairs: readonly (readonly [key: string, value: Expression<unknown>])[]) => RawBuilder<unknown>;
  /** Aggregate: the JSON items of all rows as one JSON array, in the order the rows come in; `[]` when there are none. */
  readonly jsonArray: (item: Expression<unknown>) => RawBuilder<unknown>;
  /** A stored column as the API prints it: booleans, ISO times with milliseconds and Z, bigint as text, JSON embedded. */
  readonly jsonValue: (kind: ColumnKind, column: Expression<unknown>) => RawBuilder<unknown>;
  /** The whole record's JSON as text, for the statement's single column. */
  readonly jsonText: (json: Expression<unknown>) => RawBuilder<string>;
  /** Elements of a JSON list as rows; none for null. What is no list counts as a list of one, so that an attribute may become repeatable. */
  readonly jsonRows: (json: Expression<unknown>, alias: string) => JsonRows;
  /** Elements of a JSON list as rows, each with the text under one of its keys. */
  readonly jsonLabelledRows: (json: Expression<unknown>, key: string, alias: string) => LabelledRows;
  /** The value under a key of a JSON object, as SQL value of that kind (comparable); null where it is missing or of another kind. Times are their ISO text … */
  readonly jsonField: (json: Expression<unknown>, key: string, kind: ColumnKind) => RawBuilder<unknown>;
  /** … or as JSON again (to descend or to print). */
  readonly jsonMember: (json: Expression<unknown>, key: string) => RawBuilder<unknown>;
  /** Many members of one JSON object, so that it need not be parsed once for each. */
  readonly jsonMembers: (json: Expression<unknown>, keys: readonly string[], alias: string) => JsonMembers;
  /** Whether a JSON value is absent: SQL null or JSON null. */
  readonly jsonAbsent: (json: Expression<unknown>) => RawBuilder<boolean>;

  /** A JavaScript value as it must be bound to be compared with a column of that kind. */
  readonly encode: (kind: ColumnKind, value: StoredScalar) => BoundValue;
  /** All the values of a list as one bound value, for `among`. Nulls are left out: they equal nothing. */
  readonly encodeList: (kind: ColumnKind, values: readonly StoredScalar[]) => BoundValue;
  /** Whether a value equals one of a list; `list` is what stands for the bound list, as in `parameter`. */
  readonly among: (value: Expression<unknown>, kind: ColumnKind, list: unknown) => RawBuilder<boolean>;
  /** Text comparison by code point, whatever the database's collation. Wraps the column expression; the other side follows it. */
  readonly byCodePoint: (text: Expression<unknown>) => RawBuilder<unknown>;
  /** Lower case in all of Unicode, the same on every database. */
  readonly fold: (text: Expression<unknown>) => RawBuilder<string>;
  /** Text form of a column of that kind, for the substring operators on numbers and JSON: as the API prints it. */
  readonly asText: (kind: ColumnKind, column: Expression<unknown>) => RawBuilder<string>;
  /** Case-sensitive; the needle is literal, wherever it holds `%`, `_` or `\`. */
  readonly contains: (text: Expression<unknown>, needle: Expression<unknown>, where: NeedlePlace) => RawBuilder<boolean>;
  /** `ORDER BY` item with nulls lowest: first ascending, last descending. */
  readonly orderBy: (value: Expression<unknown>, direction: 'asc' | 'desc') => RawBuilder<unknown>;
  /** The rows at the end of a path from one row, found that way and no other. */
  readonly rowsAlong: (path: RowPath) => FoundRows;
  /**
   * Whether some row at the end of a path fulfils the conditions, which speak of that row alone.
   * `isSelective`: few rows of the whole table are expected to, so that it may pay to begin with them.
   */
  readonly someRow: (path: RowPath, conditions: readonly RawBuilder<unknown>[], isSelective: boolean) => RawBuilder<boolean>;
  /**
   * An equality that holds for nearly all rows, where others of the statement hold for few: rows are not to be found by it, whatever the
   * planner would guess.
   */
  readonly hardlyTells: (equality: Equality) => RawBuilder<unknown>;
  /** All of a statement from `FROM` on: the rows in their order, under the alias, so that only those on the page are printed. */
  readonly inOrder: (rows: OrderedRows) => RawBuilder<unknown>;
  /** `LIMIT … OFFSET …` of two parameters made for kind `integer`. */
  readonly slice: (limit: unknown, offset: unknown) => RawBuilder<unknown>;

  /** Opens a connection (or pool) for reads. `url`: `file:/absolute/data.db` or `postgresql://…`. */
  readonly openReads: (url: string) => Promise<ReadConnection>;
  /** The way to the database for the generated Prisma Client. */
  readonly createWriteAdapter: (url: string) => Promise<WriteAdapter>;
  /**
   * Statement that keeps other transactions of this database from passing the same name until this one ends, with the name as its only
   * parameter; null where only one transaction writes at a time anyway.
   */
  readonly lockName: string | null;
  /** Statement after which the transaction fails, to be run again, rather than wait longer than a moment for a row; null as for `lockName`. */
  readonly limitWaits: string | null;
  /** Understands errors of the driver and of Prisma Client; null: not a known fault. */
  readonly readFault: (error: unknown) => DriverFault | null;
}
