import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { invalidFile, parseDocumentFile } from '../store/document-text.js';
import type { FileIssue } from '../../errors/galley-error.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { didYouMean } from '../../lib/nearest.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { mediaFolder } from './media-file.js';
import { FILE_KEYS } from './print-content.js';
import type { FileStatus } from './print-content.js';
import { mapFiles, rejectIssues } from './rejected-files.js';
import type { Data } from './version-data.js';

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

const parseFile = (type: ContentType, path: string, text: string): ParsedFile => {
  if (text.trim() === '') throw invalidFile(path, 1, 'the file is empty');
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
};

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
