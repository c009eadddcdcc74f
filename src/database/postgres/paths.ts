import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type {
  Equality,
  FromClause,
  OrderedRowsOptions,
  RowPath,
  SqlExpressions,
} from '../dialect/sql-expressions.js';

const equal = ({ column, value }: Equality): RawBuilder<unknown> => sql`${column} = ${value}`;

const joinAll = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql.join(conditions, sql` and `);

/** `OFFSET 0` keeps the planner from reordering or inlining the join: rows are looked up for each link. */
export function postgresRowsAtPath({ link, table, alias, keys, version }: RowPath): FromClause {
  const conditions = [...keys, ...version].map(equal);
  if (link === null) return { from: table, where: conditions };
  const rows = sql`(select * from ${table} where ${joinAll(conditions)} offset 0)`;
  return {
    from: sql`${link.from} cross join lateral ${rows} as ${sql.id(alias)}`,
    where: link.keys.map(equal),
  };
}

/** `OFFSET 0` keeps the planner from joining in another way. */
export const postgresRowsOfEach: SqlExpressions['rowsOfEach'] = ({ outer, values, from, where }) => {
  const named = values.map((value, index) => sql`${value} as ${sql.id(`value${index}`)}`);
  const rows = sql`(select ${sql.join(named)} from ${from} where ${where} offset 0)`;
  return {
    from: sql`${outer} cross join lateral ${rows} as found`,
    values: values.map((_value, index) => sql.id('found', `value${index}`)),
  };
};

/** Leaves the join order to the planner, whose statistics show at which end of the path to start. */
export function postgresExistsAtPath(
  { link, table, keys, version }: RowPath,
  conditions: readonly RawBuilder<unknown>[],
): RawBuilder<boolean> {
  const from = link === null ? table : sql`${link.from} cross join ${table}`;
  const equalities = [...(link?.keys ?? []), ...keys, ...version].map(equal);
  return sql<boolean>`exists (select 1 from ${from} where ${joinAll([...equalities, ...conditions])})`;
}

/** Limits in a subquery. Otherwise PostgreSQL would also print the rows before the page. */
export function postgresOrderedRows({
  from,
  alias,
  where,
  order,
  slice,
}: OrderedRowsOptions): RawBuilder<unknown> {
  const rows = sql.id(alias);
  return sql`from (select ${rows}.* from ${from} ${where} ${order} ${slice ?? sql``}) as ${rows}`;
}
