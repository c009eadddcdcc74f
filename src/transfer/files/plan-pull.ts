import { createWriteStream, existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ContentStore } from '../store/content-store.js';
import type { MediaStore } from '../store/media-store.js';
import type { ContentType } from '../../model/model.js';
import { planMediaPull } from './media/plan-media-pull.js';
import type { MediaCopy } from './media/plan-media-pull.js';
import { FILE_KEYS, printContent } from './print-content.js';
import type { ContentFile } from './print-content.js';
import { listFiles, NEW_KEY } from './read-folder.js';
import { readStoredContent } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import { writeWhole, writeWholeText } from './write-whole.js';

export interface PullPlan {
  readonly created: readonly ContentFile[];
  readonly updated: readonly ContentFile[];
  readonly unchanged: number;
  /** The paths of files whose documents are gone, or have another name now. */
  readonly removed: readonly string[];
  /** Uploaded files whose content is written. */
  readonly copies: readonly MediaCopy[];
}

export interface PullOptions {
  readonly root: string;
  readonly types: readonly ContentType[];
  /** Null: uploaded files are left out. */
  readonly media: MediaStore | null;
  /** True if the types are all that there are, so that uploaded files that they do not use can go. */
  readonly isWhole: boolean;
}

/** True if a file was written by pull, or pushed. Others are documents that the database does not have. */
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

/** Compares a folder with what the database would write into it. */
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
    writeWhole(join(root, path), async (partial) =>
      pipeline(await store.open(file), createWriteStream(partial)),
    );
  return [
    // First, since some file systems take names that differ in case for the same.
    ...removed.map((path) => ({ path, run: () => rm(join(root, path), { force: true }) })),
    ...(media === null ? [] : copies.map((one) => ({ path: one.path, run: () => copy(media, one) }))),
    ...[...created, ...updated].map(({ path, text }) => ({
      path,
      run: () => writeWholeText(join(root, path), text),
    })),
  ];
}
