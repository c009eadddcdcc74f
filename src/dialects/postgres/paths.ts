import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type {
  Equality,
  FromClause,
  MergedRowsOptions,
  OrderedRowsOptions,
  RowPath,
  RowsOfEach,
} from '../row-path.js';

const equal = ({ column, value }: Equality): RawBuilder<unknown> => sql`${column} = ${value}`;

/** Compares an expression instead of the column, so that no index of the column is used. */
const unindexedEqual = ({ column, value }: Equality): RawBuilder<unknown> =>
  sql`(${column} || '') = ${value}`;

const joinAll = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(conditions, sql` and `);

/** `OFFSET 0` keeps the planner from reordering or inlining the join: rows are looked up for each link. */
export function postgresRowsAtPath({ link, table, alias, keys, version, isUnique }: RowPath): FromClause {
  const conditions = [...keys.map(equal), ...version.map(isUnique ? equal : unindexedEqual)];
  if (link === null) return { from: table, where: conditions };
  const rows = sql`(select * from ${table} where ${joinAll(conditions)} offset 0)`;
  return {
    from: sql`${link.from} cross join lateral ${rows} as ${sql.id(alias)}`,
    where: link.keys.map(equal),
  };
}

/** `OFFSET 0` keeps the planner from joining in another way. */
export function postgresRowsOfEach({ outer, alias, from, where }: RowsOfEach): RawBuilder<unknown> {
  const rows = sql.id(alias);
  return sql`${outer} cross join lateral (select ${rows}.* from ${from} where ${where} offset 0) as ${rows}`;
}

/** Leaves the join order to the planner, whose statistics show at which end of the path to start. */
export function postgresExistsAtPath(
  { link, table, keys, version }: RowPath,
  conditions: readonly RawBuilder<unknown>[],
): RawBuilder<boolean> {
  const from = link === null ? table : sql`${link.from} cross join ${table}`;
  const equalities = [...(link?.keys ?? []), ...keys, ...version].map(equal);
  return sql<boolean>`exists (select 1 from ${from} where ${joinAll([...equalities, ...conditions])})`;
}

/**
 * Limits in a subquery. Otherwise PostgreSQL would also print the rows before the page.
 *
 * It takes a limit that it does not know for a tenth of all rows, finds such a plan too expensive to keep,
 * and plans each run anew. So a page among the first rows is also limited by a number. Unless that is in a
 * materialized query, a tenth of those rows would decide how they are found, too: where a filter finds few,
 * by walking through all. A whole list is always walked through.
 */
export function postgresOrderedRows({
  table,
  alias,
  where,
  order,
  slice,
  firstRows = null,
}: OrderedRowsOptions): RawBuilder<unknown> {
  const rows = sql`select ${sql.id(alias)}.* from ${table} ${where} ${order}`;
  if (firstRows === null) return sql`from (${rows} ${slice ?? sql``}) as ${sql.id(alias)}`;
  const { atMost, limit, offset } = firstRows;
  const first = sql`(${rows} limit ${sql.lit(atMost)})`;
  if (offset === null) return sql`from ${first} as ${sql.id(alias)} limit ${limit}`;
  const page = sql`select * from ${sql.id(alias)} limit ${limit} offset ${offset}`;
  return sql`from (with ${sql.id(alias)} as materialized ${first} ${page}) as ${sql.id(alias)}`;
}

/** Reads the first rows of each list in its index. */
export function postgresMergedRows({
  table,
  alias,
  lists,
  where,
  order,
  limit,
  offset,
}: MergedRowsOptions): RawBuilder<unknown> {
  const rows = sql.id(alias);
  const first = sql`select ${rows}.* from ${table} ${where} ${order} limit ${limit} + ${offset}`;
  const found = sql`select ${rows}.* from ${lists} cross join lateral (${first}) as ${rows}`;
  return sql`from (${found} ${order} limit ${limit} offset ${offset}) as ${rows}`;
}
