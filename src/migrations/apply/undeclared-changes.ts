import type { DestructiveChange } from '../losses/destructive-change.js';
import { HISTORY_TABLE } from './migration-history.js';
import type { MigrationHeader } from '../files/migration-header.js';
import { renamedColumn, renamedTable } from '../schema/renamed-location.js';

/** Every table with its columns. */
export type Columns = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds tables and columns that a migration dropped without declaring it: where a script written by hand
 * drops them, or where a rebuilt table had columns that the schema lacks.
 */
export function findUndeclaredChanges(
  before: Columns,
  after: Columns,
  {
    destructiveChanges,
    renames,
    movedLinks = [],
  }: Pick<MigrationHeader, 'destructiveChanges' | 'renames' | 'movedLinks'>,
): readonly DestructiveChange[] {
  const isDeclared = (table: string, column: string | null): boolean =>
    movedLinks.some(
      (location) => location.table === table && (location.column === null || location.column === column),
    ) ||
    destructiveChanges.some(
      (change) =>
        change.table === table &&
        (change.kind === 'table' ||
          ((change.kind === 'column' || change.kind === 'type') && change.column === column)),
    );
  return [...before].flatMap(([table, columns]): readonly DestructiveChange[] => {
    if (table === HISTORY_TABLE || isDeclared(table, null)) return [];
    const remainingColumns = after.get(renamedTable(table, renames));
    if (remainingColumns === undefined) return [{ kind: 'table', table }];
    const isDropped = (column: string): boolean =>
      !remainingColumns.has(renamedColumn(table, column, renames)) && !isDeclared(table, column);
    return [...columns].filter(isDropped).map((column) => ({ kind: 'column', table, column }));
  });
}
