import type { Transaction } from '../../database/database.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, VersionParams } from '../documents.js';
import type { VersionRow } from '../rows/version-statements.js';
import { draftVerb, requireDrafts, resolveLocale } from '../write-params.js';
import { writePermissionOf } from '../write-permission.js';
import { lockExisting, runWriteAndRead } from './run-write.js';
import type { LockedDocument } from './run-write.js';

/** One locale of a locked document that has a draft in that locale. */
export interface LockedDraft extends LockedDocument {
  readonly type: ContentType;
  readonly locale: string;
}

/** How `publish`, `unpublish` and `discardDraft` differ. */
interface DraftAction {
  readonly action: 'publish' | 'unpublish' | 'discardDraft';
  /** The status that events contain, and the status of the version that is returned. */
  readonly status: VersionStatus;
  readonly writtenStatuses: readonly VersionStatus[];
  readonly write: (tx: Transaction, draft: LockedDraft) => Promise<void>;
}

/**
 * Runs a write that takes no data and needs a draft in the locale. It needs the right to update the document.
 * Returns null if there is no such draft.
 */
export async function runDraftAction(
  context: DocumentContext,
  params: VersionParams,
  { action, status, writtenStatuses, write }: DraftAction,
): Promise<{ readonly record: RecordText } | null> {
  const { documentId, access } = params;
  const type = requireDrafts(typeOf(context.model, params.type), draftVerb(action));
  const locale = resolveLocale(context, type, params.locale);
  const isRequired = (row: VersionRow): boolean => row.locale === locale && row.status === 'draft';
  return runWriteAndRead<null>(
    context,
    {
      action,
      type,
      locale,
      status,
      data: null,
      permission: writePermissionOf(type, access, 'update'),
      prepare: async () => null,
      lock: (tx) => lockExisting(context, tx, { type, documentId }, isRequired),
      versionsBefore: () => ({ documentId, locale, statuses: ['draft'], requireAll: true }),
      write: (tx, document) => write(tx, { ...document, type, locale }),
      versionsAfter: () => ({ documentId, locale, statuses: writtenStatuses, requireAll: true }),
    },
    { ...params, status },
  );
}
