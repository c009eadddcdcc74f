import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../../database/database.js';
import type { SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { buildRecords } from '../../lib/records.js';
import { defined } from '../../lib/assert.js';

type Fragment = RawBuilder<unknown>;
type RawRow = Readonly<Record<string, unknown>>;

/** Planning a statement with more queries takes longer than sending another statement. */
const MAX_QUERIES_PER_STATEMENT = 60;

type ColumnType = 'text' | 'integer' | 'double';

/** A column of a prefetch query: an SQL expression and the parser of its value. */
export interface PrefetchColumn<Value> {
  readonly type: ColumnType;
  readonly expression: Fragment;
  readonly parse: (value: unknown) => Value;
}

const parseNullableText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const parseNullableNumber = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value);

/** Returns a column of text that is never null. */
export function textColumn(expression: Fragment): PrefetchColumn<string> {
  const parse = (value: unknown): string => defined(parseNullableText(value), 'A prefetched text');
  return { type: 'text', expression, parse };
}

/** Returns a column of text that may be null. */
export function nullableTextColumn(expression: Fragment): PrefetchColumn<string | null> {
  return { type: 'text', expression, parse: parseNullableText };
}

/** Returns a column of integers that are never null. */
export function integerColumn(expression: Fragment): PrefetchColumn<number> {
  const parse = (value: unknown): number => defined(parseNullableNumber(value), 'A prefetched integer');
  return { type: 'integer', expression, parse };
}

/** Returns a column of integers that may be null. */
export function nullableIntegerColumn(expression: Fragment): PrefetchColumn<number | null> {
  return { type: 'integer', expression, parse: parseNullableNumber };
}

/** Returns a column of positions of links in a list, which may be null. */
export function positionColumn(expression: Fragment): PrefetchColumn<number | null> {
  return { type: 'double', expression, parse: parseNullableNumber };
}

type PrefetchColumns = Readonly<Record<string, PrefetchColumn<unknown>>>;

/** A row of a query's result, with the types its columns declare. */
export type PrefetchRow<Columns extends PrefetchColumns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends PrefetchColumn<infer Value> ? Value : never;
};

/** One SELECT of the statement. `columns` are named by type and number: `text1`, `text2`, `integer1`. */
interface PrefetchQuery {
  readonly columns: ReadonlyMap<string, Fragment>;
  readonly from: Fragment;
}

/**
 * Queries for the other rows that a write depends on, and a function that parses their rows. Parts are
 * combined, and {@link runPrefetch} sends them in one batch.
 */
export interface Prefetch<Result> {
  readonly queries: readonly PrefetchQuery[];
  readonly parse: (rowsOf: (query: PrefetchQuery) => readonly RawRow[]) => Result;
}

/**
 * Selects rows.
 *
 * @example
 *   const versions = prefetchRows(
 *     { documentId: textColumn(sql`document_id`), position: positionColumn(sql`position`) },
 *     sql`articles where id = 1`,
 *   ); // Prefetch<readonly { documentId: string; position: number | null }[]>
 *
 * @param columns the columns by their names in the result
 * @param from the SQL after `FROM`
 */
export function prefetchRows<Columns extends PrefetchColumns>(
  columns: Columns,
  from: Fragment,
): Prefetch<readonly PrefetchRow<Columns>[]> {
  const counts = { text: 0, integer: 0, double: 0 };
  const aliasedColumns = Object.entries(columns).map(([name, column]) => {
    counts[column.type] += 1;
    return { name, column, alias: `${column.type}${counts[column.type]}` };
  });
  const names = aliasedColumns.map(({ name }) => name);
  const query = {
    from,
    columns: new Map(aliasedColumns.map(({ alias, column }) => [alias, column.expression])),
  };
  const parseValue = (row: RawRow, index: number): unknown => {
    const { column, alias } = defined(aliasedColumns[index], 'A column');
    return column.parse(row[alias]);
  };
  return {
    queries: [query],
    parse: (rowsOf) => buildRecords(rowsOf(query), names, parseValue) as readonly PrefetchRow<Columns>[],
  };
}

