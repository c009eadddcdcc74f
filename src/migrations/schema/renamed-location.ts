import type { Rename } from './rename-in-schema.js';

/** A table (`column` is null) or a column, by the names of the database. */
interface Location {
  readonly table: string;
  readonly column: string | null;
}

/** Returns the names of a table or column after the renames, which are applied in order. */
function renamedLocation(table: string, column: string | null, renames: readonly Rename[]): Location {
  let location: Location = { table, column };
  for (const rename of renames) {
    if (rename.kind === 'table' && location.table === rename.from)
      location = { ...location, table: rename.to };
    if (rename.kind === 'column' && location.table === rename.table && location.column === rename.from)
      location = { ...location, column: rename.to };
  }
  return location;
}

/** Returns the name of a table after the renames. */
export function renamedTable(table: string, renames: readonly Rename[]): string {
  return renamedLocation(table, null, renames).table;
}

/** Returns the name of a column after the renames. `table` is the name of its table before them. */
export function renamedColumn(table: string, column: string, renames: readonly Rename[]): string {
  return renamedLocation(table, column, renames).column ?? column;
}

/** Returns the renames that lead back. */
export function reverseRenames(renames: readonly Rename[]): readonly Rename[] {
  return renames.toReversed().map((rename) => ({ ...rename, from: rename.to, to: rename.from }));
}

/** Returns the name that a table had before the renames. */
export function originalTable(table: string, renames: readonly Rename[]): string {
  return renamedTable(table, reverseRenames(renames));
}

/** Returns the name that a column had before the renames. `table` is the name of its table after them. */
export function originalColumn(table: string, column: string, renames: readonly Rename[]): string {
  return renamedColumn(table, column, reverseRenames(renames));
}
