import type { Readable } from 'node:stream';
import type { FileIdentity, FileInfo, MediaMaintenance } from '../../media/media.js';
import type { ContentDocument, FindParams } from './content-store.js';

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
