import { join } from 'node:path';
import { loadText } from '../write-text.js';
import { byCodePoint } from '../../lib/compare.js';
import type { FileChange } from './file-changes.js';

/** A project's files with edits that are not written yet. Paths are relative to the project. */
export interface Workspace {
  /** Returns the text after the edits so far, or null where there is no such file. */
  readonly read: (path: string) => Promise<string | null>;
  /** Sets the text of a file. Null removes the file. */
  readonly write: (path: string, text: string | null) => Promise<void>;
  /** Returns the files that differ from what was read, sorted by path. */
  readonly changes: () => readonly FileChange[];
}

export function createWorkspace(root: string): Workspace {
  return createWorkspaceOver((path) => loadText(join(root, path)));
}

/** Returns a workspace whose edits are made to a copy of what `read` returns. */
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
