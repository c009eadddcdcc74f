import { createWriteStream, existsSync } from 'node:fs';
import { readFile, rm, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContentType } from '../../model/model.js';
import type { ContentStore } from '../store/content-store.js';
import type { MediaStore, MediaFile } from '../store/media-store.js';
import { baseKey, basePaths, openBases, publishedPath, removeBase, writeBase } from './base-files.js';
import type { Base, BaseFolder, SyncedContent } from './base-files.js';
import type { FileConflict } from './conflict-files.js';
import type { ConflictChoice } from './merge-units.js';
import { FILE_KEYS, printContent, writeFileAtomically, writeTextAtomically } from './print-content.js';
import type { ContentFile } from './print-content.js';
import { NO_EDITS, findEdits } from './pull-edits.js';
import type { FolderEdits } from './pull-edits.js';
import { NEW_KEY, listFiles, NOTE_EXTENSION, mediaFolder, mediaPath, printMediaNote } from './read-folder.js';
import { RELEASE_FILE, printReleaseFile } from './release-file.js';
import type { PulledRelease } from './release-file.js';
import { readStoredContent } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import { groupFiles } from './sync-files.js';
import { chunksOf } from '../../lib/collections.js';
import { kilobytes } from '../../media/file-info.js';
import { keysOfRow } from '../../media/file-table.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { replaceReferences } from '../store/references.js';

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
  /** The paths of written files that keep edits. */
  readonly merged: readonly string[];
  readonly conflicts: readonly FileConflict[];
  /** The number of changed files without a base, whose edits are replaced. */
  readonly unmerged: number;
  /** The number of documents whose files were removed, which a pull does not write again. */
  readonly absent: number;
  readonly folder: BaseFolder;
  /** New bases of documents. */
  readonly synced: readonly SyncedContent[];
  /** Bases of documents that the database lacks. */
  readonly obsolete: readonly Base[];
}

export interface PullOptions {
  readonly root: string;
  readonly types: readonly ContentType[];
  /** Null: uploaded files are skipped. */
  readonly media: MediaStore | null;
  /** True if all types are pulled, so that files that they do not use can be removed. */
  readonly isWhole: boolean;
  readonly isDryRun: boolean;
  readonly choice: ConflictChoice;
  /** True if the database replaces edited files. */
  readonly overwrites: boolean;
  /** The release whose drafts are written. Absent: all content is. */
  readonly release?: PulledRelease;
}

/** True if a file was pulled or pushed. Other files are new documents. */
const isPulled = (text: string): boolean =>
  text.split('\n').some((line) => line.startsWith(`${FILE_KEYS.documentId}:`)) &&
  !text.split('\n').some((line) => line.startsWith(`${NEW_KEY}:`));

/** Returns the files of a type that are in the folder, but no longer in the database. */
const findRemoved = async (
  root: string,
  type: ContentType,
  paths: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const removed: string[] = [];
  for (const path of await listFiles(root, type))
    if (!paths.has(path) && isPulled(await readFile(join(root, path), 'utf8'))) removed.push(path);
  return removed;
};

/** The files that a pull writes for a document, and its base. */
interface PulledContent {
  readonly files: readonly ContentFile[];
  /** Null: the base stays. */
  readonly synced: SyncedContent | null;
  /** True if the files keep edits. */
  readonly isMerged: boolean;
  readonly conflicts: readonly FileConflict[];
}

const isSameFile = (one: ContentFile, other: ContentFile | undefined): boolean =>
  one.path === other?.path && one.text === other.text;

/** Returns the files of a document as the database has it, or with the edits of the folder. */
const pullContent = (
  edits: FolderEdits,
  content: StoredContent,
  printed: readonly ContentFile[],
): PulledContent => {
  const key = baseKey(content);
  const main = printed[0]?.path ?? '';
  const stored = { content, path: main, texts: printed.map(({ text }) => text) };
  const unchanged = { files: printed, synced: stored, isMerged: false, conflicts: [] };
  const removed = edits.removed.get(key);
  if (removed !== undefined) return { isMerged: false, ...removed };
  const edit = edits.units.get(key);
  if (edit === undefined) return unchanged;
  // The file is named as the database names it now.
  const rename = (path: string): string => (path === edit.path ? main : publishedPath(main));
  const files = edit.files.map(({ path, text }) => ({ path: rename(path), text }));
  if (files.length === printed.length && files.every((file, index) => isSameFile(file, printed[index])))
    return unchanged;
  return {
    files,
    // The files have edits that the database lacks, so that their texts are not those of the base.
    synced: { content: edit.content, path: main, texts: [] },
    isMerged: true,
    conflicts: edit.conflicts.map((conflict) => ({ ...conflict, file: rename(conflict.file) })),
  };
};

const compareFiles = async (
  root: string,
  files: readonly ContentFile[],
): Promise<Pick<PullPlan, 'created' | 'updated' | 'unchanged'>> => {
  const created: ContentFile[] = [];
  const updated: ContentFile[] = [];
  let unchanged = 0;
  for (const file of files) {
    const path = join(root, file.path);
    if (!existsSync(path)) created.push(file);
    else if ((await readFile(path, 'utf8')) === file.text) unchanged += 1;
    else updated.push(file);
  }
  return { created, updated, unchanged };
};

