import type { Readable } from 'node:stream';

/** What people say of a file. Keys that are left out stay as they are. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** The point of an image that must stay in view: percentages from its left and top. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
}

/** A file on its way in. None of what its sender says of it is believed. */
export interface IncomingFile {
  readonly name: string | undefined;
  /** The content type its sender claims. */
  readonly type: string | undefined;
  /** Ends where the file ends, or where it is cut off. */
  readonly content: Readable;
  /** Whether the content was cut off at the size limit; asked when it has ended. */
  readonly isCut: () => boolean;
}

/** One stored file: the name it is stored under, and where its bytes are until they are. */
export interface StagedObject {
  /** `sunset_1f0c9a7be2d34c55.jpg` */
  readonly key: string;
  readonly path: string;
  readonly mime: string;
}

/** A smaller copy of an image, in the form in which the file's record tells it. `size` is in kilobytes. */
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

/** A whole file with its copies, examined and waiting to be kept. */
export interface StagedFile {
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

/** The files of one request: received one after the other, then kept together or not at all. */
export interface Intake {
  /**
   * Writes the content to disk as it comes, and examines it.
   *
   * @throws `upload/empty-file`, `upload/too-large`, `upload/wrong-type`, `upload/type-not-allowed`, `upload/invalid-image`, `upload/too-many-pixels`
   */
  readonly receive: (file: IncomingFile) => Promise<void>;
  /** How many files were received. */
  readonly count: () => number;
  /** Keeps all files, and answers their ids in the order in which they were received. `infos` belong to them by position. */
  readonly keep: (infos: readonly FileInfo[]) => Promise<readonly number[]>;
  /**
   * Puts the one file received in the place of the content of file `id`. False: there is no such file.
   *
   * @throws `upload/kind-not-taken`
   */
  readonly replace: (id: number, info: FileInfo) => Promise<boolean>;
  /** Forgets what was not kept. To be called at the end, whatever happened. */
  readonly discard: () => Promise<void>;
}

/** The media library: files and the rows that describe them, which come and go together. Rights are decided before it is called. */
export interface MediaLibrary {
  readonly openIntake: () => Promise<Intake>;
  /** False: there is no such file. */
  readonly updateInfo: (id: number, info: FileInfo) => Promise<boolean>;
  /** Deletes the row, all links to it, and the stored files. False: there is no such file. */
  readonly remove: (id: number) => Promise<boolean>;
  /** Removes what uploads that were cut short have left behind; runs by itself now and then. */
  readonly sweep: () => Promise<void>;
  readonly close: () => Promise<void>;
}
