import { existsSync } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chunksOf } from '../../lib/collections.js';
import { kilobytes } from '../../media/file-info.js';
import { keysOfRow } from '../../media/file-table.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentStore } from '../store/content-store.js';
import type { MediaFile, MediaStore } from '../store/media-store.js';
import { replaceReferences } from '../store/references.js';
import { NOTE_EXTENSION, mediaFolder, mediaPath, printMediaNote } from './read-folder.js';
import type { ContentFile } from './print-content.js';
import type { StoredContent } from './stored-content.js';

/** Number of files per lookup. */
const BATCH = 200;

/** An uploaded file that is written next to the content. */
export interface MediaCopy {
  readonly path: string;
  readonly file: MediaFile;
}

interface PulledMedia {
  /** The notes of all used files. */
  readonly notes: readonly ContentFile[];
  /** The files whose content is missing from the folder. */
  readonly copies: readonly MediaCopy[];
  /** The paths of files that are no longer used. */
  readonly unused: readonly string[];
}

/** Matches possible names of stored objects in a text. */
const OBJECT_NAME = /[\w%-]+\.[a-z0-9]+/gi;

/** Returns the files that documents link, and those whose addresses their texts contain. */
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

const isInFolder = async (path: string, { size }: MediaFile): Promise<boolean> =>
  existsSync(path) && kilobytes((await stat(path)).size) === size;

/** Returns the paths of pulled files that are no longer used. */
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

/** Compares the uploaded files that documents use with those next to the content. */
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
    if (!(await isInFolder(join(root, path), file))) copies.push({ path, file });
  }
  return { notes, copies, unused: await findUnused(root, mediaFolder(store.model), paths) };
}
