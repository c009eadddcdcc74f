import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ColumnKind } from '../lib/stored-value.js';
import type { Dialect, JsonRows, LabelledRows, NeedlePlace } from './dialect.js';
import { SQLITE_FOLD } from './sqlite-fold.js';
import { sqliteChecked, sqliteInOrder, sqliteRowsAlong, sqliteSomeRow } from './sqlite-paths.js';
import { cutPairs, pairArguments } from './wide-object.js';
import type { JsonPairs } from './wide-object.js';

type ExpressionPart = Pick<Dialect,
  | 'parameter' | 'placeholder' | 'jsonObject' | 'jsonArray' | 'jsonValue' | 'jsonText' | 'jsonRows' | 'jsonLabelledRows' | 'jsonField' | 'jsonMember' | 'jsonMembers' | 'jsonAbsent'
  | 'among' | 'byCodePoint' | 'fold' | 'asText' | 'contains' | 'orderBy' | 'rowsAlong' | 'someRow' | 'hardlyTells' | 'inOrder' | 'slice'>;

/** A function takes 1000 arguments in the SQLite that better-sqlite3 brings. */
const MAX_PAIRS = 480;

/** The plus changes nothing but keeps the planner from looking at the value, for which it would prepare the statement again at every run. */
const parameter = (_kind: ColumnKind, value: unknown): RawBuilder<unknown> => sql`+${value}`;

const path = (key: string): RawBuilder<string> => sql.lit(`$."${key}"`);

/** `{…}` without its last brace. */
const opened = (pairs: JsonPairs): RawBuilder<string> => sql`(select substr(j, 1, length(j) - 1) from (select json_object(${pairArguments(pairs)}) as j))`;

const jsonObject = (pairs: JsonPairs): RawBuilder<unknown> => {
  const runs = cutPairs(pairs, MAX_PAIRS);
  if (runs.length === 1) return sql`json_object(${pairArguments(pairs)})`;
  const texts = runs.map((run, index) => (index === 0 ? opened(run) : sql`substr(${opened(run)}, 2)`));
  return sql`json(${sql.join(texts, sql` || ',' || `)} || '}')`;
};

const truth = (column: Expression<unknown>, whenTrue: RawBuilder<unknown>, whenFalse: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case ${column} when 1 then ${whenTrue} when 0 then ${whenFalse} end`;

/** What the driver adapter wrote as `….678+00:00`. */
const isoTime = (column: Expression<unknown>): RawBuilder<string> => sql`substr(${column}, 1, 23) || 'Z'`;

const jsonValue = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<unknown> => {
  switch (kind) {
    case 'text': case 'integer': case 'double': return sql`${column}`;
    case 'bigint': return sql`cast(${column} as text)`;
    case 'boolean': return truth(column, sql`json('true')`, sql`json('false')`);
    case 'datetime': return isoTime(column);
    case 'json': return sql`json(${column})`;
    default: return kind satisfies never;
  }
};

const asText = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<string> => {
  switch (kind) {
    case 'text': case 'json': return sql`${column}`;
    case 'integer': case 'bigint': return sql`cast(${column} as text)`;
    // 4.0 is printed as 4 everywhere else.
    case 'double': return sql`case when ${column} = cast(${column} as integer) then cast(cast(${column} as integer) as text) else cast(${column} as text) end`;
    case 'boolean': return sql`${truth(column, sql`'true'`, sql`'false'`)}`;
    case 'datetime': return isoTime(column);
    default: return kind satisfies never;
  }
};

/** Elements come out in the binary form, which need not be parsed again for each of their members. */
const elements = (json: Expression<unknown>): RawBuilder<unknown> =>
  sql`jsonb_each(case json_type(${json}) when 'array' then ${json} when 'object' then jsonb_array(json(${json})) when 'text' then jsonb_array(json(${json})) end)`;

const jsonRows = (json: Expression<unknown>, alias: string): JsonRows => ({
  from: sql`${elements(json)} as ${sql.id(alias)}`,
  item: sql`${sql.id(alias, 'value')}`,
  text: sql`${sql.id(alias, 'value')}`,
  position: sql`${sql.id(alias, 'key')}`,
});

/** A column of `jsonb_each` is made anew wherever it is named; the limit keeps the inner query a query of its own, which names it once. */
const jsonLabelledRows = (json: Expression<unknown>, key: string, alias: string): LabelledRows => ({
  from: sql`(select item, case type when 'object' then item ->> ${path(key)} end as label from (select value as item, type from ${elements(json)} limit -1) limit -1) as ${sql.id(alias)}`,
  item: sql`${sql.id(alias, 'item')}`,
  label: sql`${sql.id(alias, 'label')}`,
});

const ofType = (json: Expression<unknown>, key: string, types: readonly string[]): RawBuilder<unknown> =>
  sql`case when json_type(${json}, ${path(key)}) in (${sql.join(types.map((type) => sql.lit(type)))}) then ${json} ->> ${path(key)} end`;

const jsonField = (json: Expression<unknown>, key: string, kind: ColumnKind): RawBuilder<unknown> => {
  switch (kind) {
    case 'text': case 'datetime': return ofType(json, key, ['text']);
    case 'integer': case 'double': return ofType(json, key, ['integer', 'real']);
    case 'bigint': return sql`cast(${ofType(json, key, ['text', 'integer'])} as integer)`;
    case 'boolean': return ofType(json, key, ['true', 'false']);
    case 'json': return sql`case when json_type(${json}, ${path(key)}) <> 'null' then ${json} -> ${path(key)} end`;
    default: return kind satisfies never;
  }
};

const jsonMember = (json: Expression<unknown>, key: string): RawBuilder<unknown> => sql`(${json} -> ${path(key)})`;

const contains = (text: Expression<unknown>, needle: Expression<unknown>, where: NeedlePlace): RawBuilder<boolean> => {
  switch (where) {
    case 'anywhere': return sql`instr(${text}, ${needle}) > 0`;
    case 'start': return sql`substr(${text}, 1, length(${needle})) = ${needle}`;
    case 'end': return sql`substr(${text}, length(${text}) - length(${needle}) + 1) = ${needle}`;
    default: return where satisfies never;
  }
};

/** How SQLite says what compiled reads need. Its text comparison goes by bytes of UTF-8, which is by code point. */
export const SQLITE_EXPRESSIONS: ExpressionPart = Object.freeze({
  parameter,
  placeholder: () => '?',
  jsonObject,
  jsonArray: (item) => sql`json_group_array(${item})`,
  jsonValue,
  jsonText: (json) => sql<string>`${json}`,
  jsonRows,
  jsonLabelledRows,
  jsonField,
  jsonMember,
  // What it parsed last, SQLite remembers.
  jsonMembers: (json) => ({ from: null, member: (key) => jsonMember(json, key) }),
  jsonAbsent: (json) => sql<boolean>`coalesce(json_type(${json}), 'null') = 'null'`,
  among: (value, _kind, list) => sql<boolean>`${value} in (select value from json_each(+${list}))`,
  byCodePoint: (text) => sql`${text}`,
  fold: (text) => sql<string>`${sql.id(SQLITE_FOLD)}(${text})`,
  asText,
  contains,
  orderBy: (value, direction) => sql`${value} ${sql.raw(direction)}`,
  rowsAlong: sqliteRowsAlong,
  someRow: sqliteSomeRow,
  hardlyTells: sqliteChecked,
  inOrder: sqliteInOrder,
  slice: (limit, offset) => sql`limit (${limit} + 0) offset (${offset} + 0)`,
} satisfies ExpressionPart);
