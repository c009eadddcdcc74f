/**
 * The folder files pulls content into files and pushes it back. This file plans a push, apply-plan.ts
 * applies it, and plan-pull.ts plans a pull.
 */
import { groupBy } from '../../lib/collections.js';
import type { ContentType } from '../../model/model.js';
import type { ContentStore, ContentWrite } from '../store/content-store.js';
import { namingAttributes } from '../store/references.js';
import { baseKey } from './base-files.js';
import type { Base } from './base-files.js';
import { identifyFiles, joinUnits } from './join-units.js';
import type { StoredByType } from './join-units.js';
import { filesOf, findUnedited, mergeEdited, mergeUnedited, shareEdits } from './merge-units.js';
import type { ConflictChoice, FileUnit, Merging, ResolvedUnit, UnitMerge } from './merge-units.js';
import { NO_MEDIA } from './push-media.js';
import type { MediaPlan } from './push-media.js';
import { createNameLinks } from './print-content.js';
import type { NameLinks } from './print-content.js';
import { rejectFile } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { mapFiles } from './rejected-files.js';
import { findExcludedAttribute, resolveFiles, withPrivateValues } from './resolve-files.js';
import type { IdentifiedFile } from './resolve-files.js';
import { readStoredContent } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import { changedValues } from './version-data.js';
import type { Data } from './version-data.js';

/** Content of one document in one locale, as its files and the database will have it. */
interface Unit extends FileUnit {
  readonly locale: string | null;
  readonly draft: Data;
  /** Null: not published. The same object as the draft if both are equal. */
  readonly published: Data | null;
  /** Null: the values are those of the files, which have no base. */
  readonly merge: UnitMerge | null;
  /** True for the first unit of a document that the database has in no locale. */
  readonly isNewDocument: boolean;
}

const isEmpty = (data: Data): boolean => Object.keys(data).length === 0;

/** State of a document in a locale in the database, between planned writes. Null: not in the database yet. */
interface VersionState {
  readonly draft: Data | null;
  readonly published: Data | null;
}

/** Returns the writes that apply a file to the database. They contain only values that change. */
export function planVersionWrites(
  unit: Pick<Unit, 'file' | 'locale' | 'draft' | 'published' | 'isNewDocument'> & {
    readonly current: VersionState | null;
  },
): readonly ContentWrite[] {
  const { file, locale, draft, published, current } = unit;
  const writes: ContentWrite[] = [];
  let known: Data | null = current?.draft ?? null;
  const common = { documentId: file.documentId, ...(locale === null ? {} : { locale }) };
  const save = (values: Data, status: 'draft' | 'published', mustWrite: boolean): void => {
    const data = changedValues(known ?? {}, values);
    if (isEmpty(data) && !mustWrite && known !== null) return;
    const action = known === null && unit.isNewDocument ? 'create' : 'update';
    if (known !== null && isEmpty(data)) writes.push({ action: 'publish', ...common });
    else writes.push({ action, ...common, data, status });
    known = { ...known, ...values };
  };
  if (!file.type.draftAndPublish) {
    save(draft, 'published', false);
    return writes;
  }
  const live = current?.published ?? null;
  if (published === null && live !== null) writes.push({ action: 'unpublish', ...common });
  if (published !== null) {
    const isLiveChanged = live === null || !isEmpty(changedValues(live, published));
    if (isLiveChanged || published === draft) save(published, 'published', isLiveChanged);
  }
  if (published !== draft) save(draft, 'draft', false);
  return writes;
}

export interface PlannedUnit extends Unit {
  readonly writes: readonly ContentWrite[];
}

export interface Plan {
  readonly units: readonly PlannedUnit[];
  /** Content of the database that no file has. */
  readonly missing: readonly StoredContent[];
  /** All files that were read. */
  readonly files: readonly IdentifiedFile[];
  readonly media: MediaPlan;
  /** Replaces documentIds in changed values by names, for output. */
  readonly nameLinks: NameLinks;
  /** Names of documents and uploaded files that are not stored yet, by documentId. */
  readonly newNames: ReadonlyMap<string, string>;
  /** Null: the files override the database. */
  readonly merging: Merging | null;
  /** Unedited files whose documents were deleted from the database. */
  readonly deleted: readonly FileUnit[];
  /** Documents that one side has deleted and the other one has changed. */
  readonly disputed: readonly Disputed[];
  /** Changed documents that are kept although their files were deleted. */
  readonly restored: readonly Disputed[];
  /** Bases whose files and documents no longer exist, or will not. */
  readonly obsolete: readonly Base[];
}

