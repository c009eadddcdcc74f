import type { ContentTransition } from '../content/content-plan.js';
import type { Rename } from '../schema/rename-in-schema.js';
import { renamedTable } from '../schema/renamed-location.js';

/**
 * Returns the renames of the document tables of renamed types, where only their version tables were named.
 * The documents of a type must not be dropped while their versions stay.
 */
export function documentTableRenames(
  { before, after }: Pick<ContentTransition, 'before' | 'after'>,
  renames: readonly Rename[],
): readonly Rename[] {
  return before.types.flatMap(({ storage }): readonly Rename[] => {
    const table = renamedTable(storage.version.table, renames);
    const counterpart = after.types.find((type) => type.storage.version.table === table);
    const [from, to] = [storage.document.table, counterpart?.storage.document.table];
    const isRequested = renames.some((rename) => rename.kind === 'table' && rename.from === from);
    return table === storage.version.table || to === undefined || to === from || isRequested
      ? []
      : [{ kind: 'table', from, to }];
  });
}
