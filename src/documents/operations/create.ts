import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import { createDocumentId } from '../../lib/document-id.js';
import type { ContentType } from '../../model/model.js';
import type { DocumentContext } from '../document-context.js';
import type { CreateParams, RecordText } from '../documents.js';
import { resolveLocale } from '../write-params.js';
import { runContentWrite } from './run-content-write.js';
import { lockExisting } from './run-write.js';
import type { LockedDocument } from './run-write.js';

/** Returns the id of a single type's document if an earlier write has created it. */
const findSingleDocument = async (
  { documentTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
): Promise<string | null> => {
  if (type.kind !== 'singleType') return null;
  await tx.lock(`single type ${type.uid}`);
  const { sql, parameters } = documentTableOf(type).first();
  const [documentRow] = await tx.query(sql, parameters);
  return documentRow === undefined ? null : String(documentRow['document_id']);
};

const insertDocument = async (
  { documentTableOf }: DocumentContext,
  tx: Transaction,
  type: ContentType,
  documentId: string,
): Promise<LockedDocument> => {
  const { sql, parameters } = documentTableOf(type).insert([documentId]);
  await tx.execute(sql, parameters);
  return { documentId, rows: [] };
};

const lockOrInsertDocument = async (
  context: DocumentContext,
  tx: Transaction,
  type: ContentType,
  { documentId: givenId, locale: localeName }: Pick<CreateParams, 'documentId' | 'locale'>,
): Promise<LockedDocument> => {
  const singleId = await findSingleDocument(context, tx, type);
  const documentId = singleId ?? givenId;
  const existing = documentId === undefined ? null : await lockExisting(context, tx, { type, documentId });
  if (existing === null) return insertDocument(context, tx, type, documentId ?? createDocumentId());
  if (givenId === undefined) return existing;
  const locale = resolveLocale(context, type, localeName);
  if (givenId !== documentId || existing.rows.some((row) => row.locale === locale))
    throw createError('request/document-exists', { type: type.uid, documentId: existing.documentId });
  return existing;
};

/** Creates a document. If the type is a single type whose document exists, updates that. */
export async function create(
  context: DocumentContext,
  params: CreateParams,
): Promise<{ readonly documentId: string; readonly record: RecordText }> {
  const created = await runContentWrite(context, params, {
    action: 'create',
    permissionAction: ({ kind }) => (kind === 'singleType' ? 'update' : 'create'),
    lock: (tx, type) => lockOrInsertDocument(context, tx, type, params),
  });
  if (created === null) throw createError('request/not-found');
  return created;
}
