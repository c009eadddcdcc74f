import { FILE_UID } from '../model/content-types/builtin/registry.js';
import type { DocumentServiceWithHooks } from '../documents/create-document-service.js';
import type { RecordText } from '../documents/documents.js';
import type { DocumentEvent, DocumentHooks } from '../documents/hooks.js';
import type { FileHooks, FileValues, FileWrite } from '../media/file-hooks.js';
import type { ContentModel } from '../model/model.js';
import { NO_LOCALE } from '../model/model.js';
import { defaultSelection } from '../query/parse/default-selection.js';
import { defined } from '../lib/defined.js';

export interface FileHookDependencies {
  readonly hooks: DocumentHooks;
  readonly documents: Pick<DocumentServiceWithHooks, 'findOne' | 'openHookTransaction'>;
  readonly model: ContentModel;
}

const eventOf = ({ action, documentId, data }: FileWrite): DocumentEvent => ({
  action,
  type: FILE_UID,
  documentId,
  locale: null,
  status: action === 'delete' ? null : 'published',
  data,
});

const valuesOf = (data: unknown): FileValues | null =>
  typeof data === 'object' && data !== null ? (data as FileValues) : null;

/**
 * Calls a project's document hooks for writes of files. These writes are done by the media library, not by
 * the document service.
 */
export function createFileHooks({ hooks, documents, model }: FileHookDependencies): FileHooks {
  const selection = defaultSelection(model, FILE_UID);
  const query = {
    type: FILE_UID,
    filter: null,
    sort: [],
    selection,
    page: null,
    locale: NO_LOCALE,
    status: 'published',
    hasPublishedVersion: null,
  } as const;
  const recordOf = async (
    documentId: string | null,
  ): Promise<{ readonly documentId: string; readonly record: RecordText } | null> => {
    const record = documentId === null ? null : await documents.findOne(query, documentId);
    return documentId === null || record === null ? null : { documentId, record };
  };
  return {
    around: async ({ action, documentId, data }, work) => {
      const type = FILE_UID;
      if (!hooks.hasMiddleware(type)) await work(data);
      else if (action === 'create')
        await hooks.run(action, type, { type, data, selection }, async (params) =>
          recordOf(await work(valuesOf(params.data))),
        );
      else if (action === 'update')
        await hooks.run(
          action,
          type,
          { type, documentId: defined(documentId, "The file's document id"), data, selection },
          async (params) => recordOf(await work(valuesOf(params.data))),
        );
      else
        await hooks.run(
          action,
          type,
          { type, documentId: defined(documentId, "The file's document id") },
          async () => (await work(null)) !== null,
        );
    },
    before: (write, tx) => hooks.emitBefore([eventOf(write)], documents.openHookTransaction(tx)),
    after: (write) => hooks.emitAfter([eventOf(write)]),
  };
}
