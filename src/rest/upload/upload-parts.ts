import { FILE_UID } from '../../content-types/builtin/registry.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentType } from '../../model/model.js';
import type { RestParts } from '../rest-parts.js';

/** What the routes of the media library are built from. */
export interface UploadParts extends RestParts {
  readonly media: MediaLibrary;
  /** Where files of the local store lie. */
  readonly directory: string;
  /** Bytes of one file, and files of one request. */
  readonly sizeLimit: number;
  readonly maxFiles: number;
}

/** Rights on files are granted on the controller, as the peer has it. */
export const UPLOAD_UID = 'plugin::upload.content-api';

/** The built-in type of files. */
export function fileTypeOf({ model }: RestParts): ContentType {
  const type = model.typesByUid[FILE_UID];
  if (type === undefined) throw new TypeError(`The model lacks ${FILE_UID}.`);
  return type;
}
