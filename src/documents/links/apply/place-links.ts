import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { WriteContext } from '../../write-context.js';
import { nullableIntegerColumn } from '../../prefetch.js';

type Fragment = RawBuilder<unknown>;

/** A list of links in one version, as a query with the columns `id` of the row, `member` and `place`. */
export type ListQuery = Fragment;

/** A link that gets into a list whose other version holds it already. */
interface PlacedLink {
  readonly from: ListQuery;
  readonly to: ListQuery;
  /** What the link stands for in both lists, and its position in the other version's. */
  readonly member: Fragment;
  readonly place: Fragment;
}

export type NeighbourColumns = ReturnType<typeof neighbourColumns>;

/** Of a link that is the only one of its list. */
export const NO_NEIGHBOURS: NeighbourColumns = {
  previous: nullableIntegerColumn(sql`null`),
  next: nullableIntegerColumn(sql`null`),
  last: nullableIntegerColumn(sql`null`),
};

/** The neighbours of a link that gets into a list, as far as the list has those of the other version. */
export interface Neighbours {
  readonly previous: number | null;
  readonly next: number | null;
  readonly last: number | null;
}

/**
 * Columns that find where a link belongs. Positions themselves cannot be compared, since each version counts
 * its own.
 */
export const neighbourColumns = ({ from, to, member, place }: PlacedLink) => {
  // Looked up for one link after the other, from the nearest on. Joined, whole lists may be compared.
  const placeInTo = sql`(select t.place from ${to} as t where t.member = f.member limit 1)`;
  const nearest = (condition: Fragment, order: Fragment): Fragment =>
    sql`(select ${placeInTo} from ${from} as f
      where f.member <> ${member} and ${condition} and ${placeInTo} is not null ${order} limit 1)`;
  const last = sql`(select t.place from ${to} as t where t.member <> ${member} and t.place is not null
    order by t.place desc limit 1)`;
  return {
    previous: nullableIntegerColumn(nearest(sql`f.place < ${place}`, sql`order by f.place desc`)),
    next: nullableIntegerColumn(nearest(sql`f.place > ${place}`, sql`order by f.place`)),
    last: nullableIntegerColumn(last),
  };
};

/** Returns the position of a link after its neighbour, and whether other links have to make room for it. */
export function findPlace({ previous, next, last }: Neighbours): {
  readonly position: number;
  readonly isTaken: boolean;
} {
  const position = (previous ?? (next === null ? last : next - 1) ?? 0) + 1;
  return { position, isTaken: position <= (last ?? 0) };
}

/** A list whose links from a position on move by one. */
export interface MadeRoom {
  readonly table: string;
  readonly column: string;
  readonly list: ListQuery;
  readonly position: number;
}

export async function makeRoom(
  { tx, database: { dialect } }: Pick<WriteContext, 'tx' | 'database'>,
  { table, column, list, position }: MadeRoom,
): Promise<void> {
  const statement = sql`update ${sql.id(table)} set ${sql.id(column)} = ${sql.id(column)} + 1
    where id in (select t.id from ${list} as t where t.place >= ${sql.lit(position)})`;
  const { sql: text, parameters } = statement.compile(dialect.expressions.kysely);
  await tx.execute(text, parameters);
}
