import type { Readable } from 'node:stream';
import type { Transaction } from '../database/database.js';
import type { FileUsage, UsedFile } from './usages.js';

/** The present place of a file's content, found by a former address. */
export interface FormerAddress {
  /** The name of the object in the local store. Null: it is in another store. */
  readonly key: string | null;
  readonly url: string;
}

/** The attributes of a file that users edit. Missing keys leave the stored values unchanged. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** The point of an image that must stay in view: percentages from its left and top. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
}

/** The identity of a file in several databases. */
export interface FileIdentity {
  readonly documentId: string;
  /** The name under which it is stored, if it has one. */
  readonly hash: string | null;
}

/** A file being uploaded. Name and type come from the client and are not trusted. */
export interface IncomingFile {
  readonly name: string | undefined;
  /** The content type the sender claims. */
  readonly type: string | undefined;
  /** Identity of the file in another database, which keeps its URLs in texts valid. Absent: it is new. */
  readonly identity?: FileIdentity;
  /** Ends at the end of the file, or at the size limit. */
  readonly content: Readable;
  /** True if the content was cut off at the size limit; valid once it has ended. */
  readonly isTruncated: () => boolean;
}

/** One object to be stored: its name in the store and its temporary path. */
export interface StagedObject {
  /** `sunset_1f0c9a7be2d34c55.jpg` */
  readonly key: string;
  /** Name of the file: `sunset.jpg`, `small_sunset.jpg`. */
  readonly name: string;
  readonly path: string;
  readonly mime: string;
}

/** Location of a stored object, reported by a store that chooses URLs itself. */
export interface StoredPlace {
  readonly url: string;
  readonly previewUrl: string | null;
  /** Data that the store requires to remove the object. */
  readonly metadata: unknown;
}

/** By the keys of objects. */
export type StoredPlaces = Readonly<Record<string, StoredPlace>>;

/** A smaller copy of an image, as the file's record describes it. `size` is in kilobytes. */
export interface ImageFormat {
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly path: null;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly sizeInBytes: number;
  readonly url: string;
}

/** A received file with its copies, examined and ready to be stored. */
export interface StagedFile {
  /** The documentId to use. Null: a new one. */
  readonly documentId: string | null;
  readonly name: string;
  readonly hash: string;
  /** `.jpg` */
  readonly ext: string;
  readonly mime: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly formats: Readonly<Record<string, ImageFormat>> | null;
  readonly url: string;
  readonly objects: readonly StagedObject[];
}

/** The files of one request. They are received one by one, then all or none of them are stored. */
export interface UploadSession {
  /**
   * Writes the content to disk while it arrives, and examines it.
   *
   * @throws `upload/empty-file`, `upload/too-large`, `upload/type-mismatch`, `upload/type-not-allowed`,
   *   `upload/invalid-image`, `upload/too-many-pixels`, `upload/too-many-pixels-in-request`
   */
  readonly receive: (file: IncomingFile) => Promise<void>;
  /** Returns the number of files received. */
  readonly count: () => number;
  /**
   * Generates the smaller copies of images and stores all files. Returns their ids in the order of receipt,
   * which `infos` has too.
   *
   * @throws `upload/invalid-image`, `upload/busy`, `upload/timed-out`
   */
  readonly commit: (infos: readonly FileInfo[]) => Promise<readonly number[]>;
  /**
   * Replaces the content of file `id` by the one file received. Returns false if there is no such file.
   *
   * @throws `upload/replacement-type-not-allowed`
   */
  readonly replace: (id: number, info: FileInfo) => Promise<boolean>;
  /** Deletes files that were not stored. Must always be called at the end. */
  readonly discard: () => Promise<void>;
}

/** An object that is stored under a given key, without being examined. */
export interface ImportedObject {
  readonly key: string;
  readonly mime: string;
  readonly open: () => Readable;
}

