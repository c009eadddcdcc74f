/**
 * The folder files pulls content into files and pushes it back. This file plans a push, apply-plan.ts
 * applies it, and plan-pull.ts plans a pull.
 */
import { getOrCreate } from '../../lib/collections.js';
import { createDocumentId } from '../../lib/ids.js';
import type { ContentType } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import type { ContentStore, ContentWrite } from '../store/content-store.js';
import { namingAttributes } from '../store/references.js';
import { NO_MEDIA } from './push-media.js';
import type { MediaPlan } from './push-media.js';
import { FILE_KEYS, createNameLinks } from './print-content.js';
import type { NameLinks } from './print-content.js';
import { rejectFile } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { mapFiles } from './rejected-files.js';
import { findExcludedAttribute, resolveFiles, withPrivateValues } from './resolve-files.js';
import type { IdentifiedFile } from './resolve-files.js';
import { contentKey, readStoredContent } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import { changedValues } from './version-data.js';
import type { Data } from './version-data.js';

/** Content of one document in one locale, in the files and in the database. */
interface Unit {
  /** The file that messages are about. */
  readonly file: IdentifiedFile;
  readonly locale: string | null;
  readonly draft: Data;
  /** Null: not published. The same object as the draft if both are equal. */
  readonly published: Data | null;
  /** Null: not in the database yet. */
  readonly current: StoredContent | null;
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
  unit: Omit<Unit, 'current'> & { readonly current: VersionState | null },
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
}

const STEM = /(?:\.published)?\.(?:md|ya?ml)$/;

/** Assigns ids to new documents. Both files of a document share one, as do the files of a single type. */
const identify = (
  files: readonly ParsedFile[],
  singleIds: ReadonlyMap<string, string>,
): readonly IdentifiedFile[] => {
  const newIds = new Map<string, string>();
  return files.map((file) => {
    const isSingle = file.type.kind === 'singleType';
    const stem = isSingle ? file.type.uid : file.path.replace(STEM, '');
    const known = (isSingle ? singleIds.get(stem) : undefined) ?? file.documentId ?? newIds.get(stem);
    const documentId = known ?? createDocumentId();
    newIds.set(stem, documentId);
    return { ...file, documentId };
  });
};

/**
 * Orders the files of each document: those of the default locale first, so that a push does not make
 * translations older than the version that they translate.
 */
const orderLocales = (
  files: readonly IdentifiedFile[],
  defaultLocale: string | null,
): readonly IdentifiedFile[] => {
  const byDocument = new Map<string, IdentifiedFile[]>();
  for (const file of files)
    getOrCreate(byDocument, `${file.type.uid} ${file.documentId}`, () => []).push(file);
  const isDefault = ({ locale }: IdentifiedFile): boolean => locale === defaultLocale;
  return [...byDocument.values()].flatMap((ofDocument) => [
    ...ofDocument.filter(isDefault),
    ...ofDocument.filter((file) => !isDefault(file)),
  ]);
};

/**
 * Marks files of a further locale that omit shared values as new, so that a push keeps these values and
 * writes them into the file.
 */
const markNewLocales = (
  files: readonly IdentifiedFile[],
  stored: readonly StoredContent[],
): readonly IdentifiedFile[] => {
  const localesOf = new Map<string, Set<string | null>>();
  for (const { documentId, locale } of [...stored, ...files])
    localesOf.set(documentId, (localesOf.get(documentId) ?? new Set()).add(locale));
  const keys = new Set(stored.map(({ documentId, locale }) => contentKey(documentId, locale)));
  const omitsShared = ({ type, data }: IdentifiedFile): boolean =>
    Object.values(type.attributes).some(
      (attribute) =>
        isFileAttribute(attribute) && !attribute.localized && !Object.hasOwn(data, attribute.name),
    );
  const isNewLocale = (file: IdentifiedFile): boolean =>
    file.type.localized &&
    (localesOf.get(file.documentId)?.size ?? 0) > 1 &&
    !keys.has(contentKey(file.documentId, file.locale)) &&
    omitsShared(file);
  return files.map((file) => (isNewLocale(file) ? { ...file, isNew: true } : file));
};

