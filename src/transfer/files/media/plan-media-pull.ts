import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentStore } from '../../store/content-store.js';
import type { MediaFile, MediaStore } from '../../store/media-store.js';
import { replaceReferences } from '../../store/resolve-data.js';
import { FILE_UID } from '../../../model/content-types/builtin/registry.js';
import { chunksOf } from '../../../lib/chunks.js';
import { kilobytes } from '../../../media/file-name.js';
import { keysOfRow } from '../../../media/stored-places.js';
import type { ContentFile } from '../print-content.js';
import type { StoredContent } from '../stored-content.js';
import { mediaFolder, mediaPath, NOTE_EXTENSION, printMediaNote } from './media-file.js';

/** Number of files per lookup. */
const BATCH = 200;

/** An uploaded file that is written beside the content. */
export interface MediaCopy {
  readonly path: string;
  readonly file: MediaFile;
}

export interface PulledMedia {
  /** All that are used, with what is known of each. */
  readonly notes: readonly ContentFile[];
  /** Those whose content is not there yet. */
  readonly copies: readonly MediaCopy[];
  /** The paths of files that nothing uses any more. */
  readonly unused: readonly string[];
}

/** Matches possible names of stored objects in a text. */
const OBJECT_NAME = /[\w%-]+\.[a-z0-9]+/gi;

/** Finds the files that documents link, and those whose addresses stand in their texts. */
const findUsed = async (
  store: ContentStore,
  media: MediaStore,
  contents: readonly StoredContent[],
): Promise<readonly MediaFile[]> => {
  const documentIds = new Set<string>();
  const words = new Set<string>();
  for (const { type, draft, published } of contents)
    for (const data of new Set([draft, published ?? {}])) {
      replaceReferences(store.model, type, data, ({ type: target, name }) => {
        if (target === FILE_UID) documentIds.add(name);
        return name;
      });
      for (const word of JSON.stringify(data).match(OBJECT_NAME) ?? []) words.add(word);
    }
  const found = new Map<string, MediaFile>();
  for (const batch of chunksOf(documentIds, BATCH))
    for (const file of await media.find({ filters: { documentId: { $in: batch } } }))
      found.set(file.documentId, file);
  for (let after = 0; words.size > 0;) {
    const files = await media.find({ filters: { id: { $gt: after } }, sort: ['id'], limit: BATCH });
    if (files.length === 0) break;
    after = files.at(-1)?.id ?? after;
    for (const file of files)
      if (keysOfRow(file).some((key) => words.has(key))) found.set(file.documentId, file);
  }
  return [...found.values()];
};

const isThere = async (path: string, { size }: MediaFile): Promise<boolean> =>
  existsSync(path) && kilobytes((await stat(path)).size) === size;

/** Returns the files that were pulled and that nothing uses any more. */
const findUnused = async (
  root: string,
  folder: string,
  paths: ReadonlySet<string>,
): Promise<readonly string[]> => {
  if (!existsSync(join(root, folder))) return [];
  const names = await readdir(join(root, folder));
  const unused: string[] = [];
  for (const name of names.filter((other) => other.endsWith(NOTE_EXTENSION)).toSorted()) {
    const path = `${folder}/${name.slice(0, -NOTE_EXTENSION.length)}`;
    if (paths.has(path)) continue;
    const text = await readFile(join(root, folder, name), 'utf8');
    if (!text.startsWith('$documentId:')) continue;
    unused.push(`${folder}/${name}`, ...(existsSync(join(root, path)) ? [path] : []));
  }
  return unused;
};

/** Compares the uploaded files that documents use with those beside the content. */
export async function planMediaPull(
  store: ContentStore,
  media: MediaStore,
  { root, contents }: { readonly root: string; readonly contents: readonly StoredContent[] },
): Promise<PulledMedia> {
  const notes: ContentFile[] = [];
  const copies: MediaCopy[] = [];
  const paths = new Set<string>();
  for (const file of await findUsed(store, media, contents)) {
    const path = mediaPath(store.model, file);
    paths.add(path);
    notes.push({ path: `${path}${NOTE_EXTENSION}`, text: printMediaNote(file) });
    if (!(await isThere(join(root, path), file))) copies.push({ path, file });
  }
  return { notes, copies, unused: await findUnused(root, mediaFolder(store.model), paths) };
}
