import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocumentFile } from '../content-store/parse-document-text.js';
import { createError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { ContentType } from '../model/model.js';
import { FILE_KEYS } from './print-content.js';
import type { FileStatus } from './print-content.js';
import type { Data } from './version-data.js';

/** In a file that is about to be created: attributes that it does not name keep their values. */
export const NEW_KEY = '$new';

/** A file as it stands in the folder. Links are named as the file names them. */
export interface ParsedFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly type: ContentType;
  /** Null: the document is new. */
  readonly documentId: string | null;
  /** Null: the type is not localised, or the file does not say. */
  readonly locale: string | null;
  readonly status: FileStatus;
  /** Whether the file was never written from the database. */
  readonly isNew: boolean;
  readonly data: Data;
  readonly lineOf: (attribute: string) => number;
}

const EXTENSION = /\.(?:md|ya?ml)$/;
const STATUSES: readonly string[] = ['draft', 'published', 'modified'];

/** Throws that something is wrong with a file, at the line of an attribute. */
export function rejectFile(
  { path, lineOf }: Pick<ParsedFile, 'path' | 'lineOf'>,
  attribute: string,
  reason: string,
): never {
  throw createError('content/rejected-file', { location: `${path}:${lineOf(attribute)}`, reason });
}

/** Throws an error that writing a file has caused, with the line of the attribute that it is about. */
export function rejectFileFor(file: ParsedFile, error: unknown, attribute?: string): never {
  if (!isGalleyError(error)) throw error;
  const named = attribute ?? error.details.errors?.[0]?.path[0];
  return rejectFile(file, named === undefined ? FILE_KEYS.documentId : String(named), error.message);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const parseFile = (type: ContentType, path: string, text: string): ParsedFile => {
  const { data: all, lineOf } = parseDocumentFile(type, { file: path, text });
  const { documentId, locale, status } = FILE_KEYS;
  const { [documentId]: id, [locale]: code, [status]: state, [NEW_KEY]: isNew, ...data } = all;
  const fallback = type.draftAndPublish ? 'draft' : 'published';
  const file = { path, text, type, data, lineOf };
  const parsedStatus = state ?? fallback;
  if (typeof parsedStatus !== 'string' || !STATUSES.includes(parsedStatus))
    rejectFile(file, status, `${status} must be one of ${STATUSES.join(', ')}.`);
  for (const name of Object.keys(data))
    if (!Object.hasOwn(type.attributes, name) && !type.ignoredAttributes.includes(name))
      rejectFile(file, name, `${type.singularName} has no attribute ${name}.`);
  return {
    ...file,
    documentId: textOf(id),
    locale: type.localized ? textOf(code) : null,
    status: parsedStatus as FileStatus,
    isNew: id === undefined || isNew === true,
  };
};

/** Returns the paths of a type's files, in order. */
export async function listFiles(root: string, type: ContentType): Promise<readonly string[]> {
  const folder = join(root, type.singularName);
  if (!existsSync(folder)) return [];
  const names = await readdir(folder);
  return names
    .filter((name) => EXTENSION.test(name))
    .toSorted()
    .map((name) => `${type.singularName}/${name}`);
}

/**
 * Reads the files of types.
 *
 * @throws `content/invalid-file`, `content/rejected-file`
 */
export async function readFolder(
  root: string,
  types: readonly ContentType[],
): Promise<readonly ParsedFile[]> {
  const files: ParsedFile[] = [];
  for (const type of types)
    for (const path of await listFiles(root, type))
      files.push(parseFile(type, path, await readFile(join(root, path), 'utf8')));
  return files;
}