const joinVersions = (
  files: readonly IdentifiedFile[],
): readonly (readonly [main: IdentifiedFile, published: IdentifiedFile | null])[] => {
  const [main, live] = [
    files.find(({ status }) => status !== 'published'),
    files.find(({ status }) => status === 'published'),
  ];
  const [first] = files;
  if (first === undefined) return [];
  const extra = files.find((file) => file !== main && file !== live);
  if (extra !== undefined)
    return rejectFile(extra, FILE_KEYS.documentId, 'Another file holds the same document and locale.');
  if (main === undefined) return [[first, first]];
  if (main.status === 'draft' && live !== undefined)
    return rejectFile(
      main,
      FILE_KEYS.status,
      `${FILE_KEYS.status} must be modified, as ${live.path} is published.`,
    );
  if (main.status === 'modified' && live === undefined)
    return rejectFile(main, FILE_KEYS.status, 'The file with the published version is missing.');
  return [[main, live ?? null]];
};

/** Returns the names of new documents and uploaded files, by documentId. */
const newNames = (units: readonly Unit[], { changes }: MediaPlan): ReadonlyMap<string, string> => {
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
  media: MediaPlan,
): Promise<NameLinks> => {
  const versions = units.flatMap(({ file, writes, current }) => {
    const before = writes.length === 0 ? [] : [current?.draft ?? {}, current?.published ?? {}];
    return [...writes.map(({ data = {} }) => data), ...before].map((data) => ({ type: file.type, data }));
  });
  return createNameLinks(store, versions, newNames(units, media));
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
): Promise<ReadonlyMap<string, ReadonlyMap<string, StoredContent>>> => {
  const stored = new Map<string, ReadonlyMap<string, StoredContent>>();
  for (const type of types) {
    const ofType = await readStoredContent(store, type);
    stored.set(type.uid, await withPrivateValues(store, type, ofType, parsed));
  }
  return stored;
};

/**
 * Compares files with the database.
 *
 * @throws `content/rejected-file`, `content/rejected-files`
 */
export async function planPush(
  store: ContentStore,
  types: readonly ContentType[],
  parsed: readonly ParsedFile[],
  media: MediaPlan = NO_MEDIA,
): Promise<Plan> {
  mapFiles(parsed, (file) => rejectExcludedAttribute(store, file));
  const stored = await readStored(store, types, parsed);
  const all = [...stored.values()].flatMap((ofType) => [...ofType.values()]);
  const existing = new Set(all.map(({ documentId }) => documentId));
  const singles = all.filter(({ type }) => type.kind === 'singleType');
  const defaultLocale = (await store.locales()).find(({ isDefault }) => isDefault)?.code ?? null;
  const singleIds = new Map(singles.map(({ type, documentId }) => [type.uid, documentId]));
  const identified = identify(parsed, singleIds).map((file) => ({
    ...file,
    locale: file.type.localized ? (file.locale ?? defaultLocale) : null,
  }));
  const files = markNewLocales(orderLocales(identified, defaultLocale), all);
  const resolved = await resolveFiles(store, files, media.names);
  const contentKeyOf = ({ documentId, locale }: IdentifiedFile): string => contentKey(documentId, locale);
  const groups = new Map<string, IdentifiedFile[]>();
  for (const file of files) {
    const key = `${file.type.uid} ${contentKeyOf(file)}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  const dataOf = (file: IdentifiedFile): Data => resolved.get(file) ?? {};
  const isFirst = (documentId: string): boolean => {
    const isKnown = existing.has(documentId);
    existing.add(documentId);
    return !isKnown;
  };
  const versions = mapFiles([...groups.values()], joinVersions).flat();
  const units = versions.map(([file, live]): Unit => ({
    file,
    locale: file.locale,
    draft: dataOf(file),
    published: live === null ? null : dataOf(live),
    current: stored.get(file.type.uid)?.get(contentKeyOf(file)) ?? null,
    isNewDocument: isFirst(file.documentId),
  }));
  const missing = all.filter(
    ({ type, documentId, locale }) => !groups.has(`${type.uid} ${contentKey(documentId, locale)}`),
  );
  const planned = units.map((unit) => ({ ...unit, writes: planVersionWrites(unit) }));
  return {
    units: planned,
    missing,
    files,
    media,
    nameLinks: await nameChangedLinks(store, planned, media),
  };
}