/** An object that a store holds. */
export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** Outcome of regenerating the smaller copies of a file. `other-provider`: another provider has the file. */
export type Regeneration = 'regenerated' | 'no-image' | 'other-provider';

/**
 * The media library: files, each created and deleted with the row that describes it. Permissions are
 * checked by the caller.
 */
export interface MediaLibrary {
  readonly openUploadSession: () => Promise<UploadSession>;
  /** Returns false if there is no such file. */
  readonly updateInfo: (id: number, info: FileInfo) => Promise<boolean>;
  /**
   * Deletes the row and all links to it, and the stored files unless the trash keeps them. Returns false if
   * there is no such file.
   */
  readonly remove: (id: number) => Promise<boolean>;
  /** Deletes the stored files of rows that the trash has kept, once the transaction is committed. */
  readonly discard: (tx: Transaction, rows: readonly FileValues[]) => Promise<void>;
  /** Serves the stored files of a restored row again, after its commit. */
  readonly serveRestored: (documentId: string) => Promise<void>;
  /** Finds the current address of a file by the former name of one of its objects. Null: no file had it. */
  readonly findFormer: (name: string) => Promise<FormerAddress | null>;
  /** Opens the content of a file. @throws `upload/missing-object` */
  readonly open: (id: number) => Promise<Readable>;
  /**
   * Returns a transformed copy of an image of the local store, and generates it if necessary. Null: send the
   * stored file, if there is one.
   *
   * @throws `upload/not-transformable`, `upload/invalid-image`, `upload/busy`,
   *   `upload/transforms-unavailable`
   */
  readonly transform: (path: string, transform: Transform) => Promise<TransformedImage | null>;
  /** Returns the store of new files: its name in rows, and the URLs of its objects. */
  readonly storage: () => Pick<StorageProvider, 'name' | 'urlOf'>;
  /** Stores new files in another store. Existing files stay in theirs. */
  readonly replaceStorage: (storage: StorageProvider) => void;
  /** Stores objects and runs `work`, which writes the rows that name them. Either both happen or neither. */
  readonly storeObjects: <T>(
    objects: readonly ImportedObject[],
    work: (tx: Transaction) => Promise<T>,
  ) => Promise<T>;
  /**
   * Regenerates the smaller copies of an image under new names. Returns null if there is no such file.
   *
   * @throws `upload/invalid-image`, `upload/missing-object`
   */
  readonly regenerate: (id: number) => Promise<Regeneration | null>;
  /** Reports the documents that refer to files, by links or by addresses in texts. */
  readonly findUsages: (files: readonly UsedFile[], onUsage: (usage: FileUsage) => void) => Promise<void>;
  /** Returns the objects of the current store that no file uses. Null: the store cannot list its objects. */
  readonly findStrays: () => Promise<readonly StoredObject[] | null>;
  /** Removes objects of the current store. */
  readonly removeStrays: (names: readonly string[]) => Promise<void>;
  /**
   * Removes the remains of interrupted uploads, completes interrupted deletions and restorations, and deletes
   * expired files of the trash. Also runs periodically.
   */
  readonly sweep: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Maintenance that scans all documents or the store. */
export interface MediaMaintenance extends Pick<MediaLibrary, 'regenerate' | 'findStrays' | 'removeStrays'> {
  /** Reports the documents that refer to files. With `isOnce`, one document for each file is enough. */
  readonly findUsages: (
    files: readonly UsedFile[],
    onUsage: (usage: FileUsage) => void,
    options?: { readonly isOnce: boolean },
  ) => Promise<void>;
}

/** The objects of deleted files in a store, which nobody can read at their URLs. */
export interface HiddenObjects {
  /** Returns all hidden objects. */
  readonly list: () => Promise<readonly { readonly name: string; readonly path: string }[]>;
  /** True if clients can read the object. */
  readonly isServed: (key: string) => Promise<boolean>;
  /** Hides an object. Does nothing if it is not served. */
  readonly hide: (key: string) => Promise<void>;
  /** Hides a file of this machine as an object, and removes the object that is served. */
  readonly put: (object: Pick<StagedObject, 'key' | 'path'>) => Promise<void>;
  /** Serves a hidden object again. Does nothing if it is not hidden. */
  readonly show: (key: string) => Promise<void>;
  readonly remove: (key: string) => Promise<void>;
}

/** A permanent store for files. To add one, register it in providers.ts. */
export interface StorageProvider {
  /** The name of the store in the rows of files: `local`. */
  readonly name: string;
  /** A folder for files that are still being received. */
  readonly stagingFolder: string;
  /**
   * Stores a staged file completely or not at all. May move the staged file. Returns null if `urlOf` returns
   * its address.
   */
  readonly put: (object: StagedObject) => Promise<StoredPlace | null>;
  /** Opens a stored file. Absent: it is read from its URL. */
  readonly open?: (key: string) => Promise<Readable>;
  /** Hides objects of deleted files. Absent: they stay at their URLs until they are removed. */
  readonly hidden?: HiddenObjects;
  /**
   * Returns all stored objects, also hidden ones. Absent: the store is too large, or is shared with other
   * applications.
   */
  readonly list?: () => Promise<readonly StoredObject[]>;
  /** Removes a stored file, also a hidden one. Does nothing if there is none. */
  readonly remove: (key: string, place?: StoredPlace) => Promise<void>;
  /**
   * Returns the URL at which clients read the file: a path on this server, or an absolute URL. Empty if `put`
   * returns the URL.
   */
  readonly urlOf: (key: string) => string;
}

/** The image types that a client may request. */
export type TransformFormat = 'webp' | 'avif' | 'jpeg' | 'png';

/**
 * Fit of an image for which both sides are given: `cover` crops it around its focal point, `inside` keeps all
 * of it within them.
 */
type TransformFit = 'cover' | 'inside';

/** Transformation that a client requests of an image. Null: the server's default. */
export interface Transform {
  readonly width: number | null;
  readonly height: number | null;
  readonly fit: TransformFit;
  /** Null: the type of the image. */
  readonly format: TransformFormat | null;
  readonly quality: number | null;
}

/** True if an image is cropped, and so depends on its focal point. */
export function isCropped({ width, height, fit }: Transform): boolean {
  return width !== null && height !== null && fit === 'cover';
}

/** A file to send: a name in a folder. */
export interface TransformedImage {
  readonly folder: string;
  readonly name: string;
}

/** A point of an image that stays in view: percentages from its left and top. */
export interface FocalPoint {
  readonly x: number;
  readonly y: number;
}

export const MIDDLE: FocalPoint = { x: 50, y: 50 };

export type FileValues = Readonly<Record<string, unknown>>;

/** A write of one file, before or after it is done. */
export interface FileWrite {
  readonly action: 'create' | 'update' | 'delete';
  readonly documentId: string;
  /** The values written, by attribute; null for a deletion. */
  readonly data: FileValues | null;
}

/** A requested write. A file to be created has no document id yet. */
type FileWriteRequest = Omit<FileWrite, 'documentId'> & { readonly documentId: string | null };

/** The hooks that take part in writes of files. */
export interface FileHooks {
  /**
   * Wraps a write. `work` writes the values it is given. It returns the document id of the file, or null if
   * there is no such file. An error rejects the write.
   */
  readonly around: (
    request: FileWriteRequest,
    work: (data: FileValues | null) => Promise<string | null>,
  ) => Promise<void>;
  /** Runs inside the transaction of the write. An error rolls it back. */
  readonly before: (write: FileWrite, tx: Transaction) => Promise<void>;
  /** Runs after the commit. Never throws. */
  readonly after: (write: FileWrite) => Promise<void>;
}

/** Hooks that do nothing. */
export const NO_FILE_HOOKS: FileHooks = {
  around: async ({ data }, work) => {
    await work(data);
  },
  before: async () => undefined,
  after: async () => undefined,
};
