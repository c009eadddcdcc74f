import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { defined } from '../../lib/defined.js';
import type { CountedRowsOptions } from '../row-path.js';
import { MANY_ROWS } from '../row-path.js';

/**
 * Reads a page in one of two ways. Which one is a condition without columns, so that the planner checks it
 * once, before it reads anything. Each row that was counted is looked up by its id: left to itself, the
 * planner might start parallel workers for what it then does not read.
 */
export function postgresCountedRows(rows: CountedRowsOptions): RawBuilder<unknown> {
  const { table, alias, matches, few, many, limit, offset } = rows;
  const row = sql.id(alias);
  const counted = sql.id(`${alias}c`);
  const id = defined(matches.id, 'the id of the rows that were counted');
  const conditions = sql.join(matches.where, sql` and `);
  const found = sql`select ${id} from ${matches.from} where ${conditions} limit ${sql.lit(MANY_ROWS)}`;
  const isMany = sql`(select count(*) from ${counted}) = ${sql.lit(MANY_ROWS)}`;
  const slice = sql`limit ${limit} offset ${offset}`;
  const lookup = sql`select * from ${table} ${few.where} and ${row}."id" = ${counted}."id" offset 0`;
  const lookedUp = sql`select ${row}.* from ${counted} cross join lateral (${lookup}) as ${row}
    where not ${isMany} ${few.order} ${slice}`;
  const walked = sql`select ${row}.* from ${table} ${many.where} and ${isMany} ${many.order} ${slice}`;
  return sql`from (with ${counted}("id") as materialized (${found})
    (${lookedUp}) union all (${walked})) as ${row}`;
}
