import type { ColumnKind, JsonValue } from '../../lib/stored-value.js';
import { quoteText, quoteTexts, switchOn } from './sql-text.js';

/** The kinds of values that text can represent. */
export type TextForm = 'integer' | 'bigint' | 'double' | 'boolean' | 'date' | 'time' | 'datetime';

/**
 * SQL that converts stored values through their text form, which is the one in the API's JSON: digits,
 * `true`, `2026-02-28`, `2026-02-28T13:45:00.000Z`, and JSON strings without their quotes. No expression
 * fails for any value.
 */
export interface MigrationValues {
  /** The text form of a stored value. */
  readonly textForm: (kind: ColumnKind, value: string) => string;
  /** The normal form of a text. Null if the text does not represent such a value. */
  readonly normalize: (form: TextForm, text: string) => string;
  /** The JSON text of a string. */
  readonly jsonString: (text: string) => string;
  /** The text form of the result of a user's expression, which is stored as a value of a kind. */
  readonly resultText: (kind: ColumnKind, expression: string) => string;
  /** The stored value of a usual text form; of JSON text for `json`. */
  readonly storedOf: (kind: ColumnKind, text: string) => string;
  /** Creates a temporary table of new values by old ones, which are text of any length. */
  readonly createLookupTable: (name: string) => string;
}

/**
 * Evaluates an SQL expression once for several uses in another one, as the column `t`. The limit keeps the
 * planner from inlining the expression at each use.
 */
export function bindText(text: string, use: string): string {
  return `(SELECT ${use} FROM (SELECT ${text} AS "t" LIMIT 1) AS "bound")`;
}

/** The usual form of a boolean in the bound text `t`. */
export const NORMAL_BOOLEAN = [
  `CASE WHEN "t" IN ('true', '1') THEN 'true'`,
  `WHEN "t" IN ('false', '0') THEN 'false' END`,
].join(' ');

/** SQL expressions that a database provides for checking dates and times. */
interface TextFunctions {
  /** True if text has a shape: `d` stands for a digit, other characters for themselves. */
  readonly hasShape: (text: string, shape: string) => string;
  /** The last characters of a text. */
  readonly ending: (text: string, length: number) => string;
  /** `2026-02-28T13:45:00.000Z` for a local time and its offset from UTC in minutes. Null: no such year. */
  readonly toUtc: (local: string, minutes: string) => string;
}

const LAST_DAY = [
  `CASE WHEN substr("t", 6, 2) IN ('04', '06', '09', '11') THEN '30'`,
  `WHEN substr("t", 6, 2) <> '02' THEN '31'`,
  `WHEN CAST(substr("t", 1, 4) AS INTEGER) % 4 = 0 AND (CAST(substr("t", 1, 4) AS INTEGER) % 100 <> 0`,
  `OR CAST(substr("t", 1, 4) AS INTEGER) % 400 = 0) THEN '29' ELSE '28' END`,
].join(' ');

const isDate = [
  `substr("t", 1, 4) <> '0000' AND substr("t", 6, 2) BETWEEN '01' AND '12'`,
  `AND substr("t", 9, 2) BETWEEN '01' AND ${LAST_DAY}`,
].join(' ');

const isClock = `substr("t", 1, 2) <= '23' AND substr("t", 4, 2) <= '59' AND substr("t", 7, 2) <= '59'`;

/** The clock of a datetime with its seconds, and with a fraction cut to milliseconds. */
const fullClock = ({ hasShape }: TextFunctions): string =>
  [
    `CASE WHEN ${hasShape('"clock"', 'dd:dd')} THEN "clock" || ':00'`,
    `WHEN length("clock") <= 8 THEN "clock"`,
    `WHEN length("clock") BETWEEN 10 AND 18 AND ltrim(substr("clock", 10), '0123456789') = ''`,
    `THEN substr("clock", 1, 12) END`,
  ].join(' ');

const offset = ({ hasShape, ending }: TextFunctions): string => {
  const isOffset = (length: number, shape: string): string => {
    const text = ending('"rest"', length);
    const isSigned = `substr(${text}, 1, 1) IN ('+', '-')`;
    return `WHEN ${isSigned} AND ${hasShape(`substr(${text}, 2)`, shape)} THEN ${text}`;
  };
  return [
    `CASE WHEN ${ending('"rest"', 1)} IN ('Z', 'z') THEN 'Z'`,
    isOffset(6, 'dd:dd'),
    isOffset(5, 'dddd'),
    isOffset(3, 'dd'),
    `ELSE '' END`,
  ].join(' ');
};

/** The offset in minutes. Null where it is not valid. */
const offsetMinutes = ({ ending }: TextFunctions): string => {
  const hours = 'CAST(substr("zone", 2, 2) AS INTEGER)';
  const minutes = `CASE length("zone") WHEN 3 THEN 0 ELSE CAST(${ending('"zone"', 2)} AS INTEGER) END`;
  const sign = `CASE substr("zone", 1, 1) WHEN '-' THEN -1 ELSE 1 END`;
  const isValid = `${hours} <= 23 AND ${minutes} <= 59`;
  const sum = `${sign} * (${hours} * 60 + ${minutes})`;
  return `CASE WHEN length("zone") < 3 THEN 0 WHEN ${isValid} THEN ${sum} END`;
};

