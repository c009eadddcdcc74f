import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';

type Documents = readonly (readonly [name: string, text: string])[];

const SOURCES = ['.graphql', '.gql'];

const broken = (file: string, reason: string, cause?: unknown): Error => fail('graphql/broken-persisted', { file, reason }, { cause });

const parseJson = (file: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw broken(file, 'it is not valid JSON', error);
  }
};

/** `{hash: document}`, or Apollo's manifest `{operations: [{id, body}]}`. */
const readManifest = (file: string, text: string): Documents => {
  const value = parseJson(file, text);
  const listed: unknown = isRecord(value) ? value['operations'] : undefined;
  const entries = Array.isArray(listed) ? listed.map((item: unknown): readonly unknown[] => (isRecord(item) ? [item['id'], item['body']] : [])) : Object.entries(isRecord(value) ? value : {});
  return entries.map(([name, document]) => {
    if (typeof name !== 'string' || typeof document !== 'string') throw broken(file, 'every entry must be a document, as text, under its hash or name');
    return [name, document];
  });
};

const readOne = async (root: string, path: string): Promise<Documents> => {
  const file = relative(root, path);
  const text = await readFile(path, 'utf8');
  if (extname(path) === '.json') return readManifest(file, text);
  if (!SOURCES.includes(extname(path))) throw broken(file, 'it is neither a .graphql nor a .json file');
  // Clients send a document without the line that ends its file.
  return [[basename(path, extname(path)), text], [hashOf(text.trim()), text]];
};

const filesIn = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && [...SOURCES, '.json'].includes(extname(entry.name))).map((entry) => join(entry.parentPath, entry.name)).toSorted();
};

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * The documents a project knows, each by its SHA-256 hash and by the name of its file or its key in a .json file.
 *
 * @param from folder or file, from the project's root
 * @throws `graphql/broken-persisted`
 */
export async function loadPersistedDocuments(root: string, from: string): Promise<ReadonlyMap<string, string>> {
  const path = join(root, from);
  const found = await stat(path).catch((error: unknown) => {
    throw broken(from, 'there is no such file or folder', error);
  });
  const files = found.isDirectory() ? await filesIn(path) : [path];
  const documents = (await Promise.all(files.map((file) => readOne(root, file)))).flat();
  return new Map(documents.flatMap(([name, text]) => [[name, text], [hashOf(text), text]]));
}
