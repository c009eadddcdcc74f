import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type {
  FileIdentity,
  FileInfo,
  MediaLibrary,
  MediaMaintenance,
  UploadSession,
} from '../../media/media.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentDocument, ContentStore, FindParams } from './content-store.js';

/** A file of the media library as the content API shows it. */
export interface MediaFile extends ContentDocument {
  readonly id: number;
  readonly name: string;
  readonly hash: string;
  readonly ext: string | null;
  readonly mime: string;
  /** In kilobytes. */
  readonly size: number;
  readonly url: string;
}

/** A file of this machine that is to be stored. */
export interface LocalFile {
  readonly path: string;
  /** Name of the stored file. */
  readonly name: string;
}

/**
 * The media library that commands work with: that of the project itself, or that of a remote server. Names
 * of files are resolved by the content store beside it.
 */
export interface MediaStore {
  readonly find: (params: FindParams) => Promise<readonly MediaFile[]>;
  readonly count: (params: FindParams) => Promise<number>;
  /** Checks what `add` would refuse, as far as that is known without storing the file. */
  readonly check: (file: LocalFile) => Promise<void>;
  /**
   * Stores a file. A remote server gives it an identity of its own.
   *
   * @throws the errors of uploads, such as `upload/too-large` and `upload/type-not-allowed`
   */
  readonly add: (file: LocalFile, info: FileInfo, identity?: FileIdentity) => Promise<MediaFile>;
  /** Changes what is said of a file. Null: there is none. */
  readonly update: (id: number, info: FileInfo) => Promise<MediaFile | null>;
  /** Replaces the content of a file; links to it stay. Null: there is none. */
  readonly replace: (id: number, file: LocalFile, info: FileInfo) => Promise<MediaFile | null>;
  /** Deletes a file and all links to it. Returns false if there is none. */
  readonly remove: (id: number) => Promise<boolean>;
  /** Opens the content of a file. @throws `upload/missing-object` */
  readonly open: (file: MediaFile) => Promise<Readable>;
  readonly maintenance: MediaMaintenance;
}

/** Returns a record of the media library with the types that its attributes have. */
export function parseFile(record: unknown): MediaFile {
  if (!isRecord(record) || typeof record['documentId'] !== 'string')
    throw new TypeError('A file has no documentId.');
  const { documentId, id, name, hash, ext, mime, size, url } = record;
  return {
    ...record,
    documentId: String(documentId),
    id: Number(id),
    name: String(name),
    hash: String(hash),
    ext: typeof ext === 'string' ? ext : null,
    mime: String(mime),
    size: Number(size),
    url: String(url),
  };
}

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
