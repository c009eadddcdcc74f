import { SqliteAdapter, SqliteQueryCompiler, sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import { chunksOf } from '../../lib/collections.js';
import { textForm } from '../../lib/stored-value.js';
import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';
import { createCompilingKysely } from '../dialect/sql-expressions.js';
import type {
  BoundValue,
  JsonExpressions,
  JsonPairs,
  JsonRows,
  LabelledRows,
  MatchPosition,
  SqlExpressions,
  SqlJson,
  SumExpression,
} from '../dialect/sql-expressions.js';
import { SQLITE_FOLD, SQLITE_NUMBER, SQLITE_REFUSE, SQLITE_SPEND, SQLITE_TICK } from './functions.js';
import { SQLITE_PATHS, sqliteOrderedRows } from './paths.js';
import { SQLITE_SEARCH } from './search.js';

/** Sums of large integers are kept in two parts, since a sum beyond 64 bits is an error. */
const BASE = 1_000_000_000;
const DIGITS = 9;

/** JSON has no infinity, the sum of very large numbers. */
const finite = (value: Expression<unknown>): RawBuilder<unknown> =>
  sql`case when abs(${value}) <= ${sql.raw(String(Number.MAX_VALUE))} then ${value} end`;

/** Both parts have the same sign after this, or one of them is zero. */
const normalise = (high: RawBuilder<unknown>, low: RawBuilder<unknown>): RawBuilder<unknown> => {
  const base = sql.lit(BASE);
  const carried = sql`select ${high} + ${low} / ${base} as h, ${low} % ${base} as l`;
  const borrow = sql`case when h > 0 and l < 0 then -1 when h < 0 and l > 0 then 1 else 0 end`;
  return sql`(select h + b as h, l - b * ${base} as l from (select h, l, ${borrow} as b from (${carried})))`;
};

const print = (high: RawBuilder<unknown>, low: RawBuilder<unknown>): RawBuilder<unknown> => {
  const long = sql`h || substr('000000000' || abs(l), -${sql.lit(DIGITS)})`;
  return sql`(select case when h = 0 then cast(l as text) else ${long} end from ${normalise(high, low)})`;
};

const inParts = (value: Expression<unknown>): SumExpression => ({
  parts: [sql`sum(${value} / ${sql.lit(BASE)})`, sql`sum(${value} % ${sql.lit(BASE)})`],
  print: ([high = sql`null`, low = sql`null`]) => print(high, low),
  order: ([high = sql`null`, low = sql`null`]) => sql`(${high} * ${sql.lit(BASE)}.0 + ${low})`,
});

/** The sum of a column of numbers. */
function sqliteSum(kind: ColumnKind, value: Expression<unknown>): SumExpression {
  if (kind === 'bigint') return inParts(value);
  const only = ([part = sql`null`]: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => part;
  return { parts: [sql`sum(${value})`], print: (parts) => finite(only(parts)), order: only };
}

/** The average of a column of numbers. */
function sqliteAverage(value: Expression<unknown>): RawBuilder<unknown> {
  return finite(sql`avg(${value})`);
}

/** Sorts after all stored times, since `~` is greater than all digits. */
const AFTER_ALL_TIMES = '~';

/** Times are stored as text in one format, the driver adapter's, so that they compare as text. */
const encodeTime = (time: Date): string => {
  const year = time.getUTCFullYear();
  if (year > 9999) return AFTER_ALL_TIMES;
  return year < 0 ? '' : time.toISOString().replace('Z', '+00:00');
};

const encodeNumber = (value: StoredScalar): BoundValue =>
  typeof value === 'bigint' || typeof value === 'number' ? value : Number(value);

/** Encodes a value as it is bound to be compared with a column of that kind. */
function encodeForSqlite(kind: ColumnKind, value: StoredScalar): BoundValue {
  if (value === null) return null;
  switch (kind) {
    case 'text':
    case 'json':
      return textForm(value);
    case 'integer':
    case 'bigint':
      return encodeNumber(value);
    case 'double':
      return Number(value);
    case 'boolean':
      return value === true ? 1 : 0;
    case 'datetime':
      return value instanceof Date ? encodeTime(value) : textForm(value);
    default:
      return kind satisfies never;
  }
}

/** Encodes a list as a JSON array. Integers beyond 2^53 keep all digits. */
function encodeListForSqlite(kind: ColumnKind, values: readonly StoredScalar[]): string {
  const items = values
    .filter((value) => value !== null)
    .map((value) => {
      const bound = encodeForSqlite(kind, value);
      return typeof bound === 'bigint' ? String(bound) : JSON.stringify(bound);
    });
  return `[${items.join(',')}]`;
}

/** Maximum number of arguments of a function in SQLite. */
const MAX_ARGUMENTS = 1000;

/** The plus hides the value from the planner, which would otherwise prepare the statement at every run. */
const parameter = (_kind: ColumnKind, value: unknown): RawBuilder<unknown> => sql`+${value}`;

const jsonPath = (key: string): RawBuilder<string> => sql.lit(`$."${key}"`);

/**
 * JSON is built as text: `json_object` would print a populated list as a string, because SQLite
 * does not mark the value of a subquery as JSON.
 */
const jsonObject = (pairs: JsonPairs): RawBuilder<SqlJson> => {
  const members = pairs.flatMap(([key, value], index) => [
    sql.lit(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    sql`ifnull(${value}, 'null')`,
  ]);
  const parts = [...members, sql.lit(pairs.length === 0 ? '{}' : '}')];
  const texts = chunksOf(parts, MAX_ARGUMENTS).map((chunk) => sql`concat(${sql.join(chunk)})`);
  return sql`${sql.join(texts, sql` || `)}`;
};

const booleanCase = <T>(column: Expression<unknown>): RawBuilder<T> =>
  sql`case ${column} when 1 then 'true' when 0 then 'false' end`;

/** The driver adapter stores times as `….678+00:00`. */
const isoTime = (column: Expression<unknown>): RawBuilder<string> => sql`substr(${column}, 1, 23) || 'Z'`;

const jsonValue = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<SqlJson> => {
  switch (kind) {
    case 'text':
    case 'integer':
    case 'double':
      return sql`json_quote(${column})`;
    case 'bigint':
      return sql`'"' || ${column} || '"'`;
    case 'boolean':
      return booleanCase(column);
    case 'datetime':
      return sql`'"' || ${isoTime(column)} || '"'`;
    case 'json':
      return sql`json(${column})`;
    default:
      return kind satisfies never;
  }
};

const milliseconds = (moment: Expression<unknown>): RawBuilder<unknown> => {
  const seconds = sql`cast(strftime('%s', substr(${moment}, 1, 19)) as integer)`;
  return sql`cast(${seconds} * 1000 + cast(substr(${moment}, 21, 3) as integer) as text)`;
};

const asText = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<string> => {
  switch (kind) {
    case 'text':
    case 'json':
      return sql`${column}`;
    case 'integer':
    case 'bigint':
      return sql`cast(${column} as text)`;
    // 4.0 is printed as 4, as everywhere else.
    case 'double': {
      const integer = sql`cast(${column} as integer)`;
      const cases = sql`when ${column} = ${integer} then cast(${integer} as text)`;
      return sql`case ${cases} else cast(${column} as text) end`;
    }
    case 'boolean':
      return booleanCase(column);
    case 'datetime':
      return isoTime(column);
    default:
      return kind satisfies never;
  }
};

/** Elements are in SQLite's binary form, which is not parsed again for each of their members. */
const jsonElements = (json: Expression<unknown>): RawBuilder<unknown> => {
  const list = sql`jsonb_array(json(${json}))`;
  const cases = sql`when 'array' then ${json} when 'object' then ${list} when 'text' then ${list}`;
  return sql`jsonb_each(case json_type(${json}) ${cases} end)`;
};

const jsonRows = (json: Expression<unknown>, alias: string): JsonRows => ({
  from: sql`${jsonElements(json)} as ${sql.id(alias)}`,
  item: sql`${sql.id(alias, 'value')}`,
  text: sql`${sql.id(alias, 'value')}`,
  position: sql`${sql.id(alias, 'key')}`,
});

/**
 * A column of `jsonb_each` is computed wherever it is used. The limit keeps the planner from inlining the
 * subquery, which uses it once.
 */
const jsonLabelledRows = (json: Expression<unknown>, key: string, alias: string): LabelledRows => {
  const label = sql`case type when 'object' then item ->> ${jsonPath(key)} end as label`;
  const items = sql`(select value as item, type from ${jsonElements(json)} limit -1)`;
  return {
    from: sql`(select item, ${label} from ${items} limit -1) as ${sql.id(alias)}`,
    item: sql`${sql.id(alias, 'item')}`,
    label: sql`${sql.id(alias, 'label')}`,
  };
};

const fieldOfType = (
  json: Expression<unknown>,
  key: string,
  types: readonly string[],
): RawBuilder<unknown> => {
  const list = sql.join(types.map((type) => sql.lit(type)));
  const path = jsonPath(key);
  return sql`case when json_type(${json}, ${path}) in (${list}) then ${json} ->> ${path} end`;
};

const jsonField = (json: Expression<unknown>, key: string, kind: ColumnKind): RawBuilder<unknown> => {
  const path = jsonPath(key);
  switch (kind) {
    case 'text':
    case 'datetime':
      return fieldOfType(json, key, ['text']);
    case 'integer':
    case 'double':
      return fieldOfType(json, key, ['integer', 'real']);
    case 'bigint':
      return sql`cast(${fieldOfType(json, key, ['text', 'integer'])} as integer)`;
    case 'boolean':
      return fieldOfType(json, key, ['true', 'false']);
    case 'json':
      return sql`case when json_type(${json}, ${path}) <> 'null' then ${json} -> ${path} end`;
    default:
      return kind satisfies never;
  }
};

const jsonMember = (json: Expression<unknown>, key: string): RawBuilder<SqlJson> =>
  sql`(${json} -> ${jsonPath(key)})`;

const fold = (text: Expression<unknown>): RawBuilder<string> => sql<string>`${sql.id(SQLITE_FOLD)}(${text})`;

const contains = (
  text: Expression<unknown>,
  needle: Expression<unknown>,
  position: MatchPosition,
): RawBuilder<boolean> => {
  switch (position) {
    case 'anywhere':
      return sql`instr(${text}, ${needle}) > 0`;
    case 'start':
      return sql`substr(${text}, 1, length(${needle})) = ${needle}`;
    case 'end':
      return sql`substr(${text}, length(${text}) - length(${needle}) + 1) = ${needle}`;
    default:
      return position satisfies never;
  }
};

/** SQLite stores JSON text that is a number as one, and prints it in another form: `1.0e+21`. */
const comparableJson = (json: Expression<unknown>): RawBuilder<string> => {
  const number = sql`when typeof(${json}) = 'real' then ${sql.id(SQLITE_NUMBER)}(${json})`;
  const text = sql`when json_type(${json}) = 'text' then ${json} ->> '$'`;
  return sql<string>`case ${number} ${text} else cast(${json} as text) end`;
};

const JSON_EXPRESSIONS: JsonExpressions = Object.freeze({
  object: jsonObject,
  stored: (text) => sql`${text}`,
  array: (item) => sql`concat('[', group_concat(ifnull(${item}, 'null')), ']')`,
  value: jsonValue,
  milliseconds,
  text: (json) => sql<string>`${json}`,
  rows: jsonRows,
  labelledRows: jsonLabelledRows,
  comparable: comparableJson,
  field: jsonField,
  member: jsonMember,
  // SQLite caches the JSON it parsed last.
  members: (json) => ({ from: null, member: (key) => jsonMember(json, key) }),
  isAbsent: (json) => sql<boolean>`coalesce(json_type(${json}), 'null') = 'null'`,
} satisfies JsonExpressions);

/** SQLite compares text by its UTF-8 bytes, which is by code point. */
export const SQLITE_EXPRESSIONS: SqlExpressions = Object.freeze({
  kysely: createCompilingKysely({
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }),
  maxParameters: 32_766,
  parameter,
  placeholder: () => '?',
  encode: encodeForSqlite,
  encodeList: encodeListForSqlite,
  inList: (value, _kind, list) => sql<boolean>`${value} in (select value from json_each(+${list}))`,
  byCodePoint: (text) => sql`${text}`,
  fold,
  asText,
  contains,
  // No character begins with this byte.
  afterPrefix: (prefix) => sql`(${prefix} || cast(x'ff' as text))`,
  orderBy: (value, direction) => sql`${value} ${sql.raw(direction)}`,
  // The plus keeps the planner from using an index of the column.
  unselectiveEqual: ({ column, value }) => sql`+${column} = ${value}`,
  rowsOfEach: ({ outer, values, from, where }) => ({
    from: sql`${outer} cross join ${from} where ${where}`,
    values,
  }),
  orderedRows: sqliteOrderedRows,
  slice: (limit, offset) => sql`limit (${limit} + 0) offset (${offset} + 0)`,
  firstOf: (lists, limit) => sql`${sql.join(lists, sql` union all `)} limit (${limit} + 0)`,
  spending: (cost, { limit, branch }, value) =>
    sql`case when ${sql.id(SQLITE_SPEND)}(${cost}, ${sql.lit(limit)}) then ${value}
      else ${sql.id(SQLITE_REFUSE)}(${sql.lit(limit)}, ${sql.lit(branch)}) end`,
  // The planner ignores conditions that are always true.
  interruptible: (id, interval) =>
    sql<boolean>`likelihood(${id} % ${sql.lit(interval)} or ${sql.id(SQLITE_TICK)}(), 1.0)`,
  sum: sqliteSum,
  average: sqliteAverage,
  byteLength: (column) => sql<number>`ifnull(octet_length(${column}), 0)`,
  json: JSON_EXPRESSIONS,
  search: SQLITE_SEARCH,
  paths: SQLITE_PATHS,
} satisfies SqlExpressions);
