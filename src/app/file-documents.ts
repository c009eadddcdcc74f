import { FILE_UID } from '../content-types/builtin/registry.js';
import type { DeleteParams, DocumentService } from '../documents/documents.js';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { MediaLibrary } from '../media/media.js';
import { NO_LOCALE } from '../model/model.js';

/** What only storing content settles. */
const STORED_ATTRIBUTES = ['hash', 'ext', 'mime', 'size', 'width', 'height', 'formats', 'url', 'previewUrl', 'provider', 'provider_metadata'] as const;

const assertSaidOnly = (data: unknown): void => {
  const attribute = isRecord(data) ? STORED_ATTRIBUTES.find((name) => Object.hasOwn(data, name)) : undefined;
  if (attribute !== undefined) throw fail('upload/says-what-is-stored', { attribute });
};

/**
 * The document service in which rows of files and what is stored for them stay together: files are removed by the media library, whoever asks, and
 * neither made nor given other content.
 *
 * @throws `upload/content-needed`, `upload/says-what-is-stored`
 */
export function withFilesKept(documents: DocumentService, media: Pick<MediaLibrary, 'remove'>): DocumentService {
  const remove = async ({ documentId, access }: DeleteParams): Promise<boolean> => {
    const filter = access?.limitsOf?.(FILE_UID, 'delete')?.filter ?? null;
    const selection = { fields: [], populate: [] };
    const record = await documents.findOne({ type: FILE_UID, filter, sort: [], selection, page: null, locale: NO_LOCALE, status: 'published', hasPublishedVersion: null }, documentId);
    return record !== null && media.remove((JSON.parse(record) as { readonly id: number }).id);
  };
  return Object.freeze<DocumentService>({
    ...documents,
    create: async (params) => {
      if (params.type === FILE_UID) throw fail('upload/content-needed');
      return documents.create(params);
    },
    update: async (params) => {
      if (params.type === FILE_UID) assertSaidOnly(params.data);
      return documents.update(params);
    },
    delete: (params) => (params.type === FILE_UID ? remove(params) : documents.delete(params)),
  });
}
