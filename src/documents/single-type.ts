import type { CreateParams, DeleteParams, DocumentService, RecordText } from './documents.js';

/**
 * Updates the one document of a single type, or creates it if this is its first write or if it was deleted
 * meanwhile.
 */
export async function saveSingle(
  documents: Pick<DocumentService, 'singleDocumentId' | 'update' | 'create'>,
  params: CreateParams,
): Promise<{ readonly record: RecordText }> {
  const documentId = await documents.singleDocumentId(params.type);
  const updated = documentId === null ? null : await documents.update({ ...params, documentId });
  return updated ?? documents.create(params);
}

/**
 * Deletes the one document of a single type. Returns its id, or null if there was none, as far as the caller
 * may know.
 */
export async function deleteSingle(
  documents: Pick<DocumentService, 'singleDocumentId' | 'delete'>,
  params: Omit<DeleteParams, 'documentId'>,
): Promise<string | null> {
  const documentId = await documents.singleDocumentId(params.type);
  return documentId !== null && (await documents.delete({ ...params, documentId })) ? documentId : null;
}
