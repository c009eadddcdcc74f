import { PostgresAdapter, PostgresQueryCompiler, sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { chunksOf } from '../../lib/collections.js';
import { textForm } from '../../lib/stored-value.js';
import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';
import type { ReadOptions } from '../dialect/database-driver.js';
import { createCompilingKysely } from '../dialect/sql-expressions.js';
import type {
  BoundValue,
  JsonExpressions,
  JsonMembers,
  JsonPairs,
  JsonRows,
  LabelledRows,
  MatchPosition,
  ReadBudget,
  SqlExpressions,
  SqlJson,
  SumExpression,
} from '../dialect/sql-expressions.js';
import {
  postgresExistsAtPath,
  postgresOrderedRows,
  postgresRowsAtPath,
  postgresRowsOfEach,
} from './paths.js';
import { createPostgresSearch, foldWith } from './search.js';
import type { Folding } from './search.js';

/** A setting of the statement's transaction, which counts what it has spent. */
const SETTING = sql.lit('galley.spent');

const MARK = 'galley over budget';
const OVER_BUDGET = new RegExp(`${MARK} (\\d+) (\\S+) `);

/**
 * The value, while the statement's budget lasts. Beyond it, a cast fails, since SQL has no other way to fail.
 * Its text refers to the setting, so that the planner does not cast it beforehand.
 */
function spending<T>(
  cost: Expression<unknown>,
  { limit, branch }: ReadBudget,
  value: Expression<T>,
): RawBuilder<T> {
  const before = sql`coalesce(nullif(current_setting(${SETTING}, true), ''), '0')`;
  const after = sql`set_config(${SETTING}, (${before}::float8 + ${cost})::text, true)`;
  const failure = sql`(${sql.lit(`${MARK} ${limit} ${branch} `)} || ${before})::boolean`;
  const isWithin = sql`case when ${after}::float8 <= ${sql.lit(limit)} then true else ${failure} end`;
  return sql`case when ${isWithin} then ${value} end`;
}

const CANCELED = '57014';

/** Returns the error of a statement that ran out of its budget or its time; any other error as it is. */
export function toReadError(error: unknown, { timeoutMs }: ReadOptions): unknown {
  if (timeoutMs !== null && hasErrorCode(error, CANCELED))
    return createError('database/read-timeout', { ms: timeoutMs }, { cause: error });
  const [, limit, branch] = OVER_BUDGET.exec(error instanceof Error ? error.message : '') ?? [];
  return limit === undefined || branch === undefined
    ? error
    : createError('request/too-many-records', { limit: Number(limit), branch });
}

/** The sum of a column of numbers, in a type that none overflows. */
function postgresSum(kind: ColumnKind, value: Expression<unknown>): SumExpression {
  const only = ([part = sql`null`]: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => part;
  return {
    parts: [sql`sum(${value}::numeric)`],
    print: (parts) => (kind === 'bigint' ? sql`${only(parts)}::text` : only(parts)),
    order: only,
  };
}

/** The average of a column of numbers. */
function postgresAverage(value: Expression<unknown>): RawBuilder<unknown> {
  return sql`avg(${value}::numeric)::float8`;
}

/** The type that values of each kind are bound as: wider than the column, so that no number overflows. */
const BOUND_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  integer: 'bigint',
  bigint: 'bigint',
  double: 'float8',
  boolean: 'boolean',
  datetime: 'timestamp',
  json: 'text',
};

function boundType(kind: ColumnKind): string {
  return BOUND_TYPES[kind];
}

const encodeTime = (time: Date): string => {
  const year = time.getUTCFullYear();
  if (year > 9999) return 'infinity';
  return year < 1 ? '-infinity' : time.toISOString();
};

/** Replaces NUL, which PostgreSQL cannot store, with a character that never matches stored text. */
const replaceNul = (text: string): string => text.replaceAll('\0', '\u{fffd}');

const encodeText = (value: StoredScalar): string => replaceNul(textForm(value));

const encodeNumber = (value: StoredScalar): BoundValue =>
  typeof value === 'bigint' || typeof value === 'number' ? value : Number(value);

/** Encodes a value as it is bound to be compared with a column of that kind. */
function encodeForPostgres(kind: ColumnKind, value: StoredScalar): BoundValue {
  if (value === null) return null;
  switch (kind) {
    case 'text':
    case 'json':
      return encodeText(value);
    case 'integer':
    case 'bigint':
      return encodeNumber(value);
    case 'double':
      return Number(value);
    case 'boolean':
      return value === true;
    case 'datetime':
      return value instanceof Date ? encodeTime(value) : encodeText(value);
    default:
      return kind satisfies never;
  }
}

const quoteElement = (value: BoundValue): string => `"${String(value).replace(/["\\]/g, String.raw`\$&`)}"`;

/** Encodes a list as the text of a PostgreSQL array. */
function encodeListForPostgres(kind: ColumnKind, values: readonly StoredScalar[]): string {
  const items = values
    .filter((value) => value !== null)
    .map((value) => quoteElement(encodeForPostgres(kind, value)));
  return `{${items.join(',')}}`;
}

/** Functions accept at most 100 arguments. */
const MAX_PAIRS = 50;

const parameter = (kind: ColumnKind, value: unknown): RawBuilder<unknown> =>
  sql`${value}::${sql.raw(boundType(kind))}`;

const jsonObject = (pairs: JsonPairs): RawBuilder<SqlJson> => {
  const members = pairs.map(([key, value]) => sql`${sql.lit(key)}, ${value}`);
  if (members.length <= MAX_PAIRS) return sql`json_build_object(${sql.join(members)})`;
  const objects = chunksOf(members, MAX_PAIRS).map((chunk) => sql`json_build_object(${sql.join(chunk)})`);
  const texts = objects.map((object, index) =>
    index === 0 ? sql`left(${object}::text, -1)` : sql`left(substr(${object}::text, 2), -1)`,
  );
  return sql`(${sql.join(texts, sql` || ',' || `)} || '}')::json`;
};

const isoTime = (column: Expression<unknown>): RawBuilder<string> =>
  sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const jsonValue = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<SqlJson> => {
  switch (kind) {
    case 'text':
    case 'integer':
    case 'double':
    case 'boolean':
    case 'json':
      return sql`${column}`;
    case 'bigint':
      return sql`${column}::text`;
    case 'datetime':
      return sql`${isoTime(column)}`;
    default:
      return kind satisfies never;
  }
};

/** Times in components are ISO text. */
const ISO_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d';

const milliseconds = (moment: Expression<unknown>, kind: 'datetime' | 'text'): RawBuilder<unknown> => {
  const parsed = sql`case when ${moment} ~ ${sql.lit(ISO_TIME)} then (${moment})::timestamp end`;
  return sql`(extract(epoch from ${kind === 'text' ? parsed : moment}) * 1000)::bigint::text`;
};

const asText = (kind: ColumnKind, column: Expression<unknown>): RawBuilder<string> => {
  switch (kind) {
    case 'text':
      return sql`${column}`;
    case 'integer':
    case 'bigint':
    case 'double':
    case 'boolean':
    case 'json':
      return sql`${column}::text`;
    case 'datetime':
      return isoTime(column);
    default:
      return kind satisfies never;
  }
};

const typeOf = (json: Expression<unknown>): RawBuilder<string> => sql`json_typeof(${json})`;

/** An object or a string counts as a list of one. */
const jsonElements = (json: Expression<unknown>): RawBuilder<unknown> => {
  const list = sql`json_build_array(${json})`;
  const cases = sql`when 'array' then ${json} when 'object' then ${list} when 'string' then ${list}`;
  return sql`json_array_elements(case ${typeOf(json)} ${cases} end)`;
};

const jsonRows = (json: Expression<unknown>, alias: string): JsonRows => ({
  from: sql`${jsonElements(json)} with ordinality as ${sql.id(alias)}(item, position)`,
  item: sql`${sql.id(alias, 'item')}`,
  text: sql`${sql.id(alias, 'item')} #>> '{}'`,
  position: sql`${sql.id(alias, 'position')}`,
});

/** `OFFSET 0` keeps the planner from inlining the subquery, so that the label is computed once. */
const jsonLabelledRows = (json: Expression<unknown>, key: string, alias: string): LabelledRows => {
  const label = sql`item ->> ${sql.lit(key)} as label`;
  return {
    from: sql`(select item, ${label} from ${jsonElements(json)} as e(item) offset 0) as ${sql.id(alias)}`,
    item: sql`${sql.id(alias, 'item')}`,
    label: sql`${sql.id(alias, 'label')}`,
  };
};

const jsonField = (json: Expression<unknown>, key: string, kind: ColumnKind): RawBuilder<unknown> => {
  const member = sql`(${json} -> ${sql.lit(key)})`;
  const text = sql`(${json} ->> ${sql.lit(key)})`;
  switch (kind) {
    case 'text':
    case 'datetime':
      return sql`case ${typeOf(member)} when 'string' then ${text} end`;
    case 'integer':
    case 'double':
      return sql`case ${typeOf(member)} when 'number' then ${text}::numeric end`;
    // Stored as a string of digits.
    case 'bigint':
      return sql`case when ${text} ~ '^-?[0-9]{1,30}$' then ${text}::numeric end`;
    case 'boolean':
      return sql`case ${typeOf(member)} when 'boolean' then ${text}::boolean end`;
    case 'json':
      return sql`case when ${typeOf(member)} <> 'null' then ${member} end`;
    default:
      return kind satisfies never;
  }
};

const jsonMember = (json: Expression<unknown>, key: string): RawBuilder<SqlJson> =>
  sql`(${json} -> ${sql.lit(key)})`;

/** PostgreSQL cuts longer names. */
const MAX_NAME_BYTES = 63;
/** Fewer members are read faster one by one. */
const FEW_MEMBERS = 3;

const jsonMembers = (json: Expression<unknown>, keys: readonly string[], alias: string): JsonMembers => {
  const names = [...new Set(keys)];
  if (names.length < FEW_MEMBERS || names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES))
    return { from: null, member: (key) => jsonMember(json, key) };
  const columns = sql.join(names.map((name) => sql`${sql.id(name)} json`));
  const object = sql`case ${typeOf(json)} when 'object' then ${json} end`;
  return {
    from: sql`json_to_record(${object}) as ${sql.id(alias)}(${columns})`,
    member: (key) => sql`${sql.id(alias, key)}`,
  };
};