/** Returns a prefetch without queries for a known result. */
export function resolvedPrefetch<Result>(result: Result): Prefetch<Result> {
  return { queries: [], parse: () => result };
}

/** Returns a prefetch with a transformed result. */
export function mapPrefetch<From, To>(
  { queries, parse }: Prefetch<From>,
  transform: (result: From) => To,
): Prefetch<To> {
  return { queries, parse: (rowsOf) => transform(parse(rowsOf)) };
}

/** Combines parts into one whose result is the list of their results. */
export function combineList<Result>(parts: readonly Prefetch<Result>[]): Prefetch<readonly Result[]> {
  return {
    queries: parts.flatMap(({ queries }) => queries),
    parse: (rowsOf) => parts.map(({ parse }) => parse(rowsOf)),
  };
}

/** Combines named parts into one whose result has their results under the same names. */
export function combine<Results extends object>(parts: {
  readonly [Name in keyof Results]: Prefetch<Results[Name]>;
}): Prefetch<Readonly<Results>> {
  const entries = Object.entries(parts) as readonly (readonly [string, Prefetch<unknown>])[];
  return {
    queries: entries.flatMap(([, { queries }]) => queries),
    parse: (rowsOf) =>
      Object.fromEntries(entries.map(([name, { parse }]) => [name, parse(rowsOf)])) as Readonly<Results>,
  };
}

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'integer',
  double: 'double precision',
};

const sqlTypeOf = (alias: string): string => SQL_TYPES[alias.replace(/\d+$/, '') as ColumnType];

/** Compiles one SELECT of a UNION. All SELECTs have the same columns; missing ones are null. */
const compileQuery = (
  { columns, from }: PrefetchQuery,
  index: number,
  aliases: readonly string[],
): Fragment => {
  const selectedColumns = aliases.map((alias) => {
    const expression = columns.get(alias) ?? sql`null`;
    return sql`cast(${expression} as ${sql.raw(sqlTypeOf(alias))}) as ${sql.raw(alias)}`;
  });
  return sql`select ${sql.join([sql`${sql.lit(index)} as part`, ...selectedColumns])} from ${from}`;
};

const runStatement = async (
  tx: Transaction,
  expressions: SqlExpressions,
  queries: readonly PrefetchQuery[],
): Promise<ReadonlyMap<PrefetchQuery, readonly RawRow[]>> => {
  const aliases = [...new Set(queries.flatMap(({ columns }) => [...columns.keys()]))];
  const selects = queries.map((query, index) => compileQuery(query, index, aliases));
  const statement = sql.join(selects, sql` union all `).compile(expressions.kysely);
  const rows = queries.map((): RawRow[] => []);
  for (const row of await tx.query(statement.sql, statement.parameters))
    defined(rows[Number(row['part'])], 'The query of a prefetched row').push(row);
  return new Map(queries.map((query, index) => [query, defined(rows[index], 'The rows of a query')]));
};

/**
 * Sends all queries in one statement (joined by UNION ALL) and returns the result. Sends nothing if there are
 * no queries.
 */
export async function runPrefetch<Result>(
  tx: Transaction,
  expressions: SqlExpressions,
  { queries, parse }: Prefetch<Result>,
): Promise<Result> {
  const rows = new Map<PrefetchQuery, readonly RawRow[]>();
  for (let start = 0; start < queries.length; start += MAX_QUERIES_PER_STATEMENT) {
    const batch = queries.slice(start, start + MAX_QUERIES_PER_STATEMENT);
    for (const [query, foundRows] of await runStatement(tx, expressions, batch)) rows.set(query, foundRows);
  }
  return parse((query) => defined(rows.get(query), 'The rows of a query'));
}
