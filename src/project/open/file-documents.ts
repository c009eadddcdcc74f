import type { DocumentServiceWithHooks } from '../../documents/create-document-service.js';
import type { DeleteParams, DocumentService, RecordText } from '../../documents/documents.js';
import type { DocumentEvent, DocumentHooks } from '../../documents/hooks.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import type { FileHooks, FileValues, FileWrite, MediaLibrary } from '../../media/media.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel } from '../../model/model.js';
import { defaultSelection } from '../../query/parse/server-queries.js';

/** Attributes that the media library sets when it stores content. */
const STORED_ATTRIBUTES = [
  'hash',
  'ext',
  'mime',
  'size',
  'width',
  'height',
  'formats',
  'url',
  'previewUrl',
  'provider',
  'provider_metadata',
] as const;

const isWebAddress = (url: unknown): boolean => typeof url === 'string' && /^https?:\/\//.test(url);

const assertNoStoredAttributes = (data: unknown): void => {
  const attribute = isRecord(data) ? STORED_ATTRIBUTES.find((name) => Object.hasOwn(data, name)) : undefined;
  if (attribute !== undefined) throw createError('upload/read-only-attribute', { attribute });
};

/** Asserts that a new row refers to a file of another server, whose content is not stored here. */
const assertExternalFile = (data: unknown): void => {
  if (!isRecord(data) || !isWebAddress(data['url'])) throw createError('upload/create-not-supported');
};

/**
 * Returns the document service for hooks inside a transaction. It applies the rules of
 * {@link protectFileDocuments} and also rejects deletions of files.
 *
 * @throws `upload/create-not-supported`, `upload/read-only-attribute`, `upload/delete-in-hook`
 */
export function protectNestedFileDocuments(documents: DocumentService): DocumentService {
  return protectFileDocuments(documents, {
    remove: async () => {
      throw createError('upload/delete-in-hook');
    },
  });
}

/**
 * Returns a document service that keeps the rows of files consistent with their stored content. It passes
 * deletions of files to the media library, and rejects the creation and change of stored content. Rows may
 * refer to files of other servers.
 *
 * @throws `upload/create-not-supported`, `upload/read-only-attribute`
 */
export function protectFileDocuments(
  documents: DocumentService,
  media: Pick<MediaLibrary, 'remove'>,
): DocumentService {
  const remove = async ({ documentId, access }: DeleteParams): Promise<boolean> => {
    const filter = access?.scopeOf?.(FILE_UID, 'delete')?.filter ?? null;
    const selection = { fields: [], populate: [] };
    const record = await documents.findOne(
      {
        type: FILE_UID,
        filter,
        sort: [],
        selection,
        page: null,
        locale: NO_LOCALE,
        status: 'published',
        hasPublishedVersion: null,
      },
      documentId,
    );
    return record !== null && media.remove((JSON.parse(record) as { readonly id: number }).id);
  };
  return Object.freeze<DocumentService>({
    ...documents,
    create: async (params) => {
      if (params.type === FILE_UID) assertExternalFile(params.data);
      return documents.create(params);
    },
    update: async (params) => {
      if (params.type === FILE_UID) assertNoStoredAttributes(params.data);
      return documents.update(params);
    },
    delete: (params) => (params.type === FILE_UID ? remove(params) : documents.delete(params)),
  });
}

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

const fileValuesOf = (data: unknown): FileValues | null =>
  typeof data === 'object' && data !== null ? (data as FileValues) : null;

/**
 * Calls a project's document hooks for writes of files. The media library, not the document service, performs
 * these writes.
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
          recordOf(await work(fileValuesOf(params.data))),
        );
      else if (action === 'update')
        await hooks.run(
          action,
          type,
          { type, documentId: defined(documentId, "The file's document id"), data, selection },
          async (params) => recordOf(await work(fileValuesOf(params.data))),
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