const contains = (
  text: Expression<unknown>,
  needle: Expression<unknown>,
  position: MatchPosition,
): RawBuilder<boolean> => {
  switch (position) {
    case 'anywhere':
      return sql`strpos(${text}, ${needle}) > 0`;
    case 'start':
      return sql`starts_with(${text}, ${needle})`;
    case 'end':
      return sql`right(${text}, length(${needle})) = ${needle}`;
    default:
      return position satisfies never;
  }
};

const orderBy = (value: Expression<unknown>, direction: 'asc' | 'desc'): RawBuilder<unknown> =>
  direction === 'asc' ? sql`${value} asc nulls first` : sql`${value} desc nulls last`;

const JSON_EXPRESSIONS: JsonExpressions = Object.freeze({
  object: jsonObject,
  stored: (text) => sql`${text}::json`,
  array: (item) => sql`coalesce(json_agg(${item}), '[]'::json)`,
  value: jsonValue,
  milliseconds,
  text: (json) => sql<string>`${json}::text`,
  rows: jsonRows,
  labelledRows: jsonLabelledRows,
  comparable: (json) =>
    sql<string>`case ${typeOf(json)} when 'string' then ${json} #>> '{}' else ${json}::text end`,
  field: jsonField,
  member: jsonMember,
  members: jsonMembers,
  isAbsent: (json) => sql<boolean>`coalesce(${typeOf(json)}, 'null') = 'null'`,
} satisfies JsonExpressions);

