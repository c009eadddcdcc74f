import type { Expression, RawBuilder } from 'kysely';
import { SqliteAdapter, SqliteQueryCompiler, sql } from 'kysely';
import type { ColumnKind } from '../../lib/stored-value.js';
import { createCompilingKysely } from '../compiling-kysely.js';
import type { JsonExpressions, JsonRows, LabelledRows } from '../json-expressions.js';
import { SQLITE_FOLD } from './fold.js';
import { SQLITE_REFUSE, SQLITE_SPEND, SQLITE_TICK } from './functions.js';
import { SQLITE_SEARCH } from './search/search.js';
import { sqliteCountedRows, sqliteRowsInReverse } from './counted-rows.js';
import { sqliteMergedRows, sqliteUnindexedEqual, sqliteOrderedRows, SQLITE_PATHS } from './paths.js';
import { chunkPairs, pairArguments } from '../json-pairs.js';
import type { JsonPairs } from '../json-pairs.js';
import type { MatchPosition, SqlExpressions } from '../sql-expressions.js';
import { sqliteMarkWhere, sqliteOrMark, sqlitePrintedMember, sqliteSafeInteger } from './printed-values.js';
import { sqliteAverage, sqliteSum } from './sums.js';
import { SQLITE_TOTAL_EXPRESSIONS } from './totals.js';
import { encodeForSqlite, encodeListForSqlite } from './values.js';

/** A function takes at most 1000 arguments in the SQLite of better-sqlite3. */
const MAX_PAIRS = 480;

/** The plus hides the value from the planner, which would otherwise prepare the statement at every run. */
const parameter = (_kind: ColumnKind, value: unknown): RawBuilder<unknown> => sql`+${value}`;

const jsonPath = (key: string): RawBuilder<string> => sql.lit(`$."${key}"`);

/** A JSON object without its closing brace. */
const withoutClosingBrace = (pairs: JsonPairs): RawBuilder<string> =>
  sql`(select substr(j, 1, length(j) - 1) from (select json_object(${pairArguments(pairs)}) as j))`;

const jsonObject = (pairs: JsonPairs): RawBuilder<unknown> => {
  const chunks = chunkPairs(pairs, MAX_PAIRS);
  if (chunks.length === 1) return sql`json_object(${pairArguments(pairs)})`;
  const texts = chunks.map((chunk, index) =>
    index === 0 ? withoutClosingBrace(chunk) : sql`substr(${withoutClosingBrace(chunk)}, 2)`,
  );
  return sql`json(${sql.join(texts, sql` || ',' || `)} || '}')`;
};

const booleanCase = (
  column: Expression<unknown>,
  whenTrue: RawBuilder<unknown>,
  whenFalse: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`case ${column} when 1 then ${whenTrue} when 0 then ${whenFalse} end`;

/** The driver adapter stores times as `….678+00:00`. */
const isoTime = (column: Expression<unknown>): RawBuilder<string> => sql`substr(${column}, 1, 23) || 'Z'`;

const jsonValue = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<unknown> => {
  switch (kind) {
    case 'text':
    case 'integer':
    case 'double':
      return sql`${column}`;
    case 'bigint':
      return sql`cast(${column} as text)`;
    case 'boolean':
      return booleanCase(column, sql`json('true')`, sql`json('false')`);
    case 'datetime':
      return isoTime(column);
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
      return sql`${booleanCase(column, sql`'true'`, sql`'false'`)}`;
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

const jsonMember = (json: Expression<unknown>, key: string): RawBuilder<unknown> =>
  sql`(${json} -> ${jsonPath(key)})`;

const fold = (text: Expression<unknown>): RawBuilder<string> => sql<string>`${sql.id(SQLITE_FOLD)}(${text})`;

/** Longer ones are left to a function that looks at the time. */
const MAX_ASCII_BYTES = 1000;

/** SQLite folds ASCII itself, in less time than it takes to call a function. */
const foldColumn = (column: Expression<unknown>): RawBuilder<string> => {
  const bytes = sql`octet_length(${column})`;
  const isShortAscii = sql`${bytes} < ${sql.lit(MAX_ASCII_BYTES)} and ${bytes} = length(${column})`;
  return sql<string>`case when ${isShortAscii} then lower(${column}) else ${fold(column)} end`;
};

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

const JSON_EXPRESSIONS: JsonExpressions = Object.freeze({
  object: jsonObject,
  stored: (text) => sql`${text}`,
  array: (item) => sql`json_group_array(${item})`,
  value: jsonValue,
  milliseconds,
  text: (json) => sql<string>`${json}`,
  rows: jsonRows,
  labelledRows: jsonLabelledRows,
  comparable: (json) =>
    sql<string>`case json_type(${json}) when 'text' then ${json} ->> '$' else cast(${json} as text) end`,
  field: jsonField,
  member: jsonMember,
  // SQLite caches the JSON it parsed last.
  members: (json) => ({ from: null, member: (key) => jsonMember(json, key) }),
  isAbsent: (json) => sql<boolean>`coalesce(json_type(${json}), 'null') = 'null'`,
  orMark: sqliteOrMark,
  markWhere: sqliteMarkWhere,
  safeInteger: sqliteSafeInteger,
  printedMember: sqlitePrintedMember,
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
  foldColumn,
  asText,
  contains,
  // No character begins with this byte.
  afterPrefix: (prefix) => sql`(${prefix} || cast(x'ff' as text))`,
  orderBy: (value, direction) => sql`${value} ${sql.raw(direction)}`,
  hintUnselective: sqliteUnindexedEqual,
  unselectiveEqual: sqliteUnindexedEqual,
  rowsOfEach: ({ outer, from, where }) => sql`${outer} cross join ${from} where ${where}`,
  unindexed: (column) => sql`+${column}`,
  orderedRows: sqliteOrderedRows,
  mergedRows: sqliteMergedRows,
  hasStatistics: false,
  keepsPlans: false,
  countedRows: { orderedRows: sqliteCountedRows, inReverse: sqliteRowsInReverse },
  slice: (limit, offset) => sql`limit (${limit} + 0) offset (${offset} + 0)`,
  firstOf: (lists, limit) => sql`${sql.join(lists, sql` union all `)} limit (${limit} + 0)`,
  spending: (cost, { limit, branch }, value) =>
    sql`case when ${sql.id(SQLITE_SPEND)}(${cost}, ${sql.lit(limit)}) then ${value}
      else ${sql.id(SQLITE_REFUSE)}(${sql.lit(limit)}, ${sql.lit(branch)}) end`,
  // The planner ignores what is certain.
  interruptible: (id, interval) =>
    sql<boolean>`likelihood(${id} % ${sql.lit(interval)} or ${sql.id(SQLITE_TICK)}(), 1.0)`,
  sum: sqliteSum,
  average: sqliteAverage,
  byteLength: (column) => sql<number>`ifnull(octet_length(${column}), 0)`,
  json: JSON_EXPRESSIONS,
  search: SQLITE_SEARCH,
  totals: SQLITE_TOTAL_EXPRESSIONS,
  paths: SQLITE_PATHS,
} satisfies SqlExpressions);
