import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { createDocumentId } from '../../lib/ids.js';
import { getOrCreate, groupBy } from '../../lib/collections.js';
import { isStorableText } from '../../model/fields/text-value.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, Uid } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import type { LinkRef } from '../validation/input.js';
import type { VersionRow } from './version-statements.js';
import { isCovered } from './write-context.js';
import type { LockedDocument, PreparedWrite, WriteContext } from './write-context.js';
import type { LoadedRelationWrite } from '../links/relation-mapping.js';
import { allRefs, linkedRefs } from '../links/resolve-targets.js';
import type { TargetLookup } from '../links/resolve-targets.js';

/** Returns all versions of documents, oldest first, by the document's id. */
export async function loadVersions(
  { versionTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly VersionRow[]>> {
  const versions = versionTableOf(type);
  const { sql, parameters } = versions.load(documentIds);
  const rows = (await tx.query(sql, parameters)).map(versions.read);
  return groupBy(rows, ({ documentId }) => documentId);
}

/**
 * Increments the revisions of documents. This locks their rows, so that other writers wait until the
 * transaction ends.
 *
 * @returns the ids of existing documents
 */
export async function lockRows(
  { documentTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentIds: readonly string[],
): Promise<readonly string[]> {
  // The driver fails on text that the database cannot store. No document has such an id.
  const storable = documentIds.filter(isStorableText);
  if (storable.length === 0) return [];
  const { sql, parameters } = documentTableOf(type).lock(storable);
  return (await tx.query(sql, parameters)).map((row) => String(row['document_id']));
}

/** Locks existing documents and loads their versions. */
export async function lockExisting(
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, LockedDocument>> {
  const existing = await lockRows(context, tx, type, documentIds);
  if (existing.length === 0) return new Map();
  const rows = await loadVersions(context, tx, type, existing);
  return new Map(
    existing.map((documentId) => [documentId, { documentId, rows: rows.get(documentId) ?? [] }]),
  );
}

/** Returns the id of a single type's document if an earlier write has created it. */
const findSingleDocument = async (
  { documentTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
): Promise<string | undefined> => {
  if (type.kind !== 'singleType') return undefined;
  await tx.lock(`single type ${type.uid}`);
  const { sql, parameters } = documentTableOf(type).first();
  const [documentRow] = await tx.query(sql, parameters);
  return documentRow === undefined ? undefined : String(documentRow['document_id']);
};

/** Asserts that a new document's id is not used in the locale. */
const assertFree = (write: PreparedWrite, { documentId, rows }: LockedDocument): void => {
  if (write.documentId === undefined || write.createsMissing === true) return;
  if (write.documentId !== documentId || rows.some((row) => row.locale === write.locale))
    throw createError('request/document-exists', { type: write.type.uid, documentId });
};

const lockOrInsert = async (
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  writes: readonly PreparedWrite[],
): Promise<readonly LockedDocument[]> => {
  const singleId = await findSingleDocument(context, tx, type);
  const wanted = writes.map(({ documentId }) => singleId ?? documentId);
  const given = wanted.flatMap((documentId) => documentId ?? []);
  const existing = given.length === 0 ? new Map() : await lockExisting(context, tx, type, given);
  const documents = wanted.map((documentId, index): LockedDocument => {
    const found = documentId === undefined ? undefined : existing.get(documentId);
    if (found !== undefined) assertFree(defined(writes[index], 'A write'), found);
    return found ?? { documentId: documentId ?? createDocumentId(), rows: [] };
  });
  const inserted = documents.flatMap(({ documentId }) => (existing.has(documentId) ? [] : [documentId]));
  if (inserted.length > 0) {
    const { sql, parameters } = context.documentTableOf(type).insert(inserted);
    await tx.execute(sql, parameters);
  }
  return documents;
};

/**
 * Locks or creates the documents of writes of one type and action, and loads their versions, unless all of
 * them are deleted without a precondition.
 *
 * @returns null for a document without a version that the write requires
 * @throws `request/document-exists` if a new document's id is taken
 */
export async function lockDocuments(
  context: DocumentContext,
  tx: Transaction,
  writes: readonly PreparedWrite[],
): Promise<readonly (LockedDocument | null)[]> {
  const { action, type, createsMissing, removed } = defined(writes[0], 'A write');
  if (action === 'create' || createsMissing === true) return lockOrInsert(context, tx, type, writes);
  const documentIds = writes.flatMap(({ documentId }) => documentId ?? []);
  const dependsOnVersions = writes.some(
    ({ ifMatch, permission }) => ifMatch !== undefined || permission.accessScope?.status !== undefined,
  );
  if (removed?.locale === null && removed.status === null && !dependsOnVersions) {
    const existing = new Set(await lockRows(context, tx, type, documentIds));
    return documentIds.map((documentId) => (existing.has(documentId) ? { documentId, rows: [] } : null));
  }
  const existing = await lockExisting(context, tx, type, documentIds);
  return writes.map(({ documentId, required }) => {
    const document = existing.get(documentId ?? '');
    const isFound = required === null || document?.rows.some((row) => isCovered(required, row)) === true;
    return document !== undefined && isFound ? document : null;
  });
}

/** Ids of documents other than the written one whose links a write changes, by type. */
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
 * @returns `locked` with the newly locked ones, or the same object if there are none
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
