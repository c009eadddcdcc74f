import type { ContentDocument, ContentStore, ContentWrite } from '../../content-store/content-store.js';
import type { ContentType } from '../../model/model.js';

/** What a write left, or would leave. */
export interface WrittenDocument {
  readonly documentId: string;
  /** Null: it was deleted. */
  readonly document: ContentDocument | null;
}

/**
 * Writes in one transaction, or only tries to with `isDryRun`: all checks run, and then all of it is taken
 * back.
 *
 * @throws the error of the first write that fails
 */
export async function runWrites(
  store: ContentStore,
  type: ContentType,
  writes: readonly ContentWrite[],
  isDryRun: boolean,
): Promise<readonly WrittenDocument[]> {
  // The error of a single write need not say which one it was.
  const outcomes = await store.write(type.uid, writes, { isAtomic: writes.length > 1, isDryRun });
  return outcomes.map((outcome) => {
    if ('error' in outcome) throw outcome.error;
    return outcome;
  });
}