/** A document that one side has deleted and the other one has changed. */
export interface Disputed {
  readonly base: Base;
  /** Null: the files were deleted. */
  readonly unit: FileUnit | null;
  /** Null: the document was deleted from the database. */
  readonly current: StoredContent | null;
}

/** Returns the names of new documents and uploaded files, by documentId. */
const findNewNames = (units: readonly Unit[], { changes }: MediaPlan): ReadonlyMap<string, string> => {
  const names = new Map(changes.map(({ documentId, name }) => [documentId, name]));
  for (const { file, draft } of units.filter(({ isNewDocument }) => isNewDocument)) {
    const name = namingAttributes(file.type)
      .map((attribute) => draft[attribute])
      .find((value) => typeof value === 'string' && value !== '');
    if (typeof name === 'string') names.set(file.documentId, name);
  }
  return names;
};

const nameChangedLinks = (
  store: ContentStore,
  units: readonly PlannedUnit[],
  newNames: ReadonlyMap<string, string>,
): Promise<NameLinks> => {
  const versions = units.flatMap(({ file, writes, current }) => {
    const before = writes.length === 0 ? [] : [current?.draft ?? {}, current?.published ?? {}];
    return [...writes.map(({ data = {} }) => data), ...before].map((data) => ({ type: file.type, data }));
  });
  return createNameLinks(store, versions, newNames);
};

const rejectExcludedAttribute = (store: ContentStore, file: ParsedFile): void => {
  const path = findExcludedAttribute(store.model, file);
  const [name = ''] = path?.split('.') ?? [];
  if (path !== undefined)
    rejectFile(
      file,
      name,
      `Files do not hold ${path}: it belongs to the other side of a relation, or is excluded from files.`,
    );
};

/** Reads the stored content of types, with private values of documents whose files contain some. */
const readStored = async (
  store: ContentStore,
  types: readonly ContentType[],
  parsed: readonly ParsedFile[],
): Promise<StoredByType> => {
  const stored = new Map<string, ReadonlyMap<string, StoredContent>>();
  for (const type of types) {
    const ofType = await readStoredContent(store, type);
    stored.set(type.uid, await withPrivateValues(store, type, ofType, parsed));
  }
  return stored;
};

/** Returns the values of the units whose files need to be resolved. */
const resolveUnits = async (
  store: ContentStore,
  units: readonly FileUnit[],
  { media, unedited }: { readonly media: MediaPlan; readonly unedited: ReadonlySet<FileUnit> },
): Promise<ReadonlyMap<FileUnit, ResolvedUnit>> => {
  const skipped = new Set([...unedited].flatMap(filesOf));
  const resolved = await resolveFiles(store, units.flatMap(filesOf), media.names, (file) =>
    skipped.has(file),
  );
  const dataOf = (file: IdentifiedFile): Data => resolved.get(file) ?? {};
  const edited = units
    .filter((unit) => !unedited.has(unit))
    .map((unit): readonly [FileUnit, ResolvedUnit] => {
      const draft = dataOf(unit.file);
      const published = unit.live === unit.file ? draft : unit.live && dataOf(unit.live);
      const versions = { draft, published };
      return [unit, { ...unit, versions, original: versions }];
    });
  const byDocument = groupBy(edited, ([{ file }]) => `${file.type.uid} ${file.documentId}`);
  return new Map(
    mapFiles([...byDocument.values()], (ofDocument) => {
      const shared = shareEdits(
        store.model,
        ofDocument.map(([, unit]) => unit),
      );
      return ofDocument.map(([unit, own], index): [FileUnit, ResolvedUnit] => [unit, shared[index] ?? own]);
    }).flat(),
  );
};

/** Merges the files of a document in a locale with the database. */
const mergeUnit = (
  store: ContentStore,
  unit: FileUnit,
  resolved: ResolvedUnit | undefined,
  choice: ConflictChoice,
): Pick<Unit, 'draft' | 'published' | 'merge'> => {
  const { base, current } = unit;
  if (base === null || current === null)
    return { ...(resolved?.versions ?? { draft: {}, published: null }), merge: null };
  const merge =
    resolved === undefined
      ? mergeUnedited(store.model, base, current)
      : mergeEdited(store.model, base, { unit: resolved, current, choice });
  const { draft, published } = choice === 'database' ? merge.merged.database : merge.merged.file;
  return { draft, published, merge };
};

