import { mkdir, readdir, readFile, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { printUnifiedDiff } from '../lib/unified-diff.js';

/** What happens to one file. `path` is relative to the project; null text: the file is not there. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Permission bits of a new file. */
  readonly mode?: number;
}

const ALL_BITS = 0o777;

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** The file's text, or null where there is none. */
export async function loadTextIfAny(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The changes as unified diffs, for `--dry-run`. */
export function printChanges(changes: readonly FileChange[]): string {
  return changes.map(printUnifiedDiff).join('');
}

const besideName = (file: string): string => `${file}.${process.pid}.new`;

/** Removes the folders that are empty now, from the file's own upwards, and never `root` itself. */
const pruneFolders = async (root: string, file: string): Promise<void> => {
  for (let folder = dirname(file); folder !== root && relative(root, folder).split(sep)[0] !== '..'; folder = dirname(folder)) {
    if ((await readdir(folder)).length > 0) return;
    await rmdir(folder);
  }
};

/** The permission bits a file has now, so that the one that takes its place has them too. */
const modeOf = (file: string): Promise<number | undefined> => stat(file).then((found) => found.mode & ALL_BITS, () => undefined);

const writeBeside = async (root: string, change: FileChange): Promise<void> => {
  if (change.after === null) return;
  const file = join(root, change.path);
  await mkdir(dirname(file), { recursive: true });
  const mode = (await modeOf(file)) ?? change.mode;
  await writeFile(besideName(file), change.after, mode === undefined ? {} : { mode });
};

const put = async (root: string, path: string, text: string | null): Promise<void> => {
  const file = join(root, path);
  if (text === null) {
    await unlink(file).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await pruneFolders(root, file).catch(() => undefined);
    return;
  }
  await writeBeside(root, { path, before: null, after: text });
  await rename(besideName(file), file);
};

/** Puts every file back as it was before the changes. */
export async function revertChanges(root: string, changes: readonly FileChange[]): Promise<void> {
  for (const change of changes.toReversed()) await put(root, change.path, change.before);
}

const settleOne = async (root: string, change: FileChange): Promise<void> => {
  const file = join(root, change.path);
  if (change.after === null) await put(root, change.path, null);
  else await rename(besideName(file), file);
};

/**
 * Makes all of the changes or none: everything is written beside its place first, then renamed; whatever fails is undone.
 */
export async function applyChanges(root: string, changes: readonly FileChange[]): Promise<void> {
  const done: FileChange[] = [];
  try {
    for (const change of changes) await writeBeside(root, change);
    for (const change of changes) {
      await settleOne(root, change);
      done.push(change);
    }
  } catch (error) {
    for (const change of changes) {
      const file = join(root, change.path);
      await rm(besideName(file), { force: true });
      if (change.before === null) await pruneFolders(root, file).catch(() => undefined);
    }
    await revertChanges(root, done);
    throw error;
  }
}
