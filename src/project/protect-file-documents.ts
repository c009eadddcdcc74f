import { FILE_UID } from '../model/content-types/builtin/registry.js';
import type { DeleteParams, DocumentService } from '../documents/documents.js';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { MediaLibrary } from '../media/media.js';
import { NO_LOCALE } from '../model/model.js';

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

/** A row may name a file of another server, whose content is not stored here. */
const assertExternalFile = (data: unknown): void => {
  if (!isRecord(data) || !isWebAddress(data['url'])) throw createError('upload/create-not-supported');
};

/**
 * Returns the document service for hooks inside a transaction. It has the rules of {@link
 * protectFileDocuments} and also rejects deletions of files.
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
 * Returns a document service that keeps the rows of files consistent with their stored content. Deletions of
 * files are passed to the media library. Content can be neither created nor changed; rows can name files of
 * other servers.
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
