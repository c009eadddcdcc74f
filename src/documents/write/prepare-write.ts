import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import { accessAtStatus, draftLimits, hidesDrafts } from '../../query/read-access.js';
import { narrowToDocument } from '../../query/parse/server-queries.js';
import type { DocumentContext } from '../document-context.js';
import type { BulkItem, WriteAccess } from '../documents.js';
import { METADATA_KEYS } from '../validation/assert-shape.js';
import { invalidKey } from '../validation/issues.js';
import { NO_INPUT, isCovered, primaryStatus, writtenStatuses } from './write-context.js';
import type { LockedDocument, PreparedWrite, VersionPattern, WritePermission } from './write-context.js';
import { assertCoversLocale, assertCoversPublished } from './write-limits.js';
import { draftVerb, isPublishing, requireDrafts, resolveLocale } from './write-params.js';

/** Returns the limits of the permission for an action. Without `access`, the server writes without limits. */
export function writePermissionOf(
  type: ContentType,
  access: WriteAccess | undefined,
  action: 'create' | 'update' | 'delete',
): WritePermission {
  return { type, access, accessScope: access?.scopeOf?.(type.uid, action) ?? null };
}

/** Throws `request/invalid-key` if the data contain an attribute that the caller may not write. */
function assertWritableFields({ accessScope }: WritePermission, data: unknown): void {
  const fields = accessScope?.fields ?? null;
  if (fields === null || !isRecord(data)) return;
  const forbiddenKey = Object.keys(data).find((key) => !fields.has(key) && !METADATA_KEYS.has(key));
  if (forbiddenKey !== undefined) throw invalidKey(forbiddenKey);
}

/** Versions that the permission must cover. */
interface VersionsToCheck {
  readonly documentId: string;
  /** The stored form of the locale, or `*` for all. */
  readonly locale: string;
  readonly statuses: readonly VersionStatus[];
  /** True if the permission must cover all versions; false if one suffices. */
  readonly requireAll: boolean;
}

/** Returns the edited version, or the versions of all locales if the edited one is new. */
const versionsBeforeContent = (
  { type, locale }: PreparedWrite,
  { documentId, rows }: LockedDocument,
): VersionsToCheck => {
  const status = primaryStatus(type);
  const hasEdited = rows.some((row) => row.locale === locale && row.status === status);
  return { documentId, locale: hasEdited ? (locale ?? '*') : '*', statuses: [status], requireAll: false };
};

/**
 * Returns the versions that the caller's permission must cover before the write; null if there are none yet.
 * A document that the caller can neither write nor read is treated as missing.
 */
export function versionsBefore(write: PreparedWrite, document: LockedDocument): VersionsToCheck | null {
  const { action, type, locale } = write;
  if (action === 'create' && document.rows.length === 0) return null;
  if (action === 'create' || action === 'update') return versionsBeforeContent(write, document);
  const statuses = [action === 'delete' ? primaryStatus(type) : ('draft' as const)];
  return { documentId: document.documentId, locale: locale ?? '*', statuses, requireAll: true };
}

/** Returns the written versions, all of which the caller's permission must cover; null if none remain. */
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
 * Asserts that the permission covers versions of a document in their current state in the transaction.
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

/** True if the caller may read one of the versions. */
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
 * True if the permission covers the versions of a document. False for a document that the caller can neither
 * write nor read, which is treated as missing.
 *
 * @throws `request/forbidden` for a document that the caller can read, but not write
 */
export async function isWritable(
  context: DocumentContext,
  permission: WritePermission,
  tx: Transaction,
  versions: VersionsToCheck,
): Promise<boolean> {
  if (await covers(context, permission, tx, versions)) return true;
  if (await isVisible(context, permission, tx, versions)) throw createError('request/forbidden');
  return false;
}

/**
 * Asserts that the permission covers the versions that a removal deletes. Unpublishing is checked before.
 *
 * @throws `request/drafts-only`
 */
