import { typeOf } from '../../query/read-context.js';
import { requireDrafts } from '../require-drafts.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, VersionParams } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import { writtenLocale } from '../locale.js';
import { lockDocument } from '../lock-document.js';
import { readWritten } from '../read-records.js';
import { transactWrite } from '../transact-write.js';
import { loadVersions } from '../load-versions.js';
import { writeLocale } from '../write-locale.js';

/** Publishes one locale's draft as it is. Null: there is no such draft. */
export async function publish(context: DocumentContext, params: VersionParams): Promise<{ readonly record: RecordText } | null> {
  const { documentId } = params;
  const type = requireDrafts(typeOf(context.model, params.type));
  const locale = writtenLocale(context, type, params.locale);
  const event: DocumentEvent = { action: 'publish', type: type.uid, documentId, locale: type.localized ? locale : null, status: 'published', data: null };
  const isPublished = await transactWrite(context, async (tx) => {
    if (!(await lockDocument(context, tx, type, documentId))) return false;
    const rows = await loadVersions(context, tx, type, documentId);
    if (!rows.some((row) => row.locale === locale && row.status === 'draft')) return false;
    await context.hooks.emitBefore(event, tx);
    await writeLocale(context, { tx, type, documentId, locale, publish: true, input: { data: {}, sealed: new Map() }, rows });
    return true;
  });
  if (!isPublished) return null;
  await context.hooks.emitAfter(event);
  const record = await readWritten(context, type, { documentId, locale: params.locale, status: 'published', selection: params.selection });
  return record === null ? null : { record };
}
