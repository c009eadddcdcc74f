import type { Transaction } from '../../database/database.js';
import type { ContentType } from '../../model/model.js';
import { typeOf } from '../../query/read-context.js';
import type { DocumentContext } from '../document-context.js';
import type { DeleteParams } from '../documents.js';
import type { DocumentEvent } from '../hooks.js';
import { forgetLocale } from '../links/forget-locale.js';
import { writtenLocale } from '../locale.js';
import { lockDocument } from '../lock-document.js';
import { assertPermitted, permitOf } from '../permitted.js';
import { deleteVersions, hasVersion } from '../stored-versions.js';
import { transactWrite } from '../transact-write.js';
import { primaryStatus } from '../write-scope.js';

const deleteWhole = async ({ anchorOf }: DocumentContext, tx: Transaction, type: ContentType, documentId: string): Promise<void> => {
  const { sql, parameters } = anchorOf(type).delete(documentId);
  await tx.execute(sql, parameters);
};

const deleteLocale = async (context: DocumentContext, tx: Transaction, type: ContentType, documentId: string, locale: string): Promise<void> => {
  await deleteVersions(context, tx, type, { documentId, locale });
  if (await hasVersion(context, tx, type, { documentId })) await forgetLocale(context, tx, type, documentId, locale);
  else await deleteWhole(context, tx, type, documentId);
};

/** Deletes one locale of a document, or all of it. False: there was nothing to delete. */
export async function deleteDocument(context: DocumentContext, params: DeleteParams): Promise<boolean> {
  const { documentId } = params;
  const type = typeOf(context.model, params.type);
  const locale = !type.localized || params.locale === '*' ? null : writtenLocale(context, type, params.locale);
  const permit = permitOf(type, params.access, 'delete');
  const event: DocumentEvent = { action: 'delete', type: type.uid, documentId, locale, status: null, data: null };
  const isDeleted = await transactWrite(context, async (tx) => {
    if (!(await lockDocument(context, tx, type, documentId))) return false;
    if (locale !== null && !(await hasVersion(context, tx, type, { documentId, locale }))) return false;
    await assertPermitted(context, permit, tx, { documentId, locale: locale ?? '*', statuses: [primaryStatus(type)], every: true });
    await context.hooks.emitBefore(event, tx);
    if (locale === null) await deleteWhole(context, tx, type, documentId);
    else await deleteLocale(context, tx, type, documentId, locale);
    return true;
  });
  if (isDeleted) await context.hooks.emitAfter(event);
  return isDeleted;
}
