import type { Rename } from '../schema/rename-in-schema.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Column, Table, Tables } from '../schema/schema-tables.js';

const haveSameType = (left: Column, right: Column): boolean =>
  left.type === right.type && left.nativeType === right.nativeType && left.isList === right.isList;

/** Returns the values whose keys the other map lacks. */
const onlyIn = <Value>(
  values: ReadonlyMap<string, Value>,
  excluded: ReadonlyMap<string, Value>,
): readonly Value[] => [...values].filter(([name]) => !excluded.has(name)).map(([, value]) => value);

/** The similarity of two tables, from 0 to 1. */
const similarity = (left: Table, right: Table): number => {
  const shared = [...left.columns.values()].filter((column) => {
    const counterpart = right.columns.get(column.name);
    return counterpart !== undefined && haveSameType(column, counterpart);
  }).length;
  return shared / (left.columns.size + right.columns.size - shared);
};

/** Tables that are less similar are no candidates. */
const MIN_SIMILARITY = 0.6;

const columnRenames = (table: string, before: Table, after: Table): readonly Rename[] =>
  onlyIn(before.columns, after.columns).flatMap((dropped) =>
    onlyIn(after.columns, before.columns)
      .filter((added) => haveSameType(dropped, added))
      .map((added): Rename => ({ kind: 'column', table, from: dropped.name, to: added.name })),
  );

const findCandidates = (before: Tables, after: Tables): readonly Rename[] => {
  const dropped = onlyIn(before, after);
  const added = onlyIn(after, before);
  const tables = dropped.flatMap((from) =>
    added
      .filter((to) => similarity(from, to) >= MIN_SIMILARITY)
      .map((to): Rename => ({ kind: 'table', from: from.name, to: to.name })),
  );
  const columns = [...before.values()].flatMap((table) => {
    const next = after.get(table.name);
    return next === undefined ? [] : columnRenames(table.name, table, next);
  });
  return [...tables, ...columns];
};

/**
 * Finds changes that may be renames: a dropped column and an added one of the same type in one table, or a
 * dropped table and a similar added one. These are suggestions to ask the user about. Several may concern the
 * same column, and all may be wrong.
 *
 * @throws `migration/invalid-schema`
 */
export async function findRenameCandidates(
  previousSchema: string,
  nextSchema: string,
): Promise<readonly Rename[]> {
  return findCandidates(await parseTables(previousSchema), await parseTables(nextSchema));
}
