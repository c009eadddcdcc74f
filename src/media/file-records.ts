import { FILE_UID } from '../model/content-types/builtin-types.js';
import { createError } from '../errors/catalogue.js';
import { parseRecordId } from '../lib/ids.js';
import { identityFilter, publishedQuery } from '../query/parse/server-queries.js';
import type { FilterNode, ReadQuery, Selection } from '../query/query.js';
import type { MediaLibrary } from './media.js';

/** Returns the id of the file that a client names. Throws `request/not-found` if no file can have it. */
export function parseFileId(value: unknown): number {
  const id = parseRecordId(value);
  if (id === null) throw createError('request/not-found');
  return id;
}

/** The part of the document service that reads the records of files. */
export interface FileReader {
  readonly findMany: (query: ReadQuery) => Promise<{ readonly records: readonly string[] }>;
}

/**
 * Returns the condition for the file that a client names by its id or its documentId.
 *
 * @throws `request/not-found` if no file can have the name
 */
export function fileFilter(name: unknown): FilterNode {
  const filter = identityFilter(name);
  if (filter === null) throw createError('request/not-found');
  return filter;
}

const NO_FIELDS: Selection = { fields: [], populate: [] };

/**
 * Returns the id of the file that a client names. An id is returned without a read, so there may be no such
 * file.
 *
 * @throws `request/not-found` if no file has the documentId
 */
export async function findFileId(documents: FileReader, name: unknown): Promise<number> {
  const id = parseRecordId(name);
  if (id !== null) return id;
  const query = publishedQuery(FILE_UID, NO_FIELDS, { filter: fileFilter(name) });
  const [record] = (await documents.findMany(query)).records;
  if (record === undefined) throw createError('request/not-found');
  return (JSON.parse(record) as { readonly id: number }).id;
}

/** Options for reading a file's record. */
export interface FileReadOptions {
  readonly selection: Selection;
  /** The locale of populated relations. */
  readonly locale: string;
}

/** Returns the JSON texts of the records of some files, in ascending order of their ids. */
export async function readFiles(
  documents: FileReader,
  ids: readonly number[],
  { selection, locale }: FileReadOptions,
): Promise<readonly string[]> {
  const query = publishedQuery(FILE_UID, selection, {
    filter: { kind: 'compare', field: 'id', operator: '$in', operand: ids },
    sort: [{ path: ['id'], direction: 'asc' }],
    locale,
  });
  return (await documents.findMany(query)).records;
}

/** Returns the JSON text of one file's record. Throws `request/not-found`. */
export async function readFile(documents: FileReader, id: number, options: FileReadOptions): Promise<string> {
  const [record] = await readFiles(documents, [id], options);
  if (record === undefined) throw createError('request/not-found');
  return record;
}

/** Removes a file. Returns the JSON text of the record it had. Throws `request/not-found`. */
export async function removeFileRecord(
  { documents, media }: { readonly documents: FileReader; readonly media: MediaLibrary },
  id: number,
  options: FileReadOptions,
): Promise<string> {
  const record = await readFile(documents, id, options);
  if (!(await media.remove(id))) throw createError('request/not-found');
  return record;
}