/** SQL for the usual form of dates and times, as the API reads them. Null if a text is not one. */
export function createDateTexts(
  functions: TextFunctions,
): Readonly<Record<Extract<TextForm, 'date' | 'time' | 'datetime'>, (text: string) => string>> {
  const { hasShape, toUtc } = functions;
  const day = (text: string): string =>
    bindText(text, `CASE WHEN ${hasShape('"t"', 'dddd-dd-dd')} THEN CASE WHEN ${isDate} THEN "t" END END`);
  const time = (text: string): string => {
    const shapes = ['', '.d', '.dd', '.ddd'].map((fraction) => hasShape('"t"', `dd:dd:dd${fraction}`));
    const milliseconds = `substr("t", 1, 8) || '.' || substr(substr("t", 10) || '000', 1, 3)`;
    return bindText(text, `CASE WHEN (${shapes.join(' OR ')}) AND ${isClock} THEN ${milliseconds} END`);
  };
  const datetime = (text: string): string => {
    const parts = `SELECT ${day('substr("t", 1, 10)')} AS "day", substr("t", 11) AS "rest"`;
    const split = `${parts} FROM (SELECT ${text} AS "t" LIMIT 1) AS "a" LIMIT 1`;
    const zoned = `SELECT "day", "rest", ${offset(functions)} AS "zone" FROM (${split}) AS "b" LIMIT 1`;
    const clock = [
      `CASE WHEN "rest" = '' THEN '00:00' WHEN substr("rest", 1, 1) IN ('T', 't')`,
      `THEN substr("rest", 2, length("rest") - 1 - length("zone")) END`,
    ].join(' ');
    const clocked = `SELECT "day", "zone", ${clock} AS "clock" FROM (${zoned}) AS "c" LIMIT 1`;
    const normalClock = time(fullClock(functions));
    const timed = `SELECT "day", "zone", ${normalClock} AS "time" FROM (${clocked}) AS "d" LIMIT 1`;
    const utc = toUtc(`"day" || 'T' || "time"`, offsetMinutes(functions));
    const isValid = '"day" IS NOT NULL AND "time" IS NOT NULL';
    return `(SELECT CASE WHEN ${isValid} THEN ${utc} END FROM (${timed}) AS "e")`;
  };
  const midnight = 'T00:00:00.000Z';
  return {
    // A datetime converts to a date only without loss.
    date: (text) =>
      bindText(
        text,
        `coalesce(${day('"t"')}, ${bindText(
          datetime('"t"'),
          `CASE WHEN substr("t", 11) = '${midnight}' THEN substr("t", 1, 10) END`,
        )})`,
      ),
    time,
    datetime,
  };
}

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
  /** Returns the new JSON of an item. */
  readonly item: (item: string) => string;
  /** Returns the condition for items that stay. Absent: all stay. */
  readonly where?: (item: string) => string;
}

/**
 * Builds SQL text that rewrites stored JSON. Every argument and result is an expression: of JSON, in the form
 * of the database's columns, unless documented otherwise. Unchanged values keep their text.
 */
export interface JsonRewriting {
  /** A condition, true if a value has a type. SQL null counts as JSON null. */
  readonly isType: (json: string, type: JsonType) => string;
  /** A condition, true if an object has a key. */
  readonly hasKey: (json: string, key: string) => string;
  readonly literal: (value: JsonValue) => string;
  /** Rewrites a JSON object. The alias must be unique in the statement. */
  readonly object: (json: string, alias: string, rewrite: ObjectRewrite) => string;
  /** Rewrites a JSON list, in order. The alias must be unique in the statement. */
  readonly list: (json: string, alias: string, rewrite: ListRewrite) => string;
  /** A list of one item. */
  readonly listOf: (json: string) => string;
  /** The first item of a list. SQL null if it is empty. */
  readonly first: (list: string) => string;
  /** JSON from SQL text that contains JSON. JSON null for SQL null. */
  readonly ofText: (text: string) => string;
  /** JSON, or other JSON where it is null. */
  readonly orElse: (json: string, other: string) => string;
  /** The text of a string under a key. SQL null if there is none. */
  readonly memberText: (json: string, key: string) => string;
  /** A component's id that no other component is likely to have. */
  readonly newId: () => string;
  /** JSON as a column of this database is assigned to: SQL null for JSON null. */
  readonly toColumn: (json: string) => string;
  /** A column's value as JSON text, for a query's result. */
  readonly toText: (json: string) => string;
}

/** Keeps added members apart from old ones of the same key. No attribute has such a name. */
const ADDED_PREFIX = '+';

const addedLabel = (key: string): string => ADDED_PREFIX + key;

/** Returns the `WHERE` clause for old members that stay, on the column of their keys. Empty if all stay. */
export function keptMembers(key: string, { omitted, only }: ObjectRewrite): string {
  const conditions = [
    ...(omitted.length === 0 ? [] : [`${key} NOT IN (${quoteTexts(omitted)})`]),
    ...(only === undefined ? [] : [`${key} IN (${quoteTexts(only)})`]),
  ];
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
}

/** Selects the added members, each with its label, its value and the additional `columns`. */
export function addedMembers(
  { added }: ObjectRewrite,
  columns: string,
  isAbsent: (key: string) => string,
): readonly string[] {
  return added.map(({ key, value, unless }) => {
    const condition = unless === null ? '' : ` WHERE ${isAbsent(unless)}`;
    return `SELECT ${quoteText(addedLabel(key))}, ${value}${columns}${condition}`;
  });
}

/** The new key of a member, whose old key or label is the given column. */
export function newKey(column: string, { keys, added }: ObjectRewrite): string {
  return switchOn(
    column,
    [
      ...[...keys].map(([from, to]) => [from, quoteText(to)] as const),
      ...added.map(({ key }) => [addedLabel(key), quoteText(key)] as const),
    ],
    column,
  );
}

/** The new value of a member, whose old key and value are the given columns. */
export function newValue(key: string, value: string, { values }: ObjectRewrite): string {
  return switchOn(
    key,
    [...values].map(([name, rewrite]) => [name, rewrite(value)] as const),
    value,
  );
}
