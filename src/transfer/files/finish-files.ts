import { join } from 'node:path';
import type { ContentStore } from '../store/content-store.js';
import { basePaths, removeBase, writeBase } from './base-files.js';
import { rewriteNewFiles } from './mark-files.js';
import type { Plan } from './plan.js';
import { writeTextAtomically } from './print-content.js';
import { printTexts, removeUnitFiles, syncFiles } from './sync-files.js';

/** Writes the files of documents whose deletion a merge has rejected. */
const restoreFilesOf = async (store: ContentStore, { merging, restored }: Plan): Promise<void> => {
  if (merging === null || restored.length === 0) return;
  const contents = restored.flatMap(({ current }) => (current === null ? [] : [current]));
  const texts = await printTexts(store, contents);
  for (const { base, current } of restored) {
    if (current === null) continue;
    const printed = texts.get(current) ?? [];
    const paths = basePaths(base);
    for (const [index, text] of printed.entries())
      await writeTextAtomically(join(merging.folder.root, paths[index] ?? ''), text);
    await writeBase(store.model, merging.folder, { content: current, path: paths[0] ?? '', texts: printed });
  }
};

/** Returns true if a push removes the unedited files of documents that were deleted from the database. */
export function removesDeleted({ merging }: Pick<Plan, 'merging'>): boolean {
  return merging !== null && (merging.deletes || merging.choice === 'database');
}

/**
 * Completes the files after a push: writes merged values, those of new documents, and the bases, and removes
 * files and bases of documents that no longer exist.
 */
export async function finishFiles(store: ContentStore, root: string, plan: Plan): Promise<void> {
  const { merging, units, deleted, obsolete } = plan;
  await rewriteNewFiles(store, root, plan);
  if (merging === null) return;
  const { folder } = merging;
  await syncFiles(store, folder, units);
  await restoreFilesOf(store, plan);
  if (removesDeleted(plan)) await removeUnitFiles(folder, deleted);
  for (const base of obsolete) await removeBase(folder, base);
}
