import type { AtStake } from './at-stake.js';
import { HISTORY_TABLE } from './history.js';
import type { MigrationHead } from './migration-head.js';
import type { Rename } from './rename-in-schema.js';

/** Every table with its columns. */
export type Columns = ReadonlyMap<string, ReadonlySet<string>>;

const nameAfter = (table: string, column: string | null, renames: readonly Rename[]): { readonly table: string; readonly column: string | null } => {
  let now = { table, column };
  for (const rename of renames) {
    if (rename.kind === 'table' && now.table === rename.from) now = { ...now, table: rename.to };
    if (rename.kind === 'column' && now.table === rename.table && now.column === rename.from) now = { ...now, column: rename.to };
  }
  return now;
};

/**
 * Tables and columns that went without the migration saying so: a script written by hand drops them, or a table was rebuilt that had
 * columns the schema does not know.
 */
export function findUnforeseen(before: Columns, after: Columns, { stakes, renames, moved = [] }: Pick<MigrationHead, 'stakes' | 'renames' | 'moved'>): readonly AtStake[] {
  const isForeseen = (table: string, column: string | null): boolean =>
    moved.some((place) => place.table === table && (place.column === null || place.column === column)) ||
    stakes.some((stake) => stake.table === table && (stake.kind === 'table' || ((stake.kind === 'column' || stake.kind === 'type') && stake.column === column)));
  return [...before].flatMap(([table, columns]): readonly AtStake[] => {
    if (table === HISTORY_TABLE || isForeseen(table, null)) return [];
    const left = after.get(nameAfter(table, null, renames).table);
    if (left === undefined) return [{ kind: 'table', table }];
    const isGone = (column: string): boolean => !left.has(nameAfter(table, column, renames).column ?? column) && !isForeseen(table, column);
    return [...columns].filter(isGone).map((column) => ({ kind: 'column', table, column }));
  });
}
