import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { invalidFile, parseDocumentFile } from '../store/document-text.js';
import type { MediaFile } from '../store/media-store.js';
import type { FileIssue } from '../../errors/galley-error.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { didYouMean } from '../../lib/nearest.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { parseFileInfo, FILE_INFO_KEYS } from '../../media/file-info.js';
import type { FileInfo } from '../../media/media.js';
import { typeOf } from '../../model/lookup.js';
import { assertNoMarkers, mapFiles, rejectIssues } from './rejected-files.js';
import { FILE_KEYS } from './print-content.js';
import type { FileStatus } from './print-content.js';
import type { Data } from './version-data.js';

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

/** The key of a file whose document is being created: attributes that it omits keep their values. */
export const NEW_KEY = '$new';

/** A parsed file of the folder. Links have the names in the file. */
export interface ParsedFile {
  /** Relative to the content folder, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly type: ContentType;
  /** Null: the document is new. */
  readonly documentId: string | null;
  /** Null: the type is not localized, or the file sets no locale. */
  readonly locale: string | null;
  readonly status: FileStatus;
  /** True if the file was never written by a pull. */
  readonly isNew: boolean;
  readonly data: Data;
  readonly lineOf: (attribute: string) => number;
}

const EXTENSION = /\.(?:md|ya?ml)$/;
const STATUSES: readonly string[] = ['draft', 'published', 'modified'];

/** Throws `content/rejected-file` at the line of an attribute. */
export function rejectFile(
  { path, lineOf }: Pick<ParsedFile, 'path' | 'lineOf'>,
  attribute: string,
  reason: string,
): never {
  return rejectIssues([fileIssueOf({ path, lineOf }, attribute, reason)]);
}

/** Returns an issue of a file, at the line of an attribute. */
export function fileIssueOf(
  { path, lineOf }: Pick<ParsedFile, 'path' | 'lineOf'>,
  attribute: string,
  message: string,
): FileIssue {
  return { file: path, line: lineOf(attribute), path: [], message };
}

/** Throws the error of writing a file, with the lines of its attributes. */
export function rejectFileFor(file: ParsedFile, error: unknown): never {
  if (!isGalleyError(error)) throw error;
  const { errors = [] } = error.details;
  if (errors.length === 0) return rejectFile(file, FILE_KEYS.documentId, error.message);
  return rejectIssues(
    errors.map(({ path, message }) => ({ file: file.path, line: file.lineOf(path[0] ?? ''), path, message })),
  );
}

/** Returns the text of one of the {@link FILE_KEYS}. Null: the file does not have the key. */
const parseFileKey = (
  file: Pick<ParsedFile, 'path' | 'lineOf'>,
  key: string,
  value: unknown,
): string | null => {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '') return rejectFile(file, key, `${key} must be text.`);
  return value;
};

const assertAttributes = (file: Pick<ParsedFile, 'path' | 'lineOf' | 'data' | 'type'>): void => {
  const { attributes, ignoredAttributes, singularName } = file.type;
  const unknown = Object.keys(file.data).filter(
    (name) => !Object.hasOwn(attributes, name) && !ignoredAttributes.includes(name),
  );
  if (unknown.length === 0) return;
  const messageOf = (name: string): string =>
    `${singularName} has no attribute ${name}. ${didYouMean(name, Object.keys(attributes))}`.trimEnd();
  rejectIssues(unknown.map((name) => fileIssueOf(file, name, messageOf(name))));
};

/**
 * Parses a file of a type.
 *
 * @throws `content/invalid-file`, `content/rejected-file`
 */
export function parseFile(type: ContentType, path: string, text: string): ParsedFile {
  if (text.trim() === '') throw invalidFile(path, 1, 'the file is empty');
  assertNoMarkers(path, text);
  const { data: all, lineOf } = parseDocumentFile(type, { file: path, text });
  const { documentId, locale, status } = FILE_KEYS;
  const { [documentId]: id, [locale]: code, [status]: state, [NEW_KEY]: isNew, ...data } = all;
  const fallback = type.draftAndPublish ? 'draft' : 'published';
  const file = { path, text, type, data, lineOf };
  const parsedStatus = state ?? fallback;
  if (typeof parsedStatus !== 'string' || !STATUSES.includes(parsedStatus))
    rejectFile(file, status, `${status} must be one of ${STATUSES.join(', ')}.`);
  assertAttributes(file);
  const fileLocale = parseFileKey(file, locale, code);
  if (fileLocale !== null && !type.localized)
    rejectFile(file, locale, `${type.singularName} is not localised.`);
  return {
    ...file,
    documentId: parseFileKey(file, documentId, id),
    locale: fileLocale,
    status: parsedStatus as FileStatus,
    isNew: id === undefined || isNew === true,
  };
}

const listNames = async (root: string, folder: string): Promise<readonly string[]> => {
  const names = await readdir(join(root, folder));
  return names
    .filter((name) => EXTENSION.test(name))
    .toSorted()
    .map((name) => `${folder}/${name}`);
};

/** Returns the paths of a type's files, in order. */
export async function listFiles(root: string, { singularName }: ContentType): Promise<readonly string[]> {
  return existsSync(join(root, singularName)) ? listNames(root, singularName) : [];
}

/**
 * Rejects files in folders that belong to no type, which would otherwise be ignored.
 *
 * @throws `content/rejected-file`, `content/rejected-files`
 */
export async function assertFolders(root: string, model: ContentModel): Promise<void> {
  const typeNames = model.types
    .filter(({ origin }) => origin === 'project')
    .map(({ singularName }) => singularName);
  const entries = await readdir(root, { withFileTypes: true });
  const unknownFolders = entries.filter(
    (entry) =>
      entry.isDirectory() &&
      !entry.name.startsWith('.') &&
      ![...typeNames, mediaFolder(model)].includes(entry.name),
  );
  const files = await Promise.all(unknownFolders.map(({ name }) => listNames(root, name)));
  mapFiles(files.flat(), (path) => {
    const [name = ''] = path.split('/');
    const reason = `There is no content-type ${name}. ${didYouMean(name, typeNames)}`.trimEnd();
    rejectFile({ path, lineOf: () => 1 }, FILE_KEYS.documentId, reason);
  });
}

/**
 * Reads the files of types.
 *
 * @throws `content/invalid-file`, `content/rejected-file`, `content/rejected-files`
 */
export async function readFolder(
  root: string,
  types: readonly ContentType[],
): Promise<readonly ParsedFile[]> {
  const texts: { type: ContentType; path: string; text: string }[] = [];
  for (const type of types)
    for (const path of await listFiles(root, type))
      texts.push({ type, path, text: await readFile(join(root, path), 'utf8') });
  return mapFiles(texts, ({ type, path, text }) => parseFile(type, path, text));
}
