import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, VersionParams } from '../documents.js';
import { inputFromVersion } from '../input-from-version.js';
import { copyInverse } from '../links/apply/copy-inverse.js';
import { findRow, openWriteContext } from '../write-context.js';
import { writeDocument } from '../write-document.js';
import { runDraftAction } from './run-draft-action.js';
import type { LockedDraft } from './run-draft-action.js';

const restorePublished = async (
  context: DocumentContext,
  tx: Transaction,
  draft: LockedDraft,
): Promise<void> => {
  const published = findRow(draft, draft.locale, 'published');
  if (published === undefined)
    throw createError('request/invalid-parameter', {
      parameter: 'status',
      reason: 'the document is not published, so its draft cannot be reset to the published version.',
    });
  // The draft gets the published version's time, because it contains nothing newer.
  const writeContext = openWriteContext(context, {
    ...draft,
    tx,
    publish: false,
    now: published.updatedAt,
  });
  await writeDocument(writeContext, await inputFromVersion(context, tx, draft.type, published));
  await copyInverse(writeContext, context.relationsOf(draft.type), { from: 'published', to: 'draft' });
};

/** Resets one locale's draft to the published version. Returns null if there is no such draft. */
export async function discardDraft(
  context: DocumentContext,
  params: VersionParams,
): Promise<{ readonly record: RecordText } | null> {
  return runDraftAction(context, params, {
    action: 'discardDraft',
    status: 'draft',
    writtenStatuses: ['draft'],
    write: (tx, draft) => restorePublished(context, tx, draft),
  });
}
