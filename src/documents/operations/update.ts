import type { DocumentContext } from '../document-context.js';
import type { RecordText, UpdateParams } from '../documents.js';
import { runContentWrite } from './run-content-write.js';
import { lockExisting } from './run-write.js';

/**
 * Updates those attributes of one locale's version that were sent. Creates the version if the document has
 * none in that locale. Returns null if there is no such document.
 */
export async function update(
  context: DocumentContext,
  params: UpdateParams,
): Promise<{ readonly record: RecordText } | null> {
  const { documentId } = params;
  return runContentWrite(context, params, {
    action: 'update',
    permissionAction: () => 'update',
    lock: (tx, type) => lockExisting(context, tx, { type, documentId }),
  });
}
