import { chunksOf, getOrCreate } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, VersionStatus } from '../../model/model.js';
import { populateAll } from '../../query/parse/server-queries.js';
import { exposeModel, selectableFields } from '../../query/schema-fields.js';
import type { ContentDocument, ContentStore, FindParams } from './content-store.js';

/** Number of versions per read. */
const PAGE = 250;

export interface StoredVersion {
  /** Null: the type is not localized. */
  readonly locale: string | null;
  readonly status: VersionStatus;
  readonly data: ContentDocument;
  /** True for a draft that was not changed since it was published. */
  readonly isUnchanged?: true;
}

/** A document with all its versions. */
export interface StoredDocument {
  readonly type: ContentType;
  readonly documentId: string;
  readonly versions: readonly StoredVersion[];
}

/** The versions to read, and their values. */
export interface ReadOptions {
  /** The versions of types with drafts: drafts, published ones, or both in this order, the default. */
  readonly statuses?: readonly VersionStatus[];
  /** True: reads times and locales only. */
  readonly isOutline?: boolean;
}

/** Reads versions of a type in all locales. */
type FindVersions = (
  status: VersionStatus,
  documentId: Readonly<Record<string, unknown>>,
  limit?: number,
) => Promise<readonly ContentDocument[]>;

/** Returns the model of these reads: with private attributes if the store can read them. */
export function readModel({ model, findPrivate }: ContentStore): ContentModel {
  return findPrivate === null ? model : exposeModel(model);
}

const createFind = (store: ContentStore, type: ContentType, isOutline: boolean): FindVersions => {
  const model = readModel(store);
  const schema = typeOf(model, type.uid);
  const isHash = (name: string): boolean => schema.attributes[name]?.type === 'password';
  const content: FindParams = isOutline
    ? { fields: ['updatedAt', ...(type.localized ? ['locale'] : [])] }
    : {
        fields: selectableFields(schema).filter((name) => !isHash(name)),
        populate: populateAll(model, schema),
      };
  const find = isOutline ? store.find : (store.findPrivate ?? store.find);
  return (status, documentId, limit) =>
    find(type.uid, {
      ...content,
      filters: { documentId },
      sort: ['documentId'],
      ...(type.draftAndPublish ? { status } : {}),
      ...(type.localized ? { locale: '*' } : {}),
      ...(limit === undefined ? {} : { limit }),
    });
};

const toVersion = (type: ContentType, status: VersionStatus, data: ContentDocument): StoredVersion => ({
  locale: type.localized && typeof data['locale'] === 'string' ? data['locale'] : null,
  status,
  data,
});

const groupVersions = (
  type: ContentType,
  status: VersionStatus,
  rows: readonly ContentDocument[],
): ReadonlyMap<string, StoredVersion[]> => {
  const versions = new Map<string, StoredVersion[]>();
  for (const data of rows)
    getOrCreate(versions, data.documentId, () => []).push(toVersion(type, status, data));
  return versions;
};

const toDocuments = (
  type: ContentType,
  versions: ReadonlyMap<string, readonly StoredVersion[]>,
): readonly StoredDocument[] =>
  [...versions].map(([documentId, found]) => ({ type, documentId, versions: found }));

/** Reads the drafts of some documents in all locales, page by page. */
export async function* findDrafts(
  store: ContentStore,
  type: ContentType,
  documentIds: readonly string[],
): AsyncGenerator<readonly StoredDocument[]> {
  const find = createFind(store, type, false);
  for (const $in of chunksOf(documentIds, PAGE))
    yield toDocuments(type, groupVersions(type, 'draft', await find('draft', { $in })));
}

const timeOf = ({ data }: StoredVersion): number => new Date(String(data['updatedAt'])).getTime();

/**
 * Reads the published versions of a page, and the drafts that differ from them. Most drafts do not, so that
 * this halves the work.
 */
const withContent = async (
  find: FindVersions,
  type: ContentType,
  outlines: ReadonlyMap<string, readonly StoredVersion[]>,
  page: Readonly<Record<string, string>>,
): Promise<readonly StoredDocument[]> => {
  const published = groupVersions(type, 'published', await find('published', page));
  const sameIn = (versions: readonly StoredVersion[] = [], { locale }: StoredVersion) =>
    versions.find((version) => version.locale === locale);
  const unchangedAs = (documentId: string, draft: StoredVersion): StoredVersion | undefined => {
    const same = sameIn(published.get(documentId), draft);
    return same !== undefined && timeOf(draft) <= timeOf(same) ? same : undefined;
  };
  const changed = [...outlines].flatMap(([documentId, drafts]) =>
    drafts.every((draft) => unchangedAs(documentId, draft) !== undefined) ? [] : [documentId],
  );
  const rows = changed.length === 0 ? [] : await find('draft', { $in: changed });
  const contents = groupVersions(type, 'draft', rows);
  return [...outlines].map(([documentId, drafts]) => {
    const versions = drafts.map((draft): StoredVersion => {
      const same = unchangedAs(documentId, draft);
      if (same === undefined) return sameIn(contents.get(documentId), draft) ?? draft;
      const { updatedAt } = draft.data;
      return { ...draft, data: { ...same.data, updatedAt }, isUnchanged: true };
    });
    return { type, documentId, versions: [...versions, ...(published.get(documentId) ?? [])] };
  });
};

/** Reads the documents of a type with their versions, page by page, in the order of their ids. */
export async function* readDocuments(
  store: ContentStore,
  type: ContentType,
  { statuses = ['draft', 'published'], isOutline = false }: ReadOptions = {},
): AsyncGenerator<readonly StoredDocument[]> {
  const [first = 'published', ...others] = type.draftAndPublish ? statuses : (['published'] as const);
  const isBoth = others.length > 0;
  const findPage = createFind(store, type, isOutline || isBoth);
  const findContent = createFind(store, type, isOutline);
  for (let after = ''; ;) {
    const rows = await findPage(first, { $gt: after }, PAGE);
    const last = rows.at(-1)?.documentId;
    if (last === undefined) return;
    const isWhole = rows.length < PAGE;
    // The page may end between the locales of a document.
    const whole = isWhole
      ? rows
      : [...rows.filter(({ documentId }) => documentId !== last), ...(await findPage(first, { $eq: last }))];
    const versions = groupVersions(type, first, whole);
    yield isBoth
      ? await withContent(findContent, type, versions, { $gt: after, $lte: last })
      : toDocuments(type, versions);
    if (isWhole) return;
    after = last;
  }
}