const kysely = createCompilingKysely({
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

/** The expressions of a server that folds case in the given way. */
export function createPostgresExpressions(folding: Folding): SqlExpressions {
  return Object.freeze({
    kysely,
    maxParameters: 65_535,
    parameter,
    placeholder: (n) => `$${n}`,
    encode: encodeForPostgres,
    encodeList: encodeListForPostgres,
    inList: (value, kind, list) => sql<boolean>`${value} = any(${list}::${sql.raw(boundType(kind))}[])`,
    byCodePoint: (text) => sql`${text} collate "C"`,
    fold: foldWith(folding),
    asText,
    contains,
    // The last code point, which is reserved and occurs in no text.
    afterPrefix: (prefix) => sql`(${prefix} || chr(1114111))`,
    orderBy,
    // The planner estimates half of all rows, independent of the statistics of the column.
    unselectiveEqual: ({ column, value }) => sql`coalesce(${column} = ${value}, false)`,
    rowsOfEach: postgresRowsOfEach,
    orderedRows: postgresOrderedRows,
    slice: (limit, offset) => sql`limit ${limit} offset ${offset}`,
    // Parallel workers may read the lists in any order.
    firstOf: (lists) => sql`${sql.join(lists, sql` union all `)}`,
    spending,
    interruptible: null,
    sum: postgresSum,
    average: postgresAverage,
    byteLength: (column) => sql<number>`coalesce(octet_length(${column}::text), 0)`,
    json: JSON_EXPRESSIONS,
    search: createPostgresSearch(folding),
    paths: { rows: postgresRowsAtPath, exists: postgresExistsAtPath, join: null },
  } satisfies SqlExpressions);
}
