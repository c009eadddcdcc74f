import { FILE_UID } from '../content-types/builtin/registry.js';
import type { DocumentService, RecordText } from '../documents/documents.js';
import type { DocumentEvent, DocumentHooks } from '../documents/hooks.js';
import type { FileHooks, FileValues, FileWrite } from '../media/file-hooks.js';
import type { ContentModel } from '../model/model.js';
import { NO_LOCALE } from '../model/model.js';
import { defaultSelection } from '../query/default-selection.js';

export interface FileHookParts {
  readonly hooks: DocumentHooks;
  readonly documents: Pick<DocumentService, 'findOne'>;
  readonly model: ContentModel;
}

const eventOf = ({ action, documentId, data }: FileWrite): DocumentEvent =>
  ({ action, type: FILE_UID, documentId, locale: null, status: action === 'delete' ? null : 'published', data });

const valuesOf = (data: unknown): FileValues | null => (typeof data === 'object' && data !== null ? (data as FileValues) : null);

/** Lets a project's document hooks take part in the writes of files, which are done by the media library and not by the document service. */
export function createFileHooks({ hooks, documents, model }: FileHookParts): FileHooks {
  const selection = defaultSelection(model, FILE_UID);
  const query = { type: FILE_UID, filter: null, sort: [], selection, page: null, locale: NO_LOCALE, status: 'published', hasPublishedVersion: null } as const;
  const recordOf = async (documentId: string | null): Promise<{ readonly documentId: string; readonly record: RecordText } | null> => {
    const record = documentId === null ? null : await documents.findOne(query, documentId);
    return documentId === null || record === null ? null : { documentId, record };
  };
  return {
    around: async ({ action, documentId, data }, work) => {
      const type = FILE_UID;
      if (!hooks.hasMiddleware(type)) await work(data);
      else if (action === 'create') await hooks.run(action, type, { type, data, selection }, async (params) => recordOf(await work(valuesOf(params.data))));
      else if (action === 'update') await hooks.run(action, type, { type, documentId: documentId ?? '', data, selection }, async (params) => recordOf(await work(valuesOf(params.data))));
      else await hooks.run(action, type, { type, documentId: documentId ?? '' }, async () => (await work(null)) !== null);
    },
    before: (write, tx) => hooks.emitBefore(eventOf(write), tx),
    after: (write) => hooks.emitAfter(eventOf(write)),
  };
}
