import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ContentStore } from '../content-store/content-store.js';
import type { ContentType } from '../model/model.js';
import { FILE_KEYS, printContent } from './print-content.js';
import type { ContentFile } from './print-content.js';
import { listFiles, NEW_KEY } from './read-folder.js';
import { readStoredContent } from './stored-content.js';

export interface PullPlan {
  readonly created: readonly ContentFile[];
  readonly updated: readonly ContentFile[];
  readonly unchanged: number;
  /** The paths of files whose documents are gone, or have another name now. */
  readonly removed: readonly string[];
}

/** Whether a file was written by pull, or pushed. Others are documents that the database does not have. */
const isPulled = (text: string): boolean =>
  text.split('\n').some((line) => line.startsWith(`${FILE_KEYS.documentId}:`)) &&
  !text.split('\n').some((line) => line.startsWith(`${NEW_KEY}:`));

/** Compares a folder with what the database would write into it. */
export async function planPull(
  store: ContentStore,
  root: string,
  types: readonly ContentType[],
): Promise<PullPlan> {
  const created: ContentFile[] = [];
  const updated: ContentFile[] = [];
  const removed: string[] = [];
  let unchanged = 0;
  for (const type of types) {
    const files = await printContent(store, type, [...(await readStoredContent(store, type)).values()]);
    const paths = new Set(files.map(({ path }) => path));
    for (const file of files) {
      const path = join(root, file.path);
      if (!existsSync(path)) created.push(file);
      else if ((await readFile(path, 'utf8')) === file.text) unchanged += 1;
      else updated.push(file);
    }
    for (const path of await listFiles(root, type))
      if (!paths.has(path) && isPulled(await readFile(join(root, path), 'utf8'))) removed.push(path);
  }
  return { created, updated, unchanged, removed };
}

/** Writes and removes the files of a plan. */
export async function writePull(root: string, { created, updated, removed }: PullPlan): Promise<void> {
  // First, since some file systems take names that differ in case for the same.
  for (const path of removed) await rm(join(root, path));
  for (const { path, text } of [...created, ...updated]) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}
