import type { DocumentContext } from '../document-context.js';
import type { RecordText, VersionParams } from '../documents.js';
import { deleteVersions } from '../stored-document.js';
import { runDraftAction } from './run-draft-action.js';

/**
 * Deletes one locale's published version and returns its draft, which stays. Returns null if there is no
 * draft.
 */
export async function unpublish(
  context: DocumentContext,
  params: VersionParams,
): Promise<{ readonly record: RecordText } | null> {
  return runDraftAction(context, params, {
    action: 'unpublish',
    status: 'draft',
    writtenStatuses: [],
    write: (tx, { type, documentId, locale }) =>
      deleteVersions(context, tx, type, { documentId, locale, status: 'published' }),
  });
}
