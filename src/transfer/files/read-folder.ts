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
  /** True if the file was never written from the database. */
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
  return rejectIssues([fileIssueOf({ path, lineOf }, attribute, reason)]);
}

/** Returns the error about an attribute as an issue of its file. */
export function fileIssueOf(
  { path, lineOf }: Pick<ParsedFile, 'path' | 'lineOf'>,
  attribute: string,
  message: string,
): FileIssue {
  return { file: path, line: lineOf(attribute), path: [], message };
}

/** Throws an error that writing a file has caused, with the lines of the attributes that it is about. */
export function rejectFileFor(file: ParsedFile, error: unknown): never {
  if (!isGalleyError(error)) throw error;
  const { errors = [] } = error.details;
  if (errors.length === 0) return rejectFile(file, FILE_KEYS.documentId, error.message);
  return rejectIssues(
    errors.map(({ path, message }) => ({ file: file.path, line: file.lineOf(path[0] ?? ''), path, message })),
  );
}

/** Returns the text of a key about the document itself. Null: the file does not have it. */
const keyOf = (file: Pick<ParsedFile, 'path' | 'lineOf'>, key: string, value: unknown): string | null => {
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
  const ownLocale = keyOf(file, locale, code);
  if (ownLocale !== null && !type.localized)
    rejectFile(file, locale, `${type.singularName} is not localised.`);
  return {
    ...file,
    documentId: keyOf(file, documentId, id),
    locale: ownLocale,
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
 * Refuses files in a folder that belongs to no type, and would be overlooked.
 *
 * @throws `content/rejected-file`, `content/rejected-files`
 */
export async function assertFolders(root: string, model: ContentModel): Promise<void> {
  const own = model.types
    .filter(({ origin }) => origin === 'project')
    .map(({ singularName }) => singularName);
  const entries = await readdir(root, { withFileTypes: true });
  const strangers = entries.filter(
    (entry) =>
      entry.isDirectory() &&
      !entry.name.startsWith('.') &&
      ![...own, mediaFolder(model)].includes(entry.name),
  );
  const files = await Promise.all(strangers.map(({ name }) => listNames(root, name)));
  mapFiles(files.flat(), (path) => {
    const [name = ''] = path.split('/');
    const reason = `There is no content-type ${name}. ${didYouMean(name, own)}`.trimEnd();
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
