import { getOrCreate } from '../../../lib/memoize.js';
import { typeOf } from '../../../model/lookup.js';
import type { Uid } from '../../../model/model.js';
import type { LinkRef } from '../../validation/input.js';
import { lockRows } from '../../write/lock-documents.js';
import type { WriteContext } from '../../write/write-context.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import { linkedRefs, allRefs } from './resolve-links.js';
import type { TargetLookup } from './target-lookup.js';

/** Document ids by type: documents whose links a write changes, besides the written one. */
export type DocumentIdsByType = ReadonlyMap<Uid, ReadonlySet<string>>;

type CollectedIds = Map<Uid, Set<string>>;

const addDocument = (documents: CollectedIds, type: Uid, documentId: string | null): void => {
  if (documentId !== null) getOrCreate(documents, type, () => new Set()).add(documentId);
};

const addInverse = (documents: CollectedIds, write: LoadedRelationWrite, lookup: TargetLookup): void => {
  const { mapping, operation } = write;
  if (operation === null) return;
  const findDocumentId = (ref: LinkRef): string | null => lookup.find(ref.type, ref);
  for (const ref of allRefs(operation)) addDocument(documents, mapping.owner.uid, findDocumentId(ref));
  for (const entry of write.stored.entries) addDocument(documents, mapping.owner.uid, entry.sourceDocumentId);
};

const addExclusive = (documents: CollectedIds, write: LoadedRelationWrite, lookup: TargetLookup): void => {
  const { mapping, operation } = write;
  for (const conflictingLink of write.stored.conflictingLinks) {
    addDocument(documents, mapping.owner.uid, conflictingLink.sourceDocumentId);
    addDocument(documents, conflictingLink.targetType, conflictingLink.targetDocumentId);
  }
  for (const ref of operation === null ? [] : linkedRefs(operation))
    addDocument(documents, ref.type, lookup.find(ref.type, ref));
};

/** Returns the documents that must not change while these links are written. */
export function documentsToLock(
  writes: readonly LoadedRelationWrite[],
  lookup: TargetLookup,
): DocumentIdsByType {
  const documents: CollectedIds = new Map();
  for (const write of writes) {
    if (write.mapping.attribute.side === 'inverse') addInverse(documents, write, lookup);
    else if (write.mapping.link.exclusive) addExclusive(documents, write, lookup);
  }
  return documents;
}

/**
 * Locks the documents that are not locked yet. If two writes wait for each other's locks, one of them fails
 * and runs again.
 *
 * @param locked the documents locked so far
 * @returns them with the newly locked ones, or `locked` itself if there are none
 */
export async function lockRelatedDocuments(
  context: WriteContext,
  documents: DocumentIdsByType,
  locked: DocumentIdsByType,
): Promise<DocumentIdsByType> {
  const lockedNow = new Map(locked);
  let hasLocked = false;
  for (const [uid, documentIds] of documents) {
    const lockedIds = locked.get(uid) ?? new Set();
    const unlockedIds = [...documentIds]
      .filter(
        (documentId) =>
          !lockedIds.has(documentId) && !(uid === context.type.uid && documentId === context.documentId),
      )
      .toSorted();
    if (unlockedIds.length === 0) continue;
    if (!hasLocked) await context.tx.limitLockWaits();
    await lockRows(context, context.tx, typeOf(context.model, uid), unlockedIds);
    lockedNow.set(uid, new Set([...lockedIds, ...unlockedIds]));
    hasLocked = true;
  }
  return hasLocked ? lockedNow : locked;
}
