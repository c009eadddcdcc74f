import { FILE_UID } from '../model/content-types/builtin-types.js';
import { createError } from '../errors/catalogue.js';
import { parseRecordId } from '../lib/ids.js';
import { publishedQuery } from '../query/parse/server-queries.js';
import type { ReadQuery, Selection } from '../query/query.js';
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
