import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentType } from '../../model/model.js';
import { defaultLocaleOf } from '../store/content-store.js';
import type { ContentStore } from '../store/content-store.js';
import { baseKey, basePaths, publishedPath } from './base-files.js';
import type { Base, BaseFolder, SyncedContent } from './base-files.js';
import { digestText } from './version-data.js';
import { markDisputed, markNew, markUnits } from './conflict-files.js';
import type { ConflictFiles, FileConflict } from './conflict-files.js';
import { filesOf, mergeUnedited } from './merge-units.js';
import type { ConflictChoice } from './merge-units.js';
import { planPush } from './plan.js';
import type { Plan } from './plan.js';
import type { ContentFile } from './print-content.js';
import { listFiles, parseFile } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { mapFiles } from './rejected-files.js';
import { contentOf, printTexts } from './sync-files.js';
import { readStoredContent } from './stored-content.js';
import type { StoredContent } from './stored-content.js';

/** Edited files of a document, merged with the database. */
interface EditedFiles {
  /** The path of the file with the draft. */
  readonly path: string;
  readonly files: readonly ContentFile[];
  readonly conflicts: readonly FileConflict[];
  /** The content that was merged. */
  readonly content: StoredContent;
}

/** The edits of a folder since its bases, with all changes of the database. */
export interface FolderEdits {
  /** By {@link baseKey}. */
  readonly units: ReadonlyMap<string, EditedFiles>;
  /** Documents whose files were removed, by {@link baseKey}. Without files, they stay removed. */
  readonly removed: ReadonlyMap<string, RemovedFiles>;
  /** Edited files whose documents were deleted from the database. */
  readonly gone: readonly Pick<ConflictFiles, 'files' | 'conflicts'>[];
}

interface RemovedFiles extends Pick<ConflictFiles, 'files' | 'conflicts'> {
  /** Null: the base stays. */
  readonly synced: SyncedContent | null;
}

export const NO_EDITS: FolderEdits = { units: new Map(), removed: new Map(), gone: [] };

/** The files of a type that have a base. */
interface KnownFiles {
  /** The bases whose documents have files. */
  readonly present: ReadonlySet<Base>;
  /** All files of documents of which one was edited. */
  readonly edited: readonly ParsedFile[];
}

/** Finds the files that differ from their bases. Parses only these and the other files of their documents. */
const readEdited = async (
  { root, bases }: BaseFolder,
  type: ContentType,
  defaultLocale: string | null,
): Promise<KnownFiles> => {
  const digests = new Map<string, { readonly base: Base; readonly digest: string | undefined }>();
  for (const base of bases.values())
    if (base.type === type)
      for (const [index, path] of basePaths(base).entries())
        digests.set(path, { base, digest: base.digests[index] });
  if (digests.size === 0) return { present: new Set(), edited: [] };
  const texts: { readonly path: string; readonly text: string; readonly known: Base | null }[] = [];
  for (const path of await listFiles(root, type)) {
    const text = await readFile(join(root, path), 'utf8');
    const found = digests.get(path);
    texts.push({ path, text, known: found?.digest === digestText(text) ? found.base : null });
  }
  const baseOf = ({ documentId, locale, isNew }: ParsedFile): Base | undefined =>
    documentId === null || isNew
      ? undefined
      : bases.get(baseKey({ type, documentId, locale: type.localized ? (locale ?? defaultLocale) : null }));
  const parse = (files: typeof texts) => mapFiles(files, ({ path, text }) => parseFile(type, path, text));
  const parsed = parse(texts.filter(({ known }) => known === null)).filter(
    (file) => baseOf(file) !== undefined,
  );
  const edited = new Set(parsed.map(baseOf));
  const others = parse(texts.filter(({ known }) => known !== null && edited.has(known)));
  const present = [...texts.map(({ known }) => known), ...edited].filter((base) => base instanceof Object);
  return { present: new Set(present), edited: [...parsed, ...others] };
};

const mergeFiles = async (
  store: ContentStore,
  plan: Plan,
  choice: ConflictChoice,
): Promise<ReadonlyMap<string, EditedFiles>> => {
  const units = plan.units.filter(({ merge, current }) => merge !== null && current !== null);
  const marked = choice === null ? await markUnits(store, units, plan.newNames) : new Map();
  const merged = new Map(units.map((unit) => [unit, contentOf(unit, unit)] as const));
  const texts = await printTexts(store, [...merged.values()], plan.newNames);
  return new Map(
    units.flatMap((unit) => {
      const { file, current } = unit;
      const content = merged.get(unit);
      if (current === null || content === undefined) return [];
      const paths = [file.path, filesOf(unit)[1]?.path ?? publishedPath(file.path)];
      const printed = (texts.get(content) ?? []).map((text, index) => ({ path: paths[index] ?? '', text }));
      const { files = printed, conflicts = [] } = marked.get(unit) ?? {};
      return [[baseKey(file), { path: file.path, files, conflicts, content: current }] as const];
    }),
  );
};

/** Returns the documents of a type whose files were removed. */
const findRemoved = async (
  store: ContentStore,
  bases: readonly Base[],
  choice: ConflictChoice,
): Promise<readonly (readonly [string, RemovedFiles])[]> => {
  const [first] = bases;
  if (first === undefined) return [];
  const stored = new Map(
    [...(await readStoredContent(store, first.type)).values()].map((one) => [baseKey(one), one]),
  );
  const nothing: RemovedFiles = { files: [], conflicts: [], synced: null };
  const found: [string, RemovedFiles][] = [];
  for (const base of bases) {
    const current = stored.get(baseKey(base));
    if (current === undefined) continue;
    const isChanged = mergeUnedited(store.model, base, current).updates.length > 0;
    if (!isChanged || choice === 'file') found.push([baseKey(base), nothing]);
    else if (choice === null) {
      const [marked] = await markDisputed(store, [{ base, unit: null, current }]);
      found.push([baseKey(base), marked ?? nothing]);
    }
  }
  return found;
};

/**
 * Finds the edits of a folder since its bases, and merges them with the database.
 *
 * @throws `content/invalid-file`, `content/rejected-file`, `content/rejected-files`
 */
export async function findEdits(
  store: ContentStore,
  types: readonly ContentType[],
  folder: BaseFolder,
  choice: ConflictChoice,
): Promise<FolderEdits> {
  const defaultLocale = await defaultLocaleOf(store);
  const edited: ParsedFile[] = [];
  const removed: (readonly [string, RemovedFiles])[] = [];
  for (const type of types) {
    const known = await readEdited(folder, type, defaultLocale);
    edited.push(...known.edited);
    const bases = [...folder.bases.values()].filter((base) => base.type === type && !known.present.has(base));
    removed.push(...(await findRemoved(store, bases, choice)));
  }
  if (edited.length === 0) return { ...NO_EDITS, removed: new Map(removed) };
  const editedTypes = types.filter((type) => edited.some((file) => file.type === type));
  const merging = { folder, choice, deletes: false };
  const plan = await planPush(store, editedTypes, edited, { merging });
  const kept = plan.units.filter(({ base, current }) => base !== null && current === null);
  return {
    units: await mergeFiles(store, plan, choice),
    removed: new Map(removed),
    gone: [
      ...(await markDisputed(store, plan.disputed)),
      ...kept.map((unit) => ({
        files: filesOf(unit).map(({ path, text }) => ({ path, text: markNew(text) })),
        conflicts: [],
      })),
    ],
  };
}
