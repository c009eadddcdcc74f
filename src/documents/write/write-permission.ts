import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { accessAtStatus, draftLimits, hidesDrafts } from '../../query/draft-access.js';
import { narrowToDocument } from '../../query/parse/narrow-to-document.js';
import { METADATA_KEYS } from '../validation/assert-metadata.js';
import { invalidKey } from '../validation/issues.js';
import type { DocumentContext } from '../document-context.js';
import type { WriteAccess } from '../documents.js';
import type { LockedDocument, PreparedWrite, WritePermission } from './document-write.js';
import { primaryStatus, writtenStatuses } from './write-context.js';

/** Returns how far the right to an action goes. Without `access` the server itself writes. */
export function writePermissionOf(
  type: ContentType,
  access: WriteAccess | undefined,
  action: 'create' | 'update' | 'delete',
): WritePermission {
  return { type, access, accessScope: access?.scopeOf?.(type.uid, action) ?? null };
}

/** @throws `request/invalid-key` if the data contain an attribute that may not be written */
export function assertWritableFields({ accessScope }: WritePermission, data: unknown): void {
  const fields = accessScope?.fields ?? null;
  if (fields === null || !isRecord(data)) return;
  const forbiddenKey = Object.keys(data).find((key) => !fields.has(key) && !METADATA_KEYS.has(key));
  if (forbiddenKey !== undefined) throw invalidKey(forbiddenKey);
}

/** Versions that the right must cover. */
export interface VersionsToCheck {
  readonly documentId: string;
  /** The locale as it is stored, or `*` for all. */
  readonly locale: string;
  readonly statuses: readonly VersionStatus[];
  /** True if the right must cover all of them, or one is enough. */
  readonly requireAll: boolean;
}

/** Any locale's version counts where the edited one is new. */
const versionsBeforeContent = (
  { type, locale }: PreparedWrite,
  { documentId, rows }: LockedDocument,
): VersionsToCheck => {
  const status = primaryStatus(type);
  const hasEdited = rows.some((row) => row.locale === locale && row.status === status);
  return { documentId, locale: hasEdited ? (locale ?? '*') : '*', statuses: [status], requireAll: false };
};

/**
 * Returns the versions that the caller's right must cover before the write. Null: there are none yet. A
 * document that the caller can neither write nor read is treated as missing.
 */
export function versionsBefore(write: PreparedWrite, document: LockedDocument): VersionsToCheck | null {
  const { action, type, locale } = write;
  if (action === 'create' && document.rows.length === 0) return null;
  if (action === 'create' || action === 'update') return versionsBeforeContent(write, document);
  const statuses = [action === 'delete' ? primaryStatus(type) : ('draft' as const)];
  return { documentId: document.documentId, locale: locale ?? '*', statuses, requireAll: true };
}

/** Returns the written versions, all of which the caller's right must cover. Null: none are left. */
export function versionsAfter(write: PreparedWrite, { documentId }: LockedDocument): VersionsToCheck | null {
  const { type, locale, status, removed } = write;
  if (removed !== null) return null;
  const statuses = writtenStatuses({ type, publish: status === 'published' });
  return { documentId, locale: locale ?? '*', statuses, requireAll: true };
}

const covers = async (
  { records }: DocumentContext,
  { type, accessScope }: Pick<WritePermission, 'type' | 'accessScope'>,
  tx: Transaction,
  { documentId, locale, statuses, requireAll }: VersionsToCheck,
): Promise<boolean> => {
  const filter = accessScope?.filter ?? null;
  if (filter === null) return true;
  for (const status of statuses) {
    const query = { type: type.uid, locale, status, hasPublishedVersion: null, filter: null };
    const matching = await records.documentIdsIn(tx, narrowToDocument({ ...query, filter }, documentId));
    const documentVersions = requireAll
      ? await records.documentIdsIn(tx, narrowToDocument(query, documentId))
      : matching;
    if (matching.length === 0 || matching.length < documentVersions.length) return false;
  }
  return true;
};

/**
 * Checks that the right covers versions of a document, as they are at this point of the transaction.
 *
 * @throws `request/forbidden`
 */
export async function assertPermitted(
  context: DocumentContext,
  permission: WritePermission,
  tx: Transaction,
  versions: VersionsToCheck,
): Promise<void> {
  if (!(await covers(context, permission, tx, versions))) throw createError('request/forbidden');
}

/** True if the caller finds one of the versions by reading. */
const isVisible = async (
  { records }: DocumentContext,
  { type, access }: WritePermission,
  tx: Transaction,
  { documentId, locale }: VersionsToCheck,
): Promise<boolean> => {
  if (access?.canFind(type.uid) !== true) return false;
  for (const status of ['published', 'draft'] as const) {
    const rights = accessAtStatus(access, status);
    if (status === 'draft' && (!type.draftAndPublish || hidesDrafts(rights, type))) continue;
    const filter = rights.scopeOf?.(type.uid, 'find')?.filter ?? null;
    const query = {
      type: type.uid,
      locale,
      status,
      hasPublishedVersion: null,
      filter,
      ...draftLimits(rights),
    };
    if ((await records.documentIdsIn(tx, narrowToDocument(query, documentId))).length > 0) return true;
  }
  return false;
};

/**
 * Returns whether a document exists as far as the caller may know. One that neither the right to write covers
 * nor the caller can read looks missing.
 *
 * @throws `request/forbidden` for a document that the caller can read, but not write
 */
export async function isWithinReach(
  context: DocumentContext,
  permission: WritePermission,
  tx: Transaction,
  versions: VersionsToCheck,
): Promise<boolean> {
  if (await covers(context, permission, tx, versions)) return true;
  if (await isVisible(context, permission, tx, versions)) throw createError('request/forbidden');
  return false;
}
