import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentStore, ContentWrite } from '../../store/content-store.js';
import type { MediaFile, MediaStore } from '../../store/media-store.js';
import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import { typeOfExtension } from '../../../media/content/mime-types.js';
import { extensionOf } from '../../../media/file-name.js';
import type { ContentModel } from '../../../model/model.js';
import { writeWholeText } from '../write-whole.js';
import { mediaPath, NOTE_EXTENSION, printMediaNote } from './media-file.js';
import type { MediaChange } from './plan-media-push.js';

const writeChange = async (
  media: MediaStore,
  root: string,
  { action, path, name, info, documentId, hash, current }: MediaChange,
): Promise<MediaFile | null> => {
  const file = { path: join(root, path), name };
  if (action === 'add' || current === null) return media.add(file, info, { documentId, hash });
  return action === 'update' ? media.update(current.id, info) : media.replace(current.id, file, info);
};

/** Gives a file of the folder the name that pull would give it, and writes what is known of it beside it. */
const settleFile = async (
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
  await writeWholeText(join(root, `${path}${NOTE_EXTENSION}`), printMediaNote(file));
};

/**
 * Writes the rows of files that would be added, for a transaction that is taken back: documents refer to
 * them.
 */
export async function pretendMedia(store: ContentStore, changes: readonly MediaChange[]): Promise<void> {
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
  /** Null: it is gone meanwhile. */
  readonly id: number | null;
}

/**
 * Stores the uploaded files of a folder. Each is stored with its row, or not at all. Returns the documentIds
 * of those that got another one than was planned.
 *
 * @throws `content/rejected-file` with the reason of an upload that is refused
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
      if (file !== null && change.action !== 'update') await settleFile(model, root, path, file);
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      throw createError('content/rejected-file', { location: path, reason: error.message }, { cause: error });
    }
    onDone({ action: change.action, path, id: file?.id ?? null });
  }
  return others;
}

/**
 * Checks what {@link applyMedia} would refuse.
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