export function assertMayRemove(
  { action, type, permission, removed }: PreparedWrite,
  { rows }: LockedDocument,
): void {
  if (action !== 'delete' || removed === null || !type.draftAndPublish) return;
  if (rows.some((row) => row.status === 'published' && isCovered(removed, row)))
    assertCoversPublished(type, permission.accessScope, 'the document is published');
}

type ItemOf<Action> = Extract<BulkItem, { readonly action: Action }>;

const prepareContent = async (
  context: DocumentContext,
  { action, params }: ItemOf<'create' | 'update'>,
): Promise<PreparedWrite> => {
  const { data, access, documentId, times, onSaved, ifMatch, selection } = params;
  const type = typeOf(context.model, params.type);
  const locale = resolveLocale(context, type, params.locale);
  const right = action === 'create' && type.kind !== 'singleType' ? 'create' : 'update';
  const permission = writePermissionOf(type, access, right);
  assertWritableFields(permission, data);
  assertCoversLocale(type, permission.accessScope, locale);
  const publish = isPublishing(type, params.status);
  if (publish && type.draftAndPublish)
    assertCoversPublished(
      type,
      permission.accessScope,
      'this request publishes. Send status=draft to save a draft',
    );
  return {
    action,
    type,
    documentId,
    locale,
    status: publish ? 'published' : 'draft',
    data,
    input: await context.validatorOf(type).prepare(data, access),
    permission,
    required: null,
    removed: null,
    times,
    onSaved,
    ifMatch,
    selection,
  };
};

/** Returns the write that deletes versions of a document. The versions must exist. */
export function prepareRemoval(
  {
    action,
    type,
    documentId,
    permission,
  }: Pick<PreparedWrite, 'action' | 'type' | 'documentId' | 'permission'>,
  versions: VersionPattern,
): PreparedWrite {
  return {
    action,
    type,
    documentId,
    locale: versions.locale,
    status: null,
    data: null,
    input: NO_INPUT,
    permission,
    required: versions,
    removed: versions,
  };
}

const prepareDelete = (
  context: DocumentContext,
  { action, params: { documentId, access, ifMatch, selection, ...params } }: ItemOf<'delete'>,
): PreparedWrite => {
  const type = typeOf(context.model, params.type);
  const locale =
    !type.localized || params.locale === '*' ? null : resolveLocale(context, type, params.locale);
  const permission = writePermissionOf(type, access, 'delete');
  const removal = prepareRemoval({ action, type, documentId, permission }, { locale, status: null });
  return { ...removal, ifMatch, selection };
};

const prepareDraftAction = (
  context: DocumentContext,
  {
    action,
    params: { documentId, access, ifMatch, selection, ...params },
  }: ItemOf<'publish' | 'unpublish' | 'discardDraft'>,
): PreparedWrite => {
  const type = requireDrafts(typeOf(context.model, params.type), draftVerb(action));
  const locale = resolveLocale(context, type, params.locale);
  const permission = writePermissionOf(type, access, 'update');
  assertCoversLocale(type, permission.accessScope, locale);
  if (action !== 'discardDraft')
    assertCoversPublished(type, permission.accessScope, `this request ${action}es`);
  return {
    action,
    type,
    documentId,
    locale,
    status: action === 'publish' ? 'published' : 'draft',
    data: null,
    input: NO_INPUT,
    permission,
    required: { locale, status: 'draft' },
    removed: action === 'unpublish' ? { locale, status: 'published' } : null,
    ifMatch,
    selection,
  };
};

/**
 * Checks the caller's permission for the action and its attributes, and the shape of the data. Hashes
 * passwords.
 *
 * @throws `request/unknown-locale`, `request/no-drafts`, `request/invalid-key`, `request/drafts-only`,
 *   `request/locale-forbidden`, and the errors of the validator's `prepare`
 */
export async function prepareWrite(context: DocumentContext, item: BulkItem): Promise<PreparedWrite> {
  switch (item.action) {
    case 'create':
    case 'update':
      return prepareContent(context, item);
    case 'delete':
      return prepareDelete(context, item);
    default:
      return prepareDraftAction(context, item);
  }
}
