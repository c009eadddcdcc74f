import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Transaction } from '../database/database.js';
import { createError } from '../errors/catalogue.js';
import { errorCode } from '../lib/caught-errors.js';
import { parseFileInfo } from './file-info.js';
import { infoValues } from './file-table.js';
import type { StoredFile } from './file-table.js';
import type { MediaContext } from './media-context.js';
import type {
  FileValues,
  FileWrite,
  ImportedObject,
  StagedFile,
  StagedObject,
  StorageProvider,
  StoredPlace,
  StoredPlaces,
} from './media.js';
import { addEntry, commitEntry, removeOrphanedObjects } from './outbox.js';
import { openUrl } from './providers.js';

/**
 * Stores staged files and runs `work`, which writes their rows. Either both happen or neither: an outbox
 * entry is written first, and is deleted in the transaction that writes the rows. `work` receives the places
 * that the store has reported.
 */
export async function storeFiles<T>(
  context: MediaContext,
  files: readonly Pick<StagedFile, 'objects'>[],
  work: (tx: Transaction, places: StoredPlaces) => Promise<T>,
): Promise<T> {
  const { database } = context;
  const provider = context.providers.current;
  const objects = files.flatMap((file) => file.objects);
  const entry = await database.transact((tx) =>
    addEntry(tx, { provider: provider.name, keys: objects.map(({ key }) => key), places: {} }),
  );
  const places: Record<string, StoredPlace> = {};
  try {
    for (const object of objects) {
      const place = await provider.put(object);
      if (place !== null) places[object.key] = place;
    }
    return await database.transact(async (tx) => {
      await commitEntry(tx, entry);
      return work(tx, places);
    });
  } catch (error) {
    await removeOrphanedObjects(context, { ...entry, places });
    throw error;
  }
}

/**
 * Stores objects under given keys without examining them, and runs `work`, which writes the rows that name
 * them.
 */
export async function storeObjects<T>(
  context: MediaContext,
  objects: readonly ImportedObject[],
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  if (objects.length === 0) return context.database.transact(work);
  const parent = context.providers.current.stagingFolder;
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'import-'));
  try {
    const staged: StagedObject[] = [];
    for (const { key, mime, open } of objects) {
      const path = join(folder, String(staged.length));
      await pipeline(open(), createWriteStream(path));
      staged.push({ key, name: key, path, mime });
    }
    return await storeFiles(context, [{ objects: staged }], work);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface FileChange {
  readonly action: 'update' | 'delete';
  readonly data: FileValues | null;
}

/**
 * Runs one write of an existing file with its hooks. `work` returns what it has
 * written, or null if the file no longer existed. Returns false if there is no such file.
 */
export async function runFileWrite(
  { database, files, hooks }: MediaContext,
  id: number,
  { action, data }: FileChange,
  work: (write: FileWrite) => Promise<FileWrite | null>,
): Promise<boolean> {
  const documentId = await database.transact((tx) => files.documentIdOf(tx, id));
  if (documentId === null) return false;
  let isWritten = false;
  await hooks.around({ action, documentId, data }, async (changed) => {
    const write = { action, documentId, data: data === null ? null : mergeChangedValues(data, changed) };
    const written = await work(write);
    isWritten = written !== null;
    if (written !== null) await hooks.after(written);
    return isWritten ? documentId : null;
  });
  return isWritten;
}

/**
 * Returns the values to write after middlewares have run. They may change the attributes that users
 * edit, but not what was detected from the file's content.
 *
 * @throws `upload/invalid-file-info`
 */
export function mergeChangedValues(original: FileValues, changed: FileValues | null): FileValues {
  return changed === null || changed === original
    ? original
    : { ...original, ...infoValues(parseFileInfo(changed)) };
}

/** Opens the stored content of a file. @throws `upload/missing-object` */
export const openObject = async (
  provider: StorageProvider,
  { hash, ext, url, name }: StoredFile,
): Promise<Readable> => {
  try {
    return await (provider.open === undefined ? openUrl(url) : provider.open(`${hash}${ext}`));
  } catch (cause) {
    if (errorCode(cause) !== 'ENOENT' && provider.open !== undefined) throw cause;
    throw createError('upload/missing-object', { name, key: `${hash}${ext}` }, { cause });
  }
};

/**
 * Opens the content of the file `id`.
 *
 * @throws `upload/missing-object`
 */
export async function openFile({ database, files, providers }: MediaContext, id: number): Promise<Readable> {
  const file = await database.transact((tx) => files.find(tx, id));
  if (file === null) throw createError('upload/missing-object', { name: String(id), key: '' });
  return openObject(providers.current, file);
}
