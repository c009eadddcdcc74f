import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { CountedRowsOptions, FromClause, RowOrder, RowPath } from '../row-path.js';
import { MANY_ROWS } from '../row-path.js';
import { equal, whereAll } from './paths.js';

/**
 * Reads a page in one of two ways. The count stands in LIMIT, which is evaluated before anything is read: in
 * WHERE it would be compared for each row.
 */
export function sqliteCountedRows(rows: CountedRowsOptions): RawBuilder<unknown> {
  const { table, alias, matches, few, many, limit, offset } = rows;
  const id = sql.id(alias, 'id');
  // Rows that an offset skips take half as long as those that are counted.
  const found = sql`select 1 from ${matches.from} ${whereAll(matches.where)}`;
  const last = sql`${found} limit 1 offset ${sql.lit(MANY_ROWS - 1)}`;
  const counted = sql.id(`${alias}c`);
  const isMany = sql`(select "many" from ${counted})`;
  const page = ({ where, order }: RowOrder, rowLimit: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`select * from (select ${id} as sorted_id from ${table} ${where} ${order}
      limit ${rowLimit} offset (${offset} + 0))`;
  const ids = sql`with ${counted}("many") as materialized (select exists (${last}))
    ${page(few, sql`iif(${isMany}, 0, ${limit} + 0)`)} union all
    ${page(many, sql`iif(${isMany}, ${limit} + 0, 0)`)}`;
  const sorted = sql.id(`${alias}s`);
  return sql`from (${ids}) as ${sorted} cross join ${table} on ${id} = ${sorted}.sorted_id`;
}

/** Rows of a link table stand for the rows that they lead from. */
export function sqliteRowsInReverse(
  { link, table, keys, version }: RowPath,
  conditions: readonly RawBuilder<unknown>[],
  start: RawBuilder<unknown>,
): FromClause {
  const equalities = [...(link?.keys ?? []), ...keys];
  const inner = equalities.filter(({ isOuter }) => !isOuter);
  const versions = version.filter(({ isOuter }) => !isOuter).map(equal);
  if (link !== null)
    return {
      from: sql`${table} cross join ${link.from}`,
      where: [...conditions, ...inner.map(equal), ...versions],
    };
  return {
    from: sql`${table} cross join ${start}`,
    where: [...conditions, ...equalities.map(equal), ...versions],
  };
}
