import { typeOf } from '../../query/read-context.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, VersionParams } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import { writtenLocale } from '../locale.js';
import { lockDocument } from '../lock-document.js';
import { readWritten } from '../read-records.js';
import { requireDrafts } from '../require-drafts.js';
import { deleteVersions, hasVersion } from '../stored-versions.js';
import { transactWrite } from '../transact-write.js';

/** Takes one locale's published version away and keeps its draft, which is answered. Null: there is no such draft. */
export async function unpublish(context: DocumentContext, params: VersionParams): Promise<{ readonly record: RecordText } | null> {
  const { documentId } = params;
  const type = requireDrafts(typeOf(context.model, params.type));
  const locale = writtenLocale(context, type, params.locale);
  const event: DocumentEvent = { action: 'unpublish', type: type.uid, documentId, locale: type.localized ? locale : null, status: 'draft', data: null };
  const isDone = await transactWrite(context, async (tx) => {
    if (!(await lockDocument(context, tx, type, documentId))) return false;
    if (!(await hasVersion(context, tx, type, { documentId, locale, status: 'draft' }))) return false;
    await context.hooks.emitBefore(event, tx);
    await deleteVersions(context, tx, type, { documentId, locale, status: 'published' });
    return true;
  });
  if (!isDone) return null;
  await context.hooks.emitAfter(event);
  const record = await readWritten(context, type, { documentId, locale: params.locale, status: 'draft', selection: params.selection });
  return record === null ? null : { record };
}
