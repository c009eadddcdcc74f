import { stringify } from 'yaml';
import { parseDocumentFile } from '../store/document-text.js';
import type { MediaFile } from '../store/media-store.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { parseFileInfo, FILE_INFO_KEYS } from '../../media/file-info.js';
import type { FileInfo } from '../../media/media.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import { FILE_KEYS } from './print-content.js';
import { rejectIssues } from './rejected-files.js';

/** The extension of the note that describes the uploaded file next to it. */
export const NOTE_EXTENSION = '.yaml';

const HASH_KEY = '$hash';
const SAFE_HASH = /^[\w-]{1,200}$/;
const SAFE_EXTENSION = /^(?:\.[a-z0-9]{1,20})?$/i;

/** Returns the name of the folder of uploaded files, which differs from those of all types. */
export function mediaFolder({ types }: ContentModel): string {
  return types.some(({ origin, singularName }) => origin === 'project' && singularName === 'media')
    ? 'uploaded-files'
    : 'media';
}

/** Returns the path of a file below the folder of the content. */
export function mediaPath(model: ContentModel, { hash, ext, documentId }: MediaFile): string {
  const ending = ext !== null && SAFE_EXTENSION.test(ext) ? ext : '';
  return `${mediaFolder(model)}/${SAFE_HASH.test(hash) ? hash : documentId}${ending}`;
}

/** Prints the note of a file: its metadata without its content. */
export function printMediaNote(file: MediaFile): string {
  const infos = FILE_INFO_KEYS.flatMap((key) =>
    file[key] === null || file[key] === undefined || file[key] === '' ? [] : [[key, file[key]]],
  );
  const head = { [FILE_KEYS.documentId]: file.documentId, [HASH_KEY]: file.hash };
  return stringify({ ...head, ...Object.fromEntries(infos) }, { lineWidth: 0, schema: 'core' });
}

/** Metadata of a file in the content folder. */
export interface MediaNote {
  /** Null: the file was never pulled. */
  readonly documentId: string | null;
  readonly hash: string | null;
  readonly info: FileInfo & { readonly name?: string };
}

/**
 * Parses text printed by {@link printMediaNote}. Omitted values are empty.
 *
 * @throws `content/invalid-file`, `content/rejected-file`
 */
export function parseMediaNote(model: ContentModel, path: string, text: string): MediaNote {
  const { data, lineOf } = parseDocumentFile(typeOf(model, FILE_UID), { file: path, text });
  const { [FILE_KEYS.documentId]: documentId, [HASH_KEY]: hash, ...values } = data;
  const reject = (name: string, reason: string): never =>
    rejectIssues([{ file: path, line: lineOf(name), path: [], message: reason }]);
  for (const [name, value] of Object.entries(values)) {
    if (!FILE_INFO_KEYS.some((key) => key === name)) reject(name, `Notes of files have no key ${name}.`);
    try {
      parseFileInfo({ [name]: value });
    } catch (error) {
      reject(name, error instanceof Error ? error.message : String(error));
    }
  }
  const isId = (value: unknown): value is string => typeof value === 'string' && SAFE_HASH.test(value);
  if (documentId !== undefined && !isId(documentId))
    reject(FILE_KEYS.documentId, `${FILE_KEYS.documentId} must be letters and digits.`);
  if (hash !== undefined && typeof hash !== 'string') reject(HASH_KEY, `${HASH_KEY} must be text.`);
  return {
    documentId: isId(documentId) ? documentId : null,
    hash: isId(hash) ? hash : null,
    info: parseFileInfo({ alternativeText: null, caption: null, focalPoint: null, ...values }),
  };
}
