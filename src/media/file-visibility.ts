/**
 * Files in the trash are hidden in their store, and all others are served. The rows decide, so that a process
 * that ends between a commit and the move loses nothing: the next sweep completes it.
 */
import { readKeptFiles } from '../documents/trash/trash-table.js';
import type { KeptFile } from '../documents/trash/trash-table.js';
import { TRASH_LOCK } from '../documents/trash/restore-deleted.js';
import { extensionOf } from './file-info.js';
import { keysOfRow, objectsIn } from './file-table.js';
import type { MediaContext } from './media-context.js';

/**
 * Hides the objects of a deleted file, or serves those of a restored one, as its rows require after the
 * commit. If this fails, the next sweep tries again.
 */
export async function applyVisibility(
  { database, files, providers, onError }: MediaContext,
  documentId: string,
): Promise<void> {
  const hiddenOf = (provider: string) => providers.find(provider)?.hidden;
  try {
    await database.transact(async (tx) => {
      // No file is restored or purged until its objects are moved.
      await tx.lock(TRASH_LOCK);
      const file = await files.findDocument(tx, documentId);
      const served = file?.keys ?? [];
      // The original is moved last, since a sweep finds an interrupted restoration by it.
      for (const key of served.toReversed()) await hiddenOf(file?.provider ?? '')?.show(key);
      for (const { values } of await readKeptFiles(tx, database.dialect.expressions, documentId)) {
        const { provider, keys } = objectsIn(values);
        for (const key of keys) if (!served.includes(key)) await hiddenOf(provider)?.hide(key);
      }
    });
  } catch (error) {
    onError(error);
  }
}

/** Completes deletions and restorations whose process ended after the commit. */
export async function applyAllVisibility(context: MediaContext, kept: readonly KeptFile[]): Promise<void> {
  const { database, files, providers } = context;
  const hidden = providers.find('local')?.hidden;
  if (hidden === undefined) return;
  const keptKeys = new Set<string>();
  const unfinished = new Set<string>();
  for (const { documentId, values } of kept)
    for (const key of keysOfRow(values)) {
      keptKeys.add(key);
      if (values['provider'] === 'local' && (await hidden.isServed(key))) unfinished.add(documentId);
    }
  const hashes = (await hidden.list()).flatMap(({ name }) =>
    keptKeys.has(name) ? [] : [name.slice(0, name.length - extensionOf(name).length)],
  );
  if (hashes.length > 0)
    for (const documentId of await database.transact((tx) => files.findByHash(tx, hashes)))
      unfinished.add(documentId);
  for (const documentId of unfinished) await applyVisibility(context, documentId);
}
