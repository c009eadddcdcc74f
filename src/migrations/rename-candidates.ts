import type { Rename } from './rename-in-schema.js';
import { parseTables } from './schema-tables.js';
import type { Column, Table, Tables } from './schema-tables.js';

const sameType = (left: Column, right: Column): boolean => left.type === right.type && left.nativeType === right.nativeType && left.isList === right.isList;

const onlyIn = <Value>(here: ReadonlyMap<string, Value>, there: ReadonlyMap<string, Value>): readonly Value[] => [...here].filter(([name]) => !there.has(name)).map(([, value]) => value);

/** How much of two tables is the same, from 0 to 1. */
const likeness = (left: Table, right: Table): number => {
  const shared = [...left.columns.values()].filter((column) => {
    const twin = right.columns.get(column.name);
    return twin !== undefined && sameType(column, twin);
  }).length;
  return shared / (left.columns.size + right.columns.size - shared);
};

/** Two tables with less in common are taken for two things. */
const LIKE = 0.6;

const columnRenames = (table: string, before: Table, after: Table): readonly Rename[] =>
  onlyIn(before.columns, after.columns).flatMap((dropped) =>
    onlyIn(after.columns, before.columns)
      .filter((added) => sameType(dropped, added))
      .map((added): Rename => ({ kind: 'column', table, from: dropped.name, to: added.name })),
  );

const compare = (before: Tables, after: Tables): readonly Rename[] => {
  const dropped = onlyIn(before, after);
  const added = onlyIn(after, before);
  const tables = dropped.flatMap((from) => added.filter((to) => likeness(from, to) >= LIKE).map((to): Rename => ({ kind: 'table', from: from.name, to: to.name })));
  const columns = [...before.values()].flatMap((table) => {
    const next = after.get(table.name);
    return next === undefined ? [] : columnRenames(table.name, table, next);
  });
  return [...tables, ...columns];
};

/**
 * What looks like a rename rather than a loss and an addition: a column that went where one of its type came, a table that went where
 * one much like it came. Only to be asked about: several may name the same column, and none need be meant.
 *
 * @throws `migration/invalid-schema`
 */
export async function findRenameCandidates(previousSchema: string, nextSchema: string): Promise<readonly Rename[]> {
  return compare(await parseTables(previousSchema), await parseTables(nextSchema));
}
