import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { DOCUMENT_LINE } from './mark-files.js';
import type { ContentStore } from '../store/content-store.js';
import { basePaths, publishedPath, removeBase, writeBase } from './base-files.js';
import type { BaseFolder, SyncedContent } from './base-files.js';
import { markConflicts } from './rejected-files.js';
import type { MarkedText } from './rejected-files.js';
import { DOCUMENT_PATH, filesOf } from './merge-units.js';
import type { Conflict } from './merge-values.js';
import type { Disputed, Plan, PlannedUnit } from './plan.js';
import { writeTextAtomically } from './print-content.js';
import { NEW_KEY } from './read-folder.js';
import { contentOf, printTexts } from './sync-files.js';

/** A conflict and its location in a file. */
export interface FileConflict {
  readonly file: string;
  /** The line of its marker in the marked text. */
  readonly line: number;
  /** The line of the attribute in the present file. */
  readonly fileLine: number;
  /** The path of the value: `title`, `$status`, or `$documentId` if one side has deleted the document. */
  readonly attribute: string;
}

/** The files of a document with conflict markers. */
export interface ConflictFiles {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The path of a published version that neither side has. */
  readonly removed: string | null;
  readonly conflicts: readonly FileConflict[];
  /** The state of the database, which is the base after the conflict. Null: it does not have the document. */
  readonly synced: SyncedContent | null;
  /** The path of the earlier base, without its extension. */
  readonly stem: string;
}

const locate = (
  conflicts: readonly Conflict[],
  {
    unit,
    paths,
    marked,
  }: {
    readonly unit: PlannedUnit;
    readonly paths: readonly string[];
    readonly marked: readonly MarkedText[];
  },
): readonly FileConflict[] =>
  conflicts.map(({ version, path }) => {
    // A published version without a separate file has its conflicts in the file of the draft.
    const index = version === 'published' && marked.length > 1 && path !== '$status' ? 1 : 0;
    const keys = path.split('.');
    const line = marked[index]?.lineOf(keys) ?? 1;
    const fileLine = (filesOf(unit)[index] ?? unit.file).lineOf(keys[0] ?? '');
    return { file: paths[index] ?? '', line, fileLine, attribute: path };
  });

/** Marks the conflicts of units whose files and documents both exist. */
export async function markUnits(
  store: ContentStore,
  units: readonly PlannedUnit[],
  newNames: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<PlannedUnit, ConflictFiles>> {
  const sides = units.flatMap((unit) => {
    const { current, merge } = unit;
    if (merge === null || current === null || merge.merged.conflicts.length === 0) return [];
    const { file, database, conflicts } = merge.merged;
    return [
      { unit, merge, conflicts, current, file: contentOf(unit, file), database: contentOf(unit, database) },
    ];
  });
  const texts = await printTexts(
    store,
    sides.flatMap(({ file, database }) => [file, database]),
    newNames,
  );
  const marked = new Map<PlannedUnit, ConflictFiles>();
  for (const { unit, merge, conflicts, current, file, database } of sides) {
    const [own, other] = [texts.get(file) ?? [], texts.get(database) ?? []];
    const printed = Array.from({ length: Math.max(own.length, other.length) }, (_, index) => {
      // A file that only one side has is written as it is.
      const [fileText, databaseText] = [own[index] ?? other[index] ?? '', other[index] ?? own[index] ?? ''];
      return markConflicts(unit.file.type, { file: fileText, database: databaseText });
    });
    const live = filesOf(unit)[1];
    const paths = [unit.file.path, live?.path ?? publishedPath(unit.file.path)];
    const files = printed.map(({ text }, index) => ({ path: paths[index] ?? '', text }));
    marked.set(unit, {
      files,
      removed: live !== undefined && files.length === 1 ? live.path : null,
      conflicts: locate(conflicts, { unit, paths, marked: printed }),
      synced: { content: current, path: unit.file.path, texts: [] },
      stem: merge.base.stem,
    });
  }
  return marked;
}

/** Marks the file of a deleted document as that of a new one, so that the next push creates it again. */
export function markNew(text: string): string {
  return text.includes(`\n${NEW_KEY}:`) ? text : text.replace(DOCUMENT_LINE, `$&\n${NEW_KEY}: true`);
}

/** Marks documents that one side has deleted and the other one has changed. */
export async function markDisputed(
  store: ContentStore,
  disputed: readonly Disputed[],
): Promise<readonly ConflictFiles[]> {
  const stored = disputed.flatMap(({ current }) => (current === null ? [] : [current]));
  const texts = await printTexts(store, stored);
  return disputed.map(({ base, unit, current }) => {
    const known = unit === null ? [] : filesOf(unit);
    const own = known.map(({ text }) => markNew(text));
    const other = current === null ? [] : (texts.get(current) ?? []);
    const paths = known.length > 0 ? known.map(({ path }) => path) : basePaths(base);
    const marked = (own.length > 0 ? own : other).map((_, index) =>
      markConflicts(base.type, { file: own[index] ?? '', database: other[index] ?? '' }),
    );
    const files = marked.map(({ text }, index) => ({ path: paths[index] ?? '', text }));
    return {
      files,
      removed: null,
      conflicts: files.map(({ path }) => ({ file: path, line: 1, fileLine: 1, attribute: DOCUMENT_PATH })),
      synced: current === null ? null : { content: current, path: paths[0] ?? '', texts: [] },
      stem: base.stem,
    };
  });
}

/** Returns the files of a push that have conflicts, with markers. */
export async function markPlan(store: ContentStore, plan: Plan): Promise<readonly ConflictFiles[]> {
  const units = await markUnits(store, plan.units, plan.newNames);
  return [...units.values(), ...(await markDisputed(store, plan.disputed))];
}

/**
 * Writes files with conflict markers. Their base becomes the state of the database, since the files now
 * contain all its changes.
 */
export async function writeConflicts(
  store: ContentStore,
  folder: BaseFolder,
  marked: readonly ConflictFiles[],
): Promise<void> {
  for (const { files, removed, synced, stem } of marked) {
    if (removed !== null) await rm(join(folder.root, removed), { force: true });
    for (const { path, text } of files) await writeTextAtomically(join(folder.root, path), text);
    if (synced === null) await removeBase(folder, { stem });
    else await writeBase(store.model, folder, synced);
  }
}

/** Returns the error about conflicts. `isMarked` is true if the files contain their markers. */
export function conflictError(conflicts: readonly FileConflict[], isMarked: boolean): GalleyError {
  const fileIssues = conflicts.map(({ file, line, fileLine, attribute }) => ({
    file,
    line: isMarked ? line : fileLine,
    path: [attribute],
    message: 'was changed in the file and in the database.',
  }));
  const list = fileIssues.map(({ file, line, path }) => `\n  ${file}:${line}: ${path.join('.')}`).join('');
  return createError(
    'content/conflict',
    {
      count: conflicts.length,
      list,
      remedy: isMarked
        ? 'Edit the files between <<<<<<< and >>>>>>>, remove these lines, and run the command again.'
        : 'cms content push marks them in the files.',
    },
    { details: { fileIssues } },
  );
}
