import { createWriteStream, existsSync } from 'node:fs';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { chunksOf } from '../../lib/collections.js';
import { kilobytes } from '../../media/file-info.js';
import { keysOfRow } from '../../media/file-table.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentType } from '../../model/model.js';
import type { ContentStore } from '../store/content-store.js';
import type { MediaFile, MediaStore } from '../store/media-store.js';
import { replaceReferences } from '../store/references.js';
import { NOTE_EXTENSION, mediaFolder, mediaPath, printMediaNote, NEW_KEY, listFiles } from './read-folder.js';
import { FILE_KEYS, printContent, writeFileAtomically, writeTextAtomically } from './print-content.js';
import type { ContentFile } from './print-content.js';
import { readStoredContent } from './stored-content.js';
import type { StoredContent } from './stored-content.js';

/** Number of files per lookup. */
const BATCH = 200;

/** An uploaded file that is written next to the content. */
interface MediaCopy {
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
async function planMediaPull(
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

export interface PullPlan {
  readonly created: readonly ContentFile[];
  readonly updated: readonly ContentFile[];
  readonly unchanged: number;
  /** The paths of files whose documents were deleted or renamed. */
  readonly removed: readonly string[];
  /** Uploaded files whose content is written. */
  readonly copies: readonly MediaCopy[];
}

export interface PullOptions {
  readonly root: string;
  readonly types: readonly ContentType[];
  /** Null: uploaded files are skipped. */
  readonly media: MediaStore | null;
  /** True if all types are pulled, so that files that they do not use can be removed. */
  readonly isWhole: boolean;
}

/** True if a file was pulled or pushed. Other files are new documents. */
const isPulled = (text: string): boolean =>
  text.split('\n').some((line) => line.startsWith(`${FILE_KEYS.documentId}:`)) &&
  !text.split('\n').some((line) => line.startsWith(`${NEW_KEY}:`));

/** Returns the files of a type that are in the folder, but no longer in the database. */
const findRemoved = async (
  root: string,
  type: ContentType,
  files: readonly ContentFile[],
): Promise<readonly string[]> => {
  const paths = new Set(files.map(({ path }) => path));
  const removed: string[] = [];
  for (const path of await listFiles(root, type))
    if (!paths.has(path) && isPulled(await readFile(join(root, path), 'utf8'))) removed.push(path);
  return removed;
};

/** Compares a folder with the files of the database's content. */
export async function planPull(store: ContentStore, options: PullOptions): Promise<PullPlan> {
  const { root, types, media, isWhole } = options;
  const files: ContentFile[] = [];
  const removed: string[] = [];
  const contents: StoredContent[] = [];
  for (const type of types) {
    const ofType = [...(await readStoredContent(store, type)).values()];
    const printed = await printContent(store, type, ofType);
    files.push(...printed);
    contents.push(...ofType);
    removed.push(...(await findRemoved(root, type, printed)));
  }
  const pulled = media === null ? null : await planMediaPull(store, media, { root, contents });
  const created: ContentFile[] = [];
  const updated: ContentFile[] = [];
  let unchanged = 0;
  for (const file of [...files, ...(pulled?.notes ?? [])]) {
    const path = join(root, file.path);
    if (!existsSync(path)) created.push(file);
    else if ((await readFile(path, 'utf8')) === file.text) unchanged += 1;
    else updated.push(file);
  }
  const unused = isWhole ? (pulled?.unused ?? []) : [];
  return { created, updated, unchanged, removed: [...removed, ...unused], copies: pulled?.copies ?? [] };
}

/** One step of a pull: a file that is written or removed. */
export interface PullStep {
  readonly path: string;
  readonly run: () => Promise<void>;
}

/** Returns the steps that write and remove files. Each is written as a whole or not at all. */
export function pullSteps(
  { created, updated, removed, copies }: PullPlan,
  { root, media }: Pick<PullOptions, 'root' | 'media'>,
): readonly PullStep[] {
  const copy = (store: MediaStore, { path, file }: MediaCopy): Promise<void> =>
    writeFileAtomically(join(root, path), async (partial) =>
      pipeline(await store.open(file), createWriteStream(partial)),
    );
  return [
    // Removals come first, since some file systems do not distinguish names that differ in case.
    ...removed.map((path) => ({ path, run: () => rm(join(root, path), { force: true }) })),
    ...(media === null ? [] : copies.map((one) => ({ path: one.path, run: () => copy(media, one) }))),
    ...[...created, ...updated].map(({ path, text }) => ({
      path,
      run: () => writeTextAtomically(join(root, path), text),
    })),
  ];
}
