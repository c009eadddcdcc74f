import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { Selection } from '../../query/query.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, WriteAccess } from '../documents.js';
import type { DocumentEvent, WriteAction } from '../hooks.js';
import { loadWrittenVersion } from '../read-records.js';
import { loadVersions, lockDocument } from '../stored-document.js';
import type { VersionRow } from '../rows/version-statements.js';
import { transactWrite } from '../transact-write.js';
import { assertPermitted, assertWritableFields, isWithinReach } from '../write-permission.js';
import type { VersionsToCheck, WritePermission } from '../write-permission.js';

/** A document whose row is locked until the transaction ends. */
export interface LockedDocument {
  readonly documentId: string;
  /** All its versions before the write. Empty for a new document. */
  readonly rows: readonly VersionRow[];
}

/** How one write operation differs from the others. {@link runWrite} calls the functions in this order. */
export interface WriteOperation<Input> {
  readonly action: WriteAction;
  readonly type: ContentType;
  /** The locale as it is stored. Null: all locales. */
  readonly locale: string | null;
  /** The status that events contain. */
  readonly status: VersionStatus | null;
  /** The client's data, unchecked. Null for operations that take none. */
  readonly data: unknown;
  readonly permission: WritePermission;
  /** Validates what needs no transaction and does slow work such as hashing passwords. */
  readonly prepare: () => Promise<Input>;
  /** Locks the document and loads its versions. Null: what is to be written does not exist. */
  readonly lock: (tx: Transaction) => Promise<LockedDocument | null>;
  /**
   * The versions that the caller's right must cover before the write. Null: there are none yet. A document
   * that the caller can neither write nor read is treated as missing.
   */
  readonly versionsBefore: (document: LockedDocument) => VersionsToCheck | null;
  readonly write: (tx: Transaction, document: LockedDocument, input: Input) => Promise<void>;
  /** The written versions, all of which the caller's right must cover. Null: none are left. */
  readonly versionsAfter: (document: LockedDocument) => VersionsToCheck | null;
}

/** Returns what listeners are told of a write of one document. */
export function createEvent(
  {
    action,
    type,
    locale,
    status,
    data,
  }: Pick<WriteOperation<unknown>, 'action' | 'type' | 'locale' | 'status' | 'data'>,
  documentId: string,
): DocumentEvent {
  return {
    action,
    type: type.uid,
    documentId,
    locale: type.localized ? locale : null,
    status,
    data,
  };
}

/**
 * Locks a document and loads its versions. Returns null if there is no such document.
 *
 * @param isRequired if given, null is returned unless one of the versions matches
 */
export async function lockExisting(
  context: DocumentContext,
  tx: Transaction,
  { type, documentId }: { readonly type: ContentType; readonly documentId: string },
  isRequired?: (row: VersionRow) => boolean,
): Promise<LockedDocument | null> {
  if (!(await lockDocument(context, tx, type, documentId))) return null;
  const rows = await loadVersions(context, tx, type, documentId);
  return isRequired === undefined || rows.some(isRequired) ? { documentId, rows } : null;
}

/**
 * Loads a document again after a listener has written documents, which may include this one.
 *
 * @throws `request/not-found` if a listener has deleted it
 */
export async function reload(
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  { documentId }: Pick<LockedDocument, 'documentId'>,
): Promise<LockedDocument> {
  const document = await lockExisting(context, tx, { type, documentId });
  if (document === null) throw createError('request/not-found');
  return document;
}

/**
 * Runs a write: checks the caller's right and the shape of the data, then in one transaction locks the
 * document, checks the right to it, calls before listeners, writes, and checks the right to the result. After
 * listeners are called once the transaction is committed. No listener runs for a caller who has no right to
 * the document.
 *
 * @returns the document's id, or null if what is to be written does not exist
 * @throws `request/forbidden`, `request/invalid-key`, and what the operation throws
 */
export async function runWrite<Input>(
  context: DocumentContext,
  operation: WriteOperation<Input>,
): Promise<string | null> {
  const { permission } = operation;
  assertWritableFields(permission, operation.data);
  const input = await operation.prepare();
  const documentId = await transactWrite(context, async (tx) => {
    const locked = await operation.lock(tx);
    if (locked === null) return null;
    const before = operation.versionsBefore(locked);
    if (before !== null && !(await isWithinReach(context, permission, tx, before))) return null;
    const hasWritten = await context.hooks.emitBefore([createEvent(operation, locked.documentId)], tx);
    const document = hasWritten ? await reload(context, tx, operation.type, locked) : locked;
    await operation.write(tx, document, input);
    const after = operation.versionsAfter(document);
    if (after !== null) await assertPermitted(context, permission, tx, after);
    return document.documentId;
  });
  if (documentId !== null) await context.hooks.emitAfter([createEvent(operation, documentId)]);
  return documentId;
}

/** Which version an operation returns, and for whom. */
interface ReturnedVersion {
  /** As the client sent it. */
  readonly locale?: string | undefined;
  readonly status: VersionStatus;
  readonly selection: Selection;
  readonly access?: WriteAccess | undefined;
}

/**
 * Runs a write and reads the written version. Returns null if what is to be written does not exist, or if
 * another write has deleted it since.
 */
export async function runWriteAndRead<Input>(
  context: DocumentContext,
  operation: WriteOperation<Input>,
  { locale, status, selection, access }: ReturnedVersion,
): Promise<{ readonly documentId: string; readonly record: RecordText } | null> {
  const documentId = await runWrite(context, operation);
  if (documentId === null) return null;
  const record = await loadWrittenVersion(context, operation.type, {
    documentId,
    locale,
    status,
    selection,
    access,
  });
  return record === null ? null : { documentId, record };
}
