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
import { keysOfRow } from '../../media/file-table.js';
import type { FileUsage, UsedFile } from '../../media/usages.js';
import type { ContentDocument, ContentStore, FindParams } from './content-store.js';

/** A file of the media library as the content API returns it. */
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

/** A file on this machine to store. */
export interface LocalFile {
  readonly path: string;
  /** Name of the stored file. */
  readonly name: string;
}

/**
 * The media library that commands read and write: of the project, or of a remote server. Names of files are
 * resolved by the content store.
 */
export interface MediaStore {
  readonly find: (params: FindParams) => Promise<readonly MediaFile[]>;
  readonly count: (params: FindParams) => Promise<number>;
  /** Runs the checks of `add` that are possible without storing the file. */
  readonly check: (file: LocalFile) => Promise<void>;
  /**
   * Stores a file. A remote server ignores `identity`.
   *
   * @throws the errors of uploads, such as `upload/too-large` and `upload/type-not-allowed`
   */
  readonly add: (file: LocalFile, info: FileInfo, identity?: FileIdentity) => Promise<MediaFile>;
  /** Updates the metadata of a file. Returns null if there is no such file. */
  readonly update: (id: number, info: FileInfo) => Promise<MediaFile | null>;
  /** Replaces the content of a file; links to it stay. Returns null if there is no such file. */
  readonly replace: (id: number, file: LocalFile, info: FileInfo) => Promise<MediaFile | null>;
  /** Deletes a file and all links to it. Returns false if there is none. */
  readonly remove: (id: number) => Promise<boolean>;
  /** Opens the content of a file. @throws `upload/missing-object` */
  readonly open: (file: MediaFile) => Promise<Readable>;
  /** True if a file had this name before it was replaced. Its former address leads to the new one. */
  readonly isFormer: (object: { readonly name: string; readonly address: string }) => Promise<boolean>;
  readonly maintenance: MediaMaintenance;
}

/** Converts a record of the media library to the types of its attributes. */
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

interface LibraryMediaStoreDependencies {
  readonly content: ContentStore;
  readonly media: MediaLibrary;
  /** The most bytes of a file. */
  readonly sizeLimit: number;
}

/** Creates the media store of the project. Files are checked and stored like uploads, with their hooks. */
export function createLibraryMediaStore({
  content,
  media,
  sizeLimit,
}: LibraryMediaStoreDependencies): MediaStore {
  const findFile = async (id: number): Promise<MediaFile | null> => {
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
      const added = id === undefined ? null : await findFile(id);
      if (added === null) throw new TypeError('A stored file was not found.');
      return added;
    },
    update: async (id, info) => ((await media.updateInfo(id, info)) ? findFile(id) : null),
    replace: async (id, file, info) =>
      (await withFile(file, (session) => session.replace(id, info))) ? findFile(id) : null,
    remove: media.remove,
    open: ({ id }) => media.open(id),
    isFormer: async ({ name }) => (await media.findFormer(name)) !== null,
    maintenance: media,
  };
}

/** Returns the identifiers of a file, for the search of its usages. */
function usedFile(file: MediaFile): UsedFile {
  return { documentId: file.documentId, keys: keysOfRow(file), url: file.url };
}

/** Returns the documents that refer to files. A document occurs once for each of its versions. */
export async function usagesOf(
  maintenance: MediaMaintenance,
  files: readonly MediaFile[],
): Promise<readonly FileUsage[]> {
  const usages: FileUsage[] = [];
  await maintenance.findUsages(files.map(usedFile), (usage) => usages.push(usage));
  return usages;
}

/** The number of files in one read. */
const BATCH = 500;

/** Reads all files in batches, in the order in which they were added. */
export async function* readAllFiles(media: MediaStore): AsyncIterable<readonly MediaFile[]> {
  for (let after = 0; ;) {
    const files = await media.find({ filters: { id: { $gt: after } }, sort: ['id'], limit: BATCH });
    if (files.length === 0) return;
    after = files.at(-1)?.id ?? after;
    yield files;
  }
}

/**
 * Returns the files added before a time to which no version of any document refers, neither by a link nor by
 * an address in a text. Later files may be linked soon.
 */
export async function findUnused(media: MediaStore, before: Date): Promise<readonly MediaFile[]> {
  const candidates = new Map<string, MediaFile>();
  for await (const files of readAllFiles(media))
    for (const file of files)
      if (new Date(String(file['createdAt'])) <= before) candidates.set(file.documentId, file);
  if (candidates.size === 0) return [];
  const files = [...candidates.values()].map(usedFile);
  await media.maintenance.findUsages(files, ({ file }) => candidates.delete(file), { isOnce: true });
  return [...candidates.values()];
}
