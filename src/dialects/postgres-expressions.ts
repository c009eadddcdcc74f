import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ColumnKind } from '../lib/stored-value.js';
import type { Dialect, JsonMembers, JsonRows, LabelledRows, NeedlePlace } from './dialect.js';
import { foldWith } from './postgres-fold.js';
import type { Folding } from './postgres-fold.js';
import { postgresInOrder, postgresRowsAlong, postgresSomeRow } from './postgres-paths.js';
import { boundType } from './postgres-values.js';
import { cutPairs, pairArguments } from './wide-object.js';
import type { JsonPairs } from './wide-object.js';

type ExpressionPart = Pick<Dialect,
  | 'parameter' | 'placeholder' | 'jsonObject' | 'jsonArray' | 'jsonValue' | 'jsonText' | 'jsonRows' | 'jsonLabelledRows' | 'jsonField' | 'jsonMember' | 'jsonMembers' | 'jsonAbsent'
  | 'among' | 'byCodePoint' | 'fold' | 'asText' | 'contains' | 'orderBy' | 'rowsAlong' | 'someRow' | 'hardlyTells' | 'inOrder' | 'slice'>;

/** A function takes 100 arguments. */
const MAX_PAIRS = 50;

const parameter = (kind: ColumnKind, value: unknown): RawBuilder<unknown> => sql`${value}::${sql.raw(boundType(kind))}`;

const jsonObject = (pairs: JsonPairs): RawBuilder<unknown> => {
  const runs = cutPairs(pairs, MAX_PAIRS);
  const objects = runs.map((run) => sql`json_build_object(${pairArguments(run)})`);
  if (objects.length === 1) return sql`json_build_object(${pairArguments(pairs)})`;
  const texts = objects.map((object, index) => (index === 0 ? sql`left(${object}::text, -1)` : sql`left(substr(${object}::text, 2), -1)`));
  return sql`(${sql.join(texts, sql` || ',' || `)} || '}')::json`;
};

const isoTime = (column: Expression<unknown>): RawBuilder<string> => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const jsonValue = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<unknown> => {
  switch (kind) {
    case 'text': case 'integer': case 'double': case 'boolean': case 'json': return sql`${column}`;
    case 'bigint': return sql`${column}::text`;
    case 'datetime': return isoTime(column);
    default: return kind satisfies never;
  }
};

const asText = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<string> => {
  switch (kind) {
    case 'text': return sql`${column}`;
    case 'integer': case 'bigint': case 'double': case 'boolean': case 'json': return sql`${column}::text`;
    case 'datetime': return isoTime(column);
    default: return kind satisfies never;
  }
};

const typeOf = (json: Expression<unknown>): RawBuilder<string> => sql`json_typeof(${json})`;

/** What is no list counts as a list of one. */
const elements = (json: Expression<unknown>): RawBuilder<unknown> =>
  sql`json_array_elements(case ${typeOf(json)} when 'array' then ${json} when 'object' then json_build_array(${json}) when 'string' then json_build_array(${json}) end)`;

const jsonRows = (json: Expression<unknown>, alias: string): JsonRows => ({
  from: sql`${elements(json)} with ordinality as ${sql.id(alias)}(item, position)`,
  item: sql`${sql.id(alias, 'item')}`,
  text: sql`${sql.id(alias, 'item')} #>> '{}'`,
  position: sql`${sql.id(alias, 'position')}`,
});

/** `OFFSET 0` keeps the inner query a query of its own, so that the label is worked out once. */
const jsonLabelledRows = (json: Expression<unknown>, key: string, alias: string): LabelledRows => ({
  from: sql`(select item, item ->> ${sql.lit(key)} as label from ${elements(json)} as e(item) offset 0) as ${sql.id(alias)}`,
  item: sql`${sql.id(alias, 'item')}`,
  label: sql`${sql.id(alias, 'label')}`,
});

const jsonField = (json: Expression<unknown>, key: string, kind: ColumnKind): RawBuilder<unknown> => {
  const member = sql`(${json} -> ${sql.lit(key)})`;
  const text = sql`(${json} ->> ${sql.lit(key)})`;
  switch (kind) {
    case 'text': case 'datetime': return sql`case ${typeOf(member)} when 'string' then ${text} end`;
    case 'integer': case 'double': return sql`case ${typeOf(member)} when 'number' then ${text}::numeric end`;
    // Kept as a string of digits.
    case 'bigint': return sql`case when ${text} ~ '^-?[0-9]{1,30}$' then ${text}::numeric end`;
    case 'boolean': return sql`case ${typeOf(member)} when 'boolean' then ${text}::boolean end`;
    case 'json': return sql`case when ${typeOf(member)} <> 'null' then ${member} end`;
    default: return kind satisfies never;
  }
};

const jsonMember = (json: Expression<unknown>, key: string): RawBuilder<unknown> => sql`(${json} -> ${sql.lit(key)})`;

/** Longer names are cut, and then are others. */
const MAX_NAME_BYTES = 63;
/** Fewer members are taken faster one by one. */
const FEW_MEMBERS = 3;

const jsonMembers = (json: Expression<unknown>, keys: readonly string[], alias: string): JsonMembers => {
  const names = [...new Set(keys)];
  if (names.length < FEW_MEMBERS || names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES)) return { from: null, member: (key) => jsonMember(json, key) };
  const columns = sql.join(names.map((name) => sql`${sql.id(name)} json`));
  return {
    from: sql`json_to_record(case ${typeOf(json)} when 'object' then ${json} end) as ${sql.id(alias)}(${columns})`,
    member: (key) => sql`${sql.id(alias, key)}`,
  };
};

const contains = (text: Expression<unknown>, needle: Expression<unknown>, where: NeedlePlace): RawBuilder<boolean> => {
  switch (where) {
    case 'anywhere': return sql`strpos(${text}, ${needle}) > 0`;
    case 'start': return sql`starts_with(${text}, ${needle})`;
    case 'end': return sql`right(${text}, length(${needle})) = ${needle}`;
    default: return where satisfies never;
  }
};

const orderBy = (value: Expression<unknown>, direction: 'asc' | 'desc'): RawBuilder<unknown> =>
  direction === 'asc' ? sql`${value} asc nulls first` : sql`${value} desc nulls last`;

/** How PostgreSQL says what compiled reads need. */
export function postgresExpressions(folding: Folding): ExpressionPart {
  return {
    parameter,
    placeholder: (n) => `$${n}`,
    jsonObject,
    jsonArray: (item) => sql`coalesce(json_agg(${item}), '[]'::json)`,
    jsonValue,
    jsonText: (json) => sql<string>`${json}::text`,
    jsonRows,
    jsonLabelledRows,
    jsonField,
    jsonMember,
    jsonMembers,
    jsonAbsent: (json) => sql<boolean>`coalesce(${typeOf(json)}, 'null') = 'null'`,
    among: (value, kind, list) => sql<boolean>`${value} = any(${list}::${sql.raw(boundType(kind))}[])`,
    byCodePoint: (text) => sql`${text} collate "C"`,
    fold: foldWith(folding),
    asText,
    contains,
    orderBy,
    rowsAlong: postgresRowsAlong,
    someRow: postgresSomeRow,
    // Statistics know that by themselves.
    hardlyTells: ({ column, value }) => sql`${column} = ${value}`,
    inOrder: postgresInOrder,
    slice: (limit, offset) => sql`limit ${limit} offset ${offset}`,
  };
}
