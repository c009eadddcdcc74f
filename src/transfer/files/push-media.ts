import { existsSync } from 'node:fs';
import { readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { chunksOf } from '../../lib/collections.js';
import { createDocumentId } from '../../lib/ids.js';
import { extensionOf, kilobytes } from '../../media/file-info.js';
import type { FileInfo } from '../../media/media.js';
import { typeOfExtension } from '../../media/mime-types.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel } from '../../model/model.js';
import type { ContentStore, ContentWrite } from '../store/content-store.js';
import type { MediaFile, MediaStore } from '../store/media-store.js';
import { PARTIAL_EXTENSION, writeTextAtomically } from './print-content.js';
import { NOTE_EXTENSION, mediaFolder, mediaPath, parseMediaNote, printMediaNote } from './read-folder.js';
import type { MediaNote } from './read-folder.js';

/** Number of files per lookup. */
const BATCH = 200;

/** Change of one uploaded file by a push. */
interface MediaChange {
  readonly action: 'add' | 'replace' | 'update';
  /** Relative to the content folder. */
  readonly path: string;
  readonly documentId: string;
  /** The name under which it is stored, if specified. */
  readonly hash: string | null;
  readonly info: FileInfo;
  readonly name: string;
  /** Null: the database does not have the file. */
  readonly current: MediaFile | null;
}

export interface MediaPlan {
  readonly changes: readonly MediaChange[];
  /** The documentIds of the folder's files, by their names and by the ids in their notes. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
}

export const NO_MEDIA: MediaPlan = { changes: [], names: new Map() };

interface FolderFile extends MediaNote {
  readonly path: string;
  readonly name: string;
  /** Null: the folder has only the note of the file. */
  readonly size: number | null;
}

/** True for hidden files and incomplete files of a killed pull. */
const isIgnored = (name: string): boolean => name.startsWith('.') || name.endsWith(PARTIAL_EXTENSION);

const readMediaFolder = async (root: string, model: ContentModel): Promise<readonly FolderFile[]> => {
  const folder = mediaFolder(model);
  if (!existsSync(join(root, folder))) return [];
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  const all = new Set(
    entries.filter((entry) => entry.isFile() && !isIgnored(entry.name)).map(({ name }) => name),
  );
  const files = new Set(
    [...all].map((name) => (name.endsWith(NOTE_EXTENSION) ? name.slice(0, -NOTE_EXTENSION.length) : name)),
  );
  const found: FolderFile[] = [];
  for (const fileName of [...files].toSorted()) {
    const path = `${folder}/${fileName}`;
    const notePath = `${path}${NOTE_EXTENSION}`;
    const note = all.has(`${fileName}${NOTE_EXTENSION}`)
      ? parseMediaNote(model, notePath, await readFile(join(root, notePath), 'utf8'))
      : { documentId: null, hash: null, info: {} };
    const size = all.has(fileName) ? kilobytes((await stat(join(root, path))).size) : null;
    found.push({ ...note, path, name: note.info.name ?? fileName, size });
  }
  return found;
};

const findStored = async (media: MediaStore, files: readonly FolderFile[]): Promise<readonly MediaFile[]> => {
  const stored = new Map<string, MediaFile>();
  for (const batch of chunksOf(files, BATCH)) {
    const valuesByKey = (key: 'documentId' | 'hash' | 'name') =>
      batch.map((file) => file[key]).filter((value) => value !== null);
    const keys = ['documentId', 'hash', 'name'] as const;
    const $or = keys.map((key) => ({ [key]: { $in: valuesByKey(key) } }));
    for (const file of await media.find({ filters: { $or } })) stored.set(file.documentId, file);
  }
  return [...stored.values()];
};

/** Returns the stored file for a file of the folder: by id or hash, otherwise by name and size. */
const findCurrent = (stored: readonly MediaFile[], file: FolderFile): MediaFile | null => {
  const known = stored.find(({ documentId }) => documentId === file.documentId);
  const sameHash = stored.find(({ hash }) => hash === file.hash);
  if (known !== undefined || sameHash !== undefined) return known ?? sameHash ?? null;
  if (file.documentId !== null) return null;
  const named = stored.filter(({ name, size }) => name === file.name && size === file.size);
  return named.length === 1 ? (named[0] ?? null) : null;
};

const isInfoChanged = ({ info }: FolderFile, current: MediaFile): boolean =>
  Object.entries(info).some(
    ([key, value]) =>
      JSON.stringify(value ?? null) !== JSON.stringify(current[key] === '' ? null : (current[key] ?? null)),
  );

const planFile = (file: FolderFile, current: MediaFile | null): MediaChange | null => {
  const { path, name, hash, info, size } = file;
  const documentId = current?.documentId ?? file.documentId ?? createDocumentId();
  const change = { path, name, hash, info, documentId, current };
  if (current === null) return size === null ? null : { ...change, action: 'add' };
  if (size !== null && size !== current.size) return { ...change, action: 'replace' };
  return isInfoChanged(file, current) ? { ...change, action: 'update' } : null;
};

/**
 * Compares the uploaded files next to the content with the media library.
 *
 * @throws `content/invalid-file`, `content/rejected-file`
 */
export async function planMediaPush(
  media: MediaStore,
  model: ContentModel,
  root: string,
): Promise<MediaPlan> {
  const files = await readMediaFolder(root, model);
  const stored = await findStored(media, files);
  const changes: MediaChange[] = [];
  const names = new Map<string, Set<string>>();
  for (const file of files) {
    const current = findCurrent(stored, file);
    const change = planFile(file, current);
    if (change !== null) changes.push(change);
    const documentId = change?.documentId ?? current?.documentId;
    if (documentId === undefined) continue;
    for (const name of [file.name, file.hash, file.documentId, documentId])
      if (name !== null) names.set(name, (names.get(name) ?? new Set()).add(documentId));
  }
  return { changes, names };
}

const writeChange = async (
  media: MediaStore,
  root: string,
  { action, path, name, info, documentId, hash, current }: MediaChange,
): Promise<MediaFile | null> => {
  const file = { path: join(root, path), name };
  if (action === 'add' || current === null) return media.add(file, info, { documentId, hash });
  return action === 'update' ? media.update(current.id, info) : media.replace(current.id, file, info);
};

/** Renames a file to its name in a pull, and writes its note. */
const renameToStored = async (
  model: ContentModel,
  root: string,
  from: string,
  file: MediaFile,
): Promise<void> => {
  const path = mediaPath(model, file);
  if (path !== from) {
    await rename(join(root, from), join(root, path));
    await rm(join(root, `${from}${NOTE_EXTENSION}`), { force: true });
  }
  await writeTextAtomically(join(root, `${path}${NOTE_EXTENSION}`), printMediaNote(file));
};

/** Writes the rows of files to add in the transaction of a dry run, since documents link them. */
export async function writePlannedMedia(store: ContentStore, changes: readonly MediaChange[]): Promise<void> {
  const writes = changes
    .filter(({ action }) => action === 'add')
    .map(({ documentId, name, path }): ContentWrite => {
      const ext = extensionOf(path);
      const mime = typeOfExtension(ext) ?? 'application/octet-stream';
      const data = { name, hash: documentId, ext, mime, size: 1, url: path, provider: 'local' };
      return { action: 'create', documentId, data };
    });
  if (writes.length > 0) await store.write(FILE_UID, writes, { isAtomic: true });
}

export interface MediaTarget {
  readonly media: MediaStore;
  readonly model: ContentModel;
  readonly root: string;
}

/** Applied change of one uploaded file. */
export interface UploadedFile extends Pick<MediaChange, 'action' | 'path'> {
  /** Null: the file was deleted meanwhile. */
  readonly id: number | null;
}

/**
 * Stores the uploaded files of a folder. Each is stored with its row, or not at all. Returns the stored
 * documentIds that differ from the planned ones, by the planned one.
 *
 * @throws `content/rejected-file` with the reason of a rejected upload
 */
export async function applyMedia(
  { media, model, root }: MediaTarget,
  changes: readonly MediaChange[],
  onDone: (file: UploadedFile) => void,
): Promise<ReadonlyMap<string, string>> {
  const others = new Map<string, string>();
  for (const change of changes) {
    const { path } = change;
    let file: MediaFile | null;
    try {
      file = await writeChange(media, root, change);
      if (file !== null && file.documentId !== change.documentId)
        others.set(change.documentId, file.documentId);
      if (file !== null && change.action !== 'update') await renameToStored(model, root, path, file);
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      throw createError('content/rejected-file', { location: path, reason: error.message }, { cause: error });
    }
    onDone({ action: change.action, path, id: file?.id ?? null });
  }
  return others;
}

/**
 * Checks the files that {@link applyMedia} would store.
 *
 * @throws `content/rejected-file`
 */
export async function checkMedia(
  { media, root }: Omit<MediaTarget, 'model'>,
  changes: readonly MediaChange[],
): Promise<void> {
  for (const { action, path, name } of changes) {
    if (action === 'update') continue;
    try {
      await media.check({ path: join(root, path), name });
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      throw createError('content/rejected-file', { location: path, reason: error.message }, { cause: error });
    }
  }
}
