import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { PathExpressions } from '../path-expressions.js';
import type { Equality, FromClause, MergedRowsOptions, OrderedRowsOptions, RowPath } from '../row-path.js';

export const equal = ({ column, value }: Equality): RawBuilder<unknown> => sql`${column} = ${value}`;

/** The plus keeps the planner from using an index of this column. */
export function sqliteUnindexedEqual({
  column,
  value,
}: Pick<Equality, 'column' | 'value'>): RawBuilder<unknown> {
  return sql`+${column} = ${value}`;
}

const versionConditions = ({ isUnique, version }: RowPath): readonly RawBuilder<unknown>[] =>
  version.map(isUnique ? equal : sqliteUnindexedEqual);

/** SQLite never reorders a cross join. */
function sqliteRowsAtPath(path: RowPath): FromClause {
  const { link, table, keys } = path;
  return {
    from: link === null ? table : sql`${link.from} cross join ${table}`,
    where: [...(link?.keys ?? []).map(equal), ...keys.map(equal), ...versionConditions(path)],
  };
}

export const whereAll = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;

const tuple = (columns: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  columns.length === 1 ? sql`${columns[0]}` : sql`(${sql.join(columns)})`;

/** Looks up matching rows for each row of the statement. */
const existsPerRow = (path: RowPath, conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> => {
  const { from, where } = sqliteRowsAtPath(path);
  return sql<boolean>`exists (select 1 from ${from} ${whereAll([...where, ...conditions])})`;
};

/** Whether a row is among those that match, which are found once per statement. */
const isAmong = (
  outer: readonly Equality[],
  from: RawBuilder<unknown>,
  where: readonly RawBuilder<unknown>[],
): RawBuilder<boolean> => {
  const columns = sql.join(outer.map(({ column }) => column));
  const matchingRows = sql`select ${columns} from ${from} ${whereAll(where)}`;
  return sql<boolean>`${tuple(outer.map(({ value }) => value))} in (${matchingRows})`;
};

const isOuter = (equality: Equality): boolean => equality.isOuter;
const isInner = (equality: Equality): boolean => !equality.isOuter;

/** Finds all matching rows along the path in reverse. */
const existsInReverse = (path: RowPath, conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> => {
  const { link, table, keys, version } = path;
  const equalities = [...(link?.keys ?? []), ...keys, ...version];
  const from = link === null ? table : sql`${table} cross join ${link.from}`;
  const where = [...conditions, ...equalities.filter(isInner).map(equal)];
  return isAmong(equalities.filter(isOuter), from, where);
};

/** Up to this number, the rows of a table that meet a condition are found in some twenty microseconds. */
const FEW_ROWS = 200;

/**
 * Whether rows lead to one of a small table that matches. Comparing a key with those that were found takes
 * less than looking up the row that has it, and then the value of its column.
 */
const existsInSmallTable = (
  { link, table, keys, version }: RowPath,
  conditions: readonly RawBuilder<unknown>[],
): RawBuilder<boolean> => {
  // No index is to lead from what was found to the rows of the link.
  const unindexed = ({ value, ...equality }: Equality): Equality => ({ ...equality, value: sql`+${value}` });
  const outer = [...keys, ...version.filter(isOuter)].map(unindexed);
  const isFound = isAmong(outer, table, [...conditions, ...version.filter(isInner).map(equal)]);
  if (link === null) return isFound;
  return sql<boolean>`exists (select 1 from ${link.from} ${whereAll([...link.keys.map(equal), isFound])})`;
};

/** Two plans in one statement. The rows of the table are counted once, and no further than to the limit. */
const existsByTableSize = (
  path: RowPath,
  conditions: readonly RawBuilder<unknown>[],
): RawBuilder<boolean> => {
  const counted = sql`select count(*) from (select 1 from ${path.table} limit ${sql.lit(FEW_ROWS + 1)})`;
  return sql<boolean>`case when (${counted}) <= ${sql.lit(FEW_ROWS)}
    then ${existsInSmallTable(path, conditions)} else ${existsPerRow(path, conditions)} end`;
};

/** How the rows at the end of a path are found where they are looked up from each row. */
type ExistsForEachRow = (path: RowPath, conditions: readonly RawBuilder<unknown>[]) => RawBuilder<boolean>;

/**
 * Whether some row at the end of a path meets the conditions. With 100,000 rows that link three others each,
 * "linked to one named x" takes 350 ms row by row and 2 ms in reverse, but "linked to one not named x" takes
 * 130 ms and 1,200 ms.
 */
const existsAtPath =
  (existsForEachRow: ExistsForEachRow): PathExpressions['exists'] =>
  (path, conditions, plan) => {
    if (plan === 'each-row') return existsPerRow(path, conditions);
    // The elements of a JSON list can be found only from the row that holds it.
    const startsAtJsonList = path.link !== null && path.link.keys.length === 0;
    return plan === 'selective' && !startsAtJsonList
      ? existsInReverse(path, conditions)
      : existsForEachRow(path, conditions);
  };

export const SQLITE_PATHS: PathExpressions = Object.freeze({
  rows: sqliteRowsAtPath,
  exists: existsAtPath(existsByTableSize),
});

/** As where all tables are large: a plan names what is done with small ones, though it never is. */
export const SQLITE_PATHS_OF_LARGE_TABLES: PathExpressions = Object.freeze({
  rows: sqliteRowsAtPath,
  exists: existsAtPath(existsPerRow),
});

/** Sorts ids and looks the rows up in that order, since sorting whole rows would copy each of them. */
export function sqliteOrderedRows({
  table,
  alias,
  where,
  order,
  isById,
  slice,
}: OrderedRowsOptions): RawBuilder<unknown> {
  if (isById) return sql`from ${table} ${where} ${order} ${slice ?? sql``}`;
  const id = sql.id(alias, 'id');
  const sorted = sql.id(`${alias}s`);
  // SQLite drops the order of a joined subquery that has no limit.
  const limit = slice ?? sql`limit -1`;
  const ids = sql`(select ${id} as sorted_id from ${table} ${where} ${order} ${limit}) as ${sorted}`;
  return sql`from ${ids} cross join ${table} on ${id} = ${sorted}.sorted_id`;
}

/** Looks up the first ids of each list in its index. */
export function sqliteMergedRows({
  table,
  alias,
  lists,
  where,
  order,
  limit,
  offset,
}: MergedRowsOptions): RawBuilder<unknown> {
  const id = sql.id(alias, 'id');
  const sorted = sql.id(`${alias}s`);
  const first = sql`select ${id} from ${table} ${where} ${order} limit (${limit} + ${offset})`;
  const found = sql`select ${id} as sorted_id from ${lists} cross join ${table} where ${id} in (${first})`;
  const ids = sql`(${found} ${order} limit (${limit} + 0) offset (${offset} + 0)) as ${sorted}`;
  return sql`from ${ids} cross join ${table} on ${id} = ${sorted}.sorted_id`;
}