/** Returns the drafts of a release, which are printed without the published versions that they replace. */
const draftsOf = (
  contents: readonly StoredContent[],
  { actionOf }: PulledRelease,
): readonly StoredContent[] =>
  contents
    .filter((content) => actionOf(content) !== null)
    .map((content) => ({ ...content, published: content.published === null ? null : content.draft }));

/** Compares a folder with the files of the database's content, and merges edited files. */
export async function planPull(store: ContentStore, options: PullOptions): Promise<PullPlan> {
  const { root, types, media, isWhole, release } = options;
  const unpublish: string[] = [];
  const folder = await openBases(store, types, options);
  const edits = options.overwrites ? NO_EDITS : await findEdits(store, types, folder, options.choice);
  const removed: string[] = [];
  const contents: StoredContent[] = [];
  const pulled: PulledContent[] = [];
  const gone = edits.gone.flatMap(({ files }) => files);
  for (const type of types) {
    const stored = [...(await readStoredContent(store, type)).values()];
    const ofType = release === undefined ? stored : draftsOf(stored, release);
    const printed = groupFiles(ofType, await printContent(store, type, ofType));
    unpublish.push(
      ...ofType
        .filter((content) => release?.actionOf(content) === 'unpublish')
        .flatMap((content) => printed.get(content)?.[0]?.path ?? []),
    );
    const pulledType = ofType.map((content) => pullContent(edits, content, printed.get(content) ?? []));
    const written = [...pulledType.flatMap(({ files }) => files), ...gone];
    removed.push(...(await findRemoved(root, type, new Set(written.map(({ path }) => path)))));
    contents.push(...ofType);
    pulled.push(...pulledType);
  }
  const files = [...pulled.flatMap((one) => one.files), ...gone];
  if (release !== undefined)
    files.push({ path: RELEASE_FILE, text: printReleaseFile({ name: release.name, unpublish }) });
  const pulledMedia = media === null ? null : await planMediaPull(store, media, { root, contents });
  const compared = await compareFiles(root, [...files, ...(pulledMedia?.notes ?? [])]);
  const keys = new Set(contents.map(baseKey));
  const known = new Set([...folder.bases.values()].flatMap(basePaths));
  const paths = new Set(files.map(({ path }) => path));
  const isUnmerged = ({ path }: ContentFile): boolean => paths.has(path) && !known.has(path);
  return {
    ...compared,
    removed: [...removed, ...(isWhole ? (pulledMedia?.unused ?? []) : [])],
    copies: pulledMedia?.copies ?? [],
    merged: pulled.filter(({ isMerged }) => isMerged).flatMap((one) => one.files.map(({ path }) => path)),
    conflicts: [...pulled, ...edits.gone].flatMap(({ conflicts }) => conflicts),
    unmerged: options.overwrites ? 0 : compared.updated.filter(isUnmerged).length,
    absent: pulled.filter((one) => one.files.length === 0).length,
    folder,
    synced: pulled.flatMap(({ synced }) => (synced === null ? [] : [synced])),
    obsolete: [...folder.bases].filter(([key]) => !keys.has(key)).map(([, base]) => base),
  };
}

/** One step of a pull: a file that is written or removed. */
export interface PullStep {
  readonly path: string;
  readonly run: () => Promise<void>;
}

/** Returns the steps that write and remove files. Each is written as a whole or not at all. */
export function pullSteps(
  store: ContentStore,
  { created, updated, removed, copies, folder, synced }: PullPlan,
  { root, media }: Pick<PullOptions, 'root' | 'media'>,
): readonly PullStep[] {
  const copy = (from: MediaStore, { path, file }: MediaCopy): Promise<void> =>
    writeFileAtomically(join(root, path), async (partial) =>
      pipeline(await from.open(file), createWriteStream(partial)),
    );
  const files = [...created, ...updated];
  const bases = new Map(synced.map((one) => [one.path, one]));
  return [
    // Removals come first, since some file systems do not distinguish names that differ in case.
    ...removed.map((path) => ({ path, run: () => rm(join(root, path), { force: true }) })),
    ...(media === null ? [] : copies.map((one) => ({ path: one.path, run: () => copy(media, one) }))),
    ...files.map(({ path, text }) => ({
      path,
      run: async () => {
        await writeTextAtomically(join(root, path), text);
        const base = bases.get(path);
        if (base !== undefined) await writeBase(store.model, folder, base);
      },
    })),
  ];
}

/** Writes the bases of documents whose files a pull does not change, and removes obsolete ones. */
export async function finishPull(
  store: ContentStore,
  { created, updated, folder, synced, obsolete }: PullPlan,
): Promise<void> {
  const written = new Set([...created, ...updated].map(({ path }) => path));
  for (const one of synced) if (!written.has(one.path)) await writeBase(store.model, folder, one);
  for (const base of obsolete) await removeBase(folder, base);
}
