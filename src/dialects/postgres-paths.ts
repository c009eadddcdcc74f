import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Equality, FoundRows, OrderedRows, RowPath } from './row-path.js';

const equal = ({ column, value }: Equality): RawBuilder<unknown> => sql`${column} = ${value}`;

/** An expression in the column's place has no index. */
const checked = ({ column, value }: Equality): RawBuilder<unknown> => sql`(${column} || '') = ${value}`;

const all = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(conditions, sql` and `);

/** `OFFSET 0` lets the planner neither turn a join round nor look into it: the row is looked up for each row of the link. */
export function postgresRowsAlong({ link, table, alias, keys, version, isUnique }: RowPath): FoundRows {
  const found = [...keys.map(equal), ...version.map(isUnique ? equal : checked)];
  if (link === null) return { from: table, where: found };
  return {
    from: sql`${link.from} cross join lateral (select * from ${table} where ${all(found)} offset 0) as ${sql.id(alias)}`,
    where: link.keys.map(equal),
  };
}

/** Here the planner knows better than we: it may begin at either end. */
export function postgresSomeRow({ link, table, keys, version }: RowPath, conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  const from = link === null ? table : sql`${link.from} cross join ${table}`;
  return sql<boolean>`exists (select 1 from ${from} where ${all([...(link?.keys ?? []).map(equal), ...keys.map(equal), ...version.map(equal), ...conditions])})`;
}

/** Cut first: the rows before a page would be printed too, and thrown away. Long values stay where they are meanwhile. */
export function postgresInOrder({ table, alias, where, order, slice }: OrderedRows): RawBuilder<unknown> {
  return sql`from (select ${sql.id(alias)}.* from ${table} ${where} ${order} ${slice}) as ${sql.id(alias)}`;
}
