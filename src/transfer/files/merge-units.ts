import type { ContentModel } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import { canonicalText, digestText, summarizeData, isSame } from './version-data.js';
import type { Base, BaseFolder } from './base-files.js';
import { isUnchanged, STATUS_PATH, mergeVersions } from './merge-values.js';
import type { MergedVersions, Versions } from './merge-values.js';
import { rejectFile } from './read-folder.js';
import { isGenerated } from './resolve-files.js';
import type { IdentifiedFile } from './resolve-files.js';
import type { StoredContent } from './stored-content.js';
import type { Data } from './version-data.js';

/** The side that wins conflicts. Null: conflicts are marked in the files. */
export type ConflictChoice = 'file' | 'database' | null;

/** The bases of a merge of files with the database, and its options. */
export interface Merging {
  readonly folder: BaseFolder;
  readonly choice: ConflictChoice;
  /** True if documents without a file, and files without a document, are removed. */
  readonly deletes: boolean;
}

/** The files of a document in a locale, and the two other states. */
export interface FileUnit {
  readonly file: IdentifiedFile;
  /** The file with the published version. The same as `file` if one file has both; null: not published. */
  readonly live: IdentifiedFile | null;
  /** Null: the database does not have it. */
  readonly current: StoredContent | null;
  /** Null: files and this database never had a state in common. */
  readonly base: Base | null;
}

/** The outcome of merging the files of a document with the database. */
export interface UnitMerge {
  readonly base: Base;
  readonly merged: MergedVersions;
  /** The values that change in the files, as `title`, or `$status`. */
  readonly updates: readonly string[];
}

/** The path of conflicts about a document that one side has deleted. */
export const DOCUMENT_PATH = '$documentId';

/** Returns the files of a unit: the one with the draft, and the one with the published version. */
export function filesOf({ file, live }: Pick<FileUnit, 'file' | 'live'>): readonly IdentifiedFile[] {
  return live === null || live === file ? [file] : [file, live];
}

/** True if the texts of files are those of the base. */
const areTextsUnchanged = (unit: FileUnit): boolean =>
  unit.base !== null &&
  isSame(
    filesOf(unit).map(({ text }) => digestText(text)),
    unit.base.digests,
  );

/**
 * Returns the units whose files were not edited since the base, and need not be parsed further. Units of
 * documents with another edited file are omitted, since locales share values.
 */
export function findUnedited(units: readonly FileUnit[]): ReadonlySet<FileUnit> {
  const edited = new Set(units.filter((unit) => !areTextsUnchanged(unit)).map(({ file }) => file.documentId));
  return new Set(
    units.filter(
      (unit) => areTextsUnchanged(unit) && (unit.current === null || !edited.has(unit.file.documentId)),
    ),
  );
}

const statusOf = ({ draft, published }: Versions): string => {
  if (published === null) return 'draft';
  return published === draft ? 'published' : 'modified';
};

/** Returns the values in which versions differ from the base or from the files. */
const changedPaths = (
  model: ContentModel,
  { type }: Pick<Base, 'type'>,
  { before, after }: { readonly before: Versions; readonly after: Versions },
): readonly string[] => {
  const isChanged = (base: Data | null, data: Data | null, name: string): boolean =>
    data !== null &&
    Object.hasOwn(data, name) &&
    // A file may omit a generated value.
    !(isGenerated(type, name) && !Object.hasOwn(base ?? {}, name)) &&
    !isUnchanged(model, type, base ?? undefined, { [name]: data[name] });
  const names = Object.values(type.attributes)
    .filter(isFileAttribute)
    .map(({ name }) => name)
    .filter(
      (name) =>
        isChanged(before.draft, after.draft, name) || isChanged(before.published, after.published, name),
    );
  return statusOf(before) === statusOf(after) ? names : [STATUS_PATH, ...names];
};

/** Merges a unit whose files were not edited: the database has the only changes. */
export function mergeUnedited(model: ContentModel, base: Base, current: StoredContent): UnitMerge {
  return {
    base,
    merged: { file: current, database: current, conflicts: [] },
    updates: changedPaths(model, base, { before: base, after: current }),
  };
}

/** A unit with the values of its files. */
export interface ResolvedUnit extends FileUnit {
  /** The values in the files. */
  readonly original: Versions;
  /** The values of the files, with edits of shared values in the files of other locales. */
  readonly versions: Versions;
}

/** Merges a unit whose files were edited. */
export function mergeEdited(
  model: ContentModel,
  base: Base,
  {
    unit: { original, versions },
    current,
    choice,
  }: { readonly unit: ResolvedUnit; readonly current: Versions; readonly choice: ConflictChoice },
): UnitMerge {
  const merged = mergeVersions(model, base.type, { base, file: versions, database: current });
  const summarize = (data: Data): Data => summarizeData(model, base.type, data);
  const draft = summarize(original.draft);
  const isOne = original.published === original.draft;
  const before = { draft, published: isOne ? draft : original.published && summarize(original.published) };
  const after = choice === 'database' ? merged.database : merged.file;
  return {
    base,
    merged: choice === null ? merged : { ...merged, conflicts: [] },
    updates: changedPaths(model, base, { before, after }),
  };
}

/** Returns the new value of a shared attribute that the files of a document contain. Undefined: none. */
const findSharedEdit = (
  model: ContentModel,
  units: readonly ResolvedUnit[],
  { name, version }: { readonly name: string; readonly version: 'draft' | 'published' },
): { readonly value: unknown } | undefined => {
  const edits = units.filter(({ base, versions }) => {
    const data = versions[version];
    if (base === null || data === null || !Object.hasOwn(data, name)) return false;
    return !isUnchanged(model, base.type, base[version] ?? base.draft, { [name]: data[name] });
  });
  const [first] = edits;
  if (first === undefined) return undefined;
  const value = first.versions[version]?.[name];
  const other = edits.find(
    ({ versions }) => canonicalText(versions[version]?.[name]) !== canonicalText(value),
  );
  if (other !== undefined)
    rejectFile(
      other.file,
      name,
      `${name} is shared by all locales, but ${first.file.path} contains another new value.`,
    );
  return { value };
};

/**
 * Applies edits of values that all locales share to the files of all locales, so that files without the edit
 * do not revert it.
 *
 * @throws `content/rejected-file` if the files of two locales contain different new values
 */
export function shareEdits(model: ContentModel, units: readonly ResolvedUnit[]): readonly ResolvedUnit[] {
  const [first] = units;
  const shared = Object.values(first?.file.type.attributes ?? {}).filter(
    (attribute) => isFileAttribute(attribute) && !attribute.localized,
  );
  if (units.length < 2 || shared.length === 0) return units;
  const edits = (version: 'draft' | 'published'): Data =>
    Object.fromEntries(
      shared.flatMap(({ name }) => {
        const edit = findSharedEdit(model, units, { name, version });
        return edit === undefined ? [] : [[name, edit.value] as const];
      }),
    );
  const [drafts, lives] = [edits('draft'), edits('published')];
  return units.map((unit) => {
    const { draft, published } = unit.versions;
    if (unit.base === null) return unit;
    const edited = { ...draft, ...drafts };
    const live = published === draft ? edited : published && { ...published, ...lives };
    return { ...unit, versions: { draft: edited, published: live } };
  });
}
