import { typeOf } from '../../query/read-context.js';
import type { DocumentContext } from '../document-context.js';
import type { RecordText, UpdateParams } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import { writtenLocale } from '../locale.js';
import { lockDocument } from '../lock-document.js';
import { assertFields, assertPermitted, permitOf, versionsToChange } from '../permitted.js';
import { readWritten } from '../read-records.js';
import { transactWrite } from '../transact-write.js';
import { loadVersions } from '../load-versions.js';
import { isPublishing, writeLocale } from '../write-locale.js';
import { writtenStatuses } from '../write-scope.js';

/** Changes what was sent of one locale's version, making it where the document has none yet. Null: there is no such document. */
export async function update(context: DocumentContext, params: UpdateParams): Promise<{ readonly record: RecordText } | null> {
  const { documentId } = params;
  const type = typeOf(context.model, params.type);
  const locale = writtenLocale(context, type, params.locale);
  const permit = permitOf(type, params.access, 'update');
  assertFields(permit, params.data);
  const input = await context.inputOf(type).prepare(params.data, params.access);
  const publish = isPublishing(type, params.status);
  const event: DocumentEvent = { action: 'update', type: type.uid, documentId, locale: type.localized ? locale : null, status: publish ? 'published' : 'draft', data: params.data };
  const isWritten = await transactWrite(context, async (tx) => {
    if (!(await lockDocument(context, tx, type, documentId))) return false;
    const rows = await loadVersions(context, tx, type, documentId);
    await assertPermitted(context, permit, tx, versionsToChange(type, { documentId, rows }, locale));
    await context.hooks.emitBefore(event, tx);
    await writeLocale(context, { tx, type, documentId, locale, publish, input, rows, access: params.access });
    await assertPermitted(context, permit, tx, { documentId, locale, statuses: writtenStatuses({ type, publish }), every: true });
    return true;
  });
  if (!isWritten) return null;
  await context.hooks.emitAfter(event);
  const record = await readWritten(context, type, { documentId, locale: params.locale, status: params.status ?? 'published', selection: params.selection, access: params.access });
  return record === null ? null : { record };
}
