import type { Transaction } from '../database/database.js';
import type { ContentType } from '../model/model.js';
import type { DocumentContext } from './document-context.js';
import type { FieldValues } from './rows/table-statements.js';
import type { VersionRow } from './version-row.js';

const toVersionRow = (values: FieldValues): VersionRow => ({
  id: Number(values['id']),
  documentId: String(values['documentId']),
  locale: String(values['locale']),
  status: values['status'] === 'draft' ? 'draft' : 'published',
  createdAt: values['createdAt'] as Date,
  updatedAt: values['updatedAt'] as Date,
  publishedAt: values['publishedAt'] as Date | null,
  values,
});

/** All versions of a document, oldest first. */
export async function loadVersions({ versionsOf }: DocumentContext, tx: Transaction, type: ContentType, documentId: string): Promise<readonly VersionRow[]> {
  const versions = versionsOf(type);
  const { sql, parameters } = versions.load(documentId);
  return (await tx.query(sql, parameters)).map((row) => toVersionRow(versions.read(row)));
}
