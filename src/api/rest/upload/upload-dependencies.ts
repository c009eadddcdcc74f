import type { Config } from '../../../config/config.js';
import type { MediaLibrary } from '../../../media/media.js';
import type { RestDependencies } from '../rest-dependencies.js';

/** Dependencies of the endpoints of the media library. */
export interface UploadDependencies extends RestDependencies {
  readonly media: MediaLibrary;
  /** The folder of the local store. */
  readonly directory: string;
  /** The transformations that clients may request of its images. */
  readonly transforms: Config['upload']['transforms'];
  /** The most bytes of one file, and files of one request. */
  readonly sizeLimit: number;
  readonly maxFiles: number;
}
