import type { Transaction } from '../../database/database.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentType } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import type { DeleteParams } from '../documents.js';
import { unlinkLocale } from '../links/apply/unlink-locale.js';
import { deleteDocuments, deleteVersions } from '../stored-document.js';
import type { VersionRow } from '../rows/version-statements.js';
import { primaryStatus } from '../write-context.js';
import { resolveLocale } from '../write-params.js';
import { writePermissionOf } from '../write-permission.js';
import { lockExisting, runWrite } from './run-write.js';
import type { LockedDocument } from './run-write.js';

/** Deletes one locale, and the document with its last locale. Null: all locales. */
const deleteLocale = async (
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  { documentId, rows }: LockedDocument,
  locale: string | null,
): Promise<void> => {
  if (locale === null || rows.every((row) => row.locale === locale)) {
    await deleteDocuments(context, tx, type, [documentId]);
    return;
  }
  await deleteVersions(context, tx, type, { documentId, locale });
  await unlinkLocale(context, tx, type, documentId, locale);
  await context.schedules.remove(tx, { type: type.uid, documentIds: [documentId], locale });
};

/** Deletes one locale of a document, or all of it. Returns false if there was nothing to delete. */
export async function deleteDocument(context: DocumentContext, params: DeleteParams): Promise<boolean> {
  const { documentId } = params;
  const type = typeOf(context.model, params.type);
  const locale =
    !type.localized || params.locale === '*' ? null : resolveLocale(context, type, params.locale);
  const isInLocale = locale === null ? undefined : (row: VersionRow): boolean => row.locale === locale;
  const deletedId = await runWrite<null>(context, {
    action: 'delete',
    type,
    locale,
    status: null,
    data: null,
    permission: writePermissionOf(type, params.access, 'delete'),
    prepare: async () => null,
    lock: (tx) => lockExisting(context, tx, { type, documentId }, isInLocale),
    versionsBefore: () => ({
      documentId,
      locale: locale ?? '*',
      statuses: [primaryStatus(type)],
      requireAll: true,
    }),
    write: (tx, document) => deleteLocale(context, tx, type, document, locale),
    versionsAfter: () => null,
  });
  return deletedId !== null;
}
