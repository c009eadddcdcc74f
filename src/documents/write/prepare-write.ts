import { typeOf } from '../../model/lookup.js';
import type { DocumentContext } from '../document-context.js';
import type { BulkItem } from '../documents.js';
import { draftVerb, isPublishing, requireDrafts, resolveLocale } from '../write-params.js';
import { NO_INPUT } from './document-write.js';
import type { PreparedWrite, VersionPattern } from './document-write.js';
import { assertWritableFields, writePermissionOf } from './write-permission.js';

type ItemOf<Action> = Extract<BulkItem, { readonly action: Action }>;

const prepareContent = async (
  context: DocumentContext,
  { action, params }: ItemOf<'create' | 'update'>,
): Promise<PreparedWrite> => {
  const { data, access, documentId, times, onSaved } = params;
  const type = typeOf(context.model, params.type);
  const locale = resolveLocale(context, type, params.locale);
  const right = action === 'create' && type.kind !== 'singleType' ? 'create' : 'update';
  const permission = writePermissionOf(type, access, right);
  assertWritableFields(permission, data);
  return {
    action,
    type,
    documentId,
    locale,
    status: isPublishing(type, params.status) ? 'published' : 'draft',
    data,
    input: await context.validatorOf(type).prepare(data, access),
    permission,
    required: null,
    removed: null,
    times,
    onSaved,
  };
};

/** Returns the write that deletes versions of a document, which must exist. */
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
  { action, params: { documentId, access, ...params } }: ItemOf<'delete'>,
): PreparedWrite => {
  const type = typeOf(context.model, params.type);
  const locale =
    !type.localized || params.locale === '*' ? null : resolveLocale(context, type, params.locale);
  const permission = writePermissionOf(type, access, 'delete');
  return prepareRemoval({ action, type, documentId, permission }, { locale, status: null });
};

const prepareDraftAction = (
  context: DocumentContext,
  { action, params: { documentId, access, ...params } }: ItemOf<'publish' | 'unpublish' | 'discardDraft'>,
): PreparedWrite => {
  const type = requireDrafts(typeOf(context.model, params.type), draftVerb(action));
  const locale = resolveLocale(context, type, params.locale);
  return {
    action,
    type,
    documentId,
    locale,
    status: action === 'publish' ? 'published' : 'draft',
    data: null,
    input: NO_INPUT,
    permission: writePermissionOf(type, access, 'update'),
    required: { locale, status: 'draft' },
    removed: action === 'unpublish' ? { locale, status: 'published' } : null,
  };
};

/**
 * Checks the caller's right to the action and its attributes, and the shape of the data. Hashes passwords.
 *
 * @throws `request/unknown-locale`, `request/no-drafts`, `request/invalid-key` and what `prepare` of the
 *   validator throws
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
