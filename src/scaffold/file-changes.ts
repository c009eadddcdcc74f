import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { dropBeside, takePlace, writeBeside, writeText } from '../app/write-text.js';
import { printUnifiedDiff } from '../lib/unified-diff.js';

/** What happens to one file. `path` is relative to the project; null text: the file is not there. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Permission bits of a new file. */
  readonly mode?: number;
}

/** The changes as unified diffs, for `--dry-run`. */
export function printChanges(changes: readonly FileChange[]): string {
  return changes.map(printUnifiedDiff).join('');
}

/** Removes the folders that are empty now, from the file's own upwards, and never `root` itself. */
const pruneFolders = async (root: string, file: string): Promise<void> => {
  for (let folder = dirname(file); folder !== root && relative(root, folder).split(sep)[0] !== '..'; folder = dirname(folder)) {
    if ((await readdir(folder)).length > 0) return;
    await rmdir(folder);
  }
};

const remove = async (root: string, path: string): Promise<void> => {
  const file = join(root, path);
  await rm(file, { force: true });
  await pruneFolders(root, file).catch(() => undefined);
};

/** Puts every file back as it was before the changes. */
export async function revertChanges(root: string, changes: readonly FileChange[]): Promise<void> {
  for (const { path, before } of changes.toReversed()) await (before === null ? remove(root, path) : writeText(join(root, path), before));
}

/**
 * Makes all of the changes or none: everything is written beside its place first, then renamed; whatever fails is undone.
 */
export async function applyChanges(root: string, changes: readonly FileChange[]): Promise<void> {
  const done: FileChange[] = [];
  try {
    for (const { path, after, mode } of changes) {
      if (after !== null) await writeBeside(join(root, path), after, mode);
    }
    for (const change of changes) {
      await (change.after === null ? remove(root, change.path) : takePlace(join(root, change.path)));
      done.push(change);
    }
  } catch (error) {
    for (const change of changes) {
      const file = join(root, change.path);
      await dropBeside(file);
      if (change.before === null) await pruneFolders(root, file).catch(() => undefined);
    }
    await revertChanges(root, done);
    throw error;
  }
}
