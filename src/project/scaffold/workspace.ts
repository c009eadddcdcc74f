import { readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { byCodePoint } from '../../lib/text.js';
import { commitTemporary, loadText, removeTemporary, writeTemporary, writeText } from '../write-text.js';

/** The change of one file. `path` is relative to the project. A null text: the file does not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The permission bits of a new file. */
  readonly mode?: number;
}

/** Removes empty folders from the file's folder upwards, but not `root`. */
const pruneFolders = async (root: string, file: string): Promise<void> => {
  for (
    let folder = dirname(file);
    folder !== root && relative(root, folder).split(sep)[0] !== '..';
    folder = dirname(folder)
  ) {
    if ((await readdir(folder)).length > 0) return;
    await rmdir(folder);
  }
};

const remove = async (root: string, path: string): Promise<void> => {
  const file = join(root, path);
  await rm(file, { force: true });
  await pruneFolders(root, file).catch(() => undefined);
};

/** Restores every file to its text before the changes. */
export async function revertChanges(root: string, changes: readonly FileChange[]): Promise<void> {
  for (const { path, before } of changes.toReversed())
    await (before === null ? remove(root, path) : writeText(join(root, path), before));
}

/**
 * Applies all changes or none. Writes temporary files, then renames them, and removes files last, so that a
 * killed process leaves extra files rather than missing ones. Reverts everything if a step fails.
 */
export async function applyChanges(root: string, changes: readonly FileChange[]): Promise<void> {
  const applied: FileChange[] = [];
  try {
    for (const { path, after, mode } of changes) {
      if (after !== null) await writeTemporary(join(root, path), after, mode);
    }
    const isRemoval = ({ after }: FileChange): boolean => after === null;
    const ordered = [...changes.filter((each) => !isRemoval(each)), ...changes.filter(isRemoval)];
    for (const change of ordered) {
      await (change.after === null ? remove(root, change.path) : commitTemporary(join(root, change.path)));
      applied.push(change);
    }
  } catch (error) {
    for (const change of changes) {
      const file = join(root, change.path);
      await removeTemporary(file);
      if (change.before === null) await pruneFolders(root, file).catch(() => undefined);
    }
    await revertChanges(root, applied);
    throw error;
  }
}

/** A project's files with edits that are not written yet. Paths are relative to the project. */
export interface Workspace {
  /** Returns the text after the edits so far, or null if the file does not exist. */
  readonly read: (path: string) => Promise<string | null>;
  /** Sets the text of a file. Null removes the file. */
  readonly write: (path: string, text: string | null) => Promise<void>;
  /** Returns the changed files, sorted by path. */
  readonly changes: () => readonly FileChange[];
}

export function createWorkspace(root: string): Workspace {
  return createWorkspaceOver((path) => loadText(join(root, path)));
}

/** Returns a workspace over the texts that `read` returns. */
export function createWorkspaceOver(read: Workspace['read']): Workspace {
  const before = new Map<string, string | null>();
  const after = new Map<string, string | null>();
  const load = async (path: string): Promise<string | null> => {
    if (!before.has(path)) before.set(path, await read(path));
    return before.get(path) ?? null;
  };
  return {
    read: async (path) => {
      const stored = await load(path);
      return after.has(path) ? (after.get(path) ?? null) : stored;
    },
    write: async (path, text) => {
      await load(path);
      after.set(path, text);
    },
    changes: () =>
      [...after]
        .map(([path, text]) => ({ path, before: before.get(path) ?? null, after: text }))
        .filter((change) => change.before !== change.after)
        .toSorted((left, right) => byCodePoint(left.path, right.path)),
  };
}
