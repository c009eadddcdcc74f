import type { ContentDocument, ContentStore, ContentWrite } from '../../transfer/store/content-store.js';
import type { ContentType } from '../../model/model.js';

/** The result of a write, or of its dry run. */
export interface WrittenDocument {
  readonly documentId: string;
  /** Null: it was deleted. */
  readonly document: ContentDocument | null;
}

/**
 * Writes in one transaction. With `isDryRun`, all checks run, and then the transaction is rolled back.
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