/** Separates the units of documents that were deleted from the database since the base. */
const separateDeleted = (
  units: readonly FileUnit[],
  unedited: ReadonlySet<FileUnit>,
  choice: ConflictChoice | undefined,
): {
  readonly kept: readonly FileUnit[];
  readonly deleted: readonly FileUnit[];
  readonly disputed: readonly Disputed[];
} => {
  const isGone = ({ base, current }: FileUnit): boolean =>
    choice !== 'file' && base !== null && current === null;
  const gone = units.filter(isGone);
  const isDeleted = (unit: FileUnit): boolean => unedited.has(unit) || choice === 'database';
  return {
    kept: units.filter((unit) => !isGone(unit)),
    deleted: gone.filter(isDeleted),
    disputed: gone.flatMap((unit) =>
      unit.base === null || isDeleted(unit) ? [] : [{ base: unit.base, unit, current: null }],
    ),
  };
};

/** Separates the stored content without files that was changed since its files were deleted. */
const separateChanged = (
  { model }: ContentStore,
  missing: readonly StoredContent[],
  merging: Merging | null,
): Pick<Plan, 'missing' | 'disputed' | 'restored'> => {
  if (merging === null || !merging.deletes || merging.choice === 'file')
    return { missing, disputed: [], restored: [] };
  const disputed = missing.flatMap((current): readonly Disputed[] => {
    const base = merging.folder.bases.get(baseKey(current));
    if (base === undefined) return [];
    const isChanged = mergeUnedited(model, base, current).updates.length > 0;
    return isChanged ? [{ base, unit: null, current }] : [];
  });
  const changed = new Set(disputed.map(({ current }) => current));
  return {
    missing: missing.filter((content) => !changed.has(content)),
    disputed: merging.choice === null ? disputed : [],
    restored: merging.choice === null ? [] : disputed,
  };
};

export interface PushOptions {
  readonly media?: MediaPlan;
  /** Null: the files override the database. */
  readonly merging?: Merging | null;
  /** True if the push writes drafts alone: published versions stay. */
  readonly savesDrafts?: boolean;
}

/**
 * Compares files with the database, and merges them if there are bases.
 *
 * @throws `content/rejected-file`, `content/rejected-files`
 */
export async function planPush(
  store: ContentStore,
  types: readonly ContentType[],
  parsed: readonly ParsedFile[],
  { media = NO_MEDIA, merging = null, savesDrafts = false }: PushOptions = {},
): Promise<Plan> {
  mapFiles(parsed, (file) => rejectExcludedAttribute(store, file));
  const stored = await readStored(store, types, parsed);
  const all = [...stored.values()].flatMap((ofType) => [...ofType.values()]);
  const files = await identifyFiles(store, parsed, all);
  const joined = joinUnits(files, stored, merging);
  const unedited = findUnedited(joined);
  const { kept, deleted, disputed } = separateDeleted(joined, unedited, merging?.choice);
  const merged = new Set(kept.filter((unit) => unedited.has(unit) && unit.current !== null));
  const resolved = await resolveUnits(store, kept, { media, unedited: merged });
  const existing = new Set(all.map(({ documentId }) => documentId));
  const isFirst = (documentId: string): boolean => {
    const isKnown = existing.has(documentId);
    existing.add(documentId);
    return !isKnown;
  };
  const units = kept.map((unit): Unit => ({
    ...unit,
    ...mergeUnit(store, unit, resolved.get(unit), merging?.choice ?? null),
    locale: unit.file.locale,
    isNewDocument: isFirst(unit.file.documentId),
  }));
  const inFiles = new Set(files.map(baseKey));
  const absent = separateChanged(
    store,
    all.filter((content) => !inFiles.has(baseKey(content))),
    merging,
  );
  const remaining = new Set([...files, ...(merging?.deletes === true ? [] : absent.missing)].map(baseKey));
  for (const { current } of absent.restored) if (current !== null) remaining.add(baseKey(current));
  const bases = [...(merging?.folder.bases ?? [])];
  const planned = units.map((unit) => {
    const versions = savesDrafts ? { ...unit, published: unit.current?.published ?? null } : unit;
    return { ...versions, writes: planVersionWrites(versions) };
  });
  const newNames = findNewNames(units, media);
  return {
    units: planned,
    missing: absent.missing,
    files,
    media,
    merging,
    deleted,
    disputed: [...disputed, ...absent.disputed],
    restored: absent.restored,
    obsolete: bases.filter(([key]) => !remaining.has(key)).map(([, base]) => base),
    newNames,
    nameLinks: await nameChangedLinks(store, planned, newNames),
  };
}
