import { groupBy } from '../../lib/collections.js';
import { createDocumentId } from '../../lib/ids.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import { defaultLocaleOf } from '../store/content-store.js';
import type { ContentStore } from '../store/content-store.js';
import { baseKey } from './base-files.js';
import type { FileUnit, Merging } from './merge-units.js';
import { FILE_KEYS } from './print-content.js';
import { rejectFile } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { mapFiles } from './rejected-files.js';
import type { IdentifiedFile } from './resolve-files.js';
import { contentKey } from './stored-content.js';
import type { StoredContent } from './stored-content.js';

/** Stored content by the uid of its type and by `contentKey`. */
export type StoredByType = ReadonlyMap<string, ReadonlyMap<string, StoredContent>>;

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
  const byDocument = groupBy(files, ({ type, documentId }) => `${type.uid} ${documentId}`);
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

/** Assigns documentIds and locales to files. */
export async function identifyFiles(
  store: ContentStore,
  parsed: readonly ParsedFile[],
  all: readonly StoredContent[],
): Promise<readonly IdentifiedFile[]> {
  const singles = all.filter(({ type }) => type.kind === 'singleType');
  const defaultLocale = await defaultLocaleOf(store);
  const singleIds = new Map(singles.map(({ type, documentId }) => [type.uid, documentId]));
  const identified = identify(parsed, singleIds).map((file) => ({
    ...file,
    locale: file.type.localized ? (file.locale ?? defaultLocale) : null,
  }));
  return markNewLocales(orderLocales(identified, defaultLocale), all);
}

/** Joins the files of each document and locale with the stored content and the base. */
export function joinUnits(
  files: readonly IdentifiedFile[],
  stored: StoredByType,
  merging: Merging | null,
): readonly FileUnit[] {
  const groups = groupBy(files, baseKey);
  return mapFiles([...groups.values()], joinVersions)
    .flat()
    .map(([file, live]) => ({
      file,
      live,
      current: stored.get(file.type.uid)?.get(contentKey(file.documentId, file.locale)) ?? null,
      base: merging?.folder.bases.get(baseKey(file)) ?? null,
    }));
}
