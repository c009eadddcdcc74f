import type { Transaction } from '../database/database.js';
import type { ContentType, VersionStatus } from '../model/model.js';

/** One stored version of a document. */
export interface VersionRow {
  readonly id: number;
  readonly documentId: string;
  readonly locale: string;
  readonly status: VersionStatus;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | null;
  /** Every field of the row by its name in the generated client. */
  readonly values: Readonly<Record<string, unknown>>;
}

const asDate = (value: unknown): Date => (value instanceof Date ? value : new Date(String(value)));

const readRow = (values: Readonly<Record<string, unknown>>): VersionRow => ({
  id: Number(values['id']),
  documentId: String(values['documentId']),
  locale: String(values['locale']),
  status: values['status'] === 'draft' ? 'draft' : 'published',
  createdAt: asDate(values['createdAt']),
  updatedAt: asDate(values['updatedAt']),
  publishedAt: values['publishedAt'] === null || values['publishedAt'] === undefined ? null : asDate(values['publishedAt']),
  values,
});

/** All versions of a document, oldest first. */
export async function loadVersions(tx: Transaction, type: ContentType, documentId: string): Promise<readonly VersionRow[]> {
  const rows = await tx.model(type.storage.version.model).findMany({ where: { documentId }, orderBy: { id: 'asc' } });
  return rows.map(readRow);
}
