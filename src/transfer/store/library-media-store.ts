import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import type { FileIdentity, MediaLibrary, UploadSession } from '../../media/media.js';
import type { ContentStore } from './content-store.js';
import { parseFile } from './media-file.js';
import type { LocalFile, MediaFile, MediaStore } from './media-store.js';

export interface LibraryMediaStoreDependencies {
  readonly content: ContentStore;
  readonly media: MediaLibrary;
  /** The most bytes of a file. */
  readonly sizeLimit: number;
}

/** The media library of the project itself. Files are checked, stored and announced as those of uploads. */
export function createLibraryMediaStore({
  content,
  media,
  sizeLimit,
}: LibraryMediaStoreDependencies): MediaStore {
  const findById = async (id: number): Promise<MediaFile | null> => {
    const [document] = await content.find(FILE_UID, { filters: { id: { $eq: id } } });
    return document === undefined ? null : parseFile(document);
  };
  const withFile = async <T>(
    { path, name }: LocalFile,
    work: (session: UploadSession) => Promise<T>,
    identity?: FileIdentity,
  ): Promise<T> => {
    const found = await stat(path);
    if (!found.isFile()) throw createError('upload/no-file', { path });
    const session = await media.openUploadSession();
    try {
      await session.receive({
        name,
        type: undefined,
        content: createReadStream(path, { end: sizeLimit }),
        isTruncated: () => found.size > sizeLimit,
        ...(identity === undefined ? {} : { identity }),
      });
      return await work(session);
    } finally {
      await session.discard();
    }
  };
  return {
    find: async (params) => (await content.find(FILE_UID, params)).map(parseFile),
    count: (params) => content.count(FILE_UID, params),
    check: (file) => withFile(file, async () => undefined),
    add: async (file, info, identity) => {
      const [id] = await withFile(file, (session) => session.commit([info]), identity);
      const added = id === undefined ? null : await findById(id);
      if (added === null) throw new TypeError('A file that was stored is not there.');
      return added;
    },
    update: async (id, info) => ((await media.updateInfo(id, info)) ? findById(id) : null),
    replace: async (id, file, info) =>
      (await withFile(file, (session) => session.replace(id, info))) ? findById(id) : null,
    remove: media.remove,
    open: ({ id }) => media.open(id),
    maintenance: media,
  };
}
