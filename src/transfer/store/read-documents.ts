import { chunksOf, getOrCreate } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, VersionStatus } from '../../model/model.js';
import { populateAll } from '../../query/parse/server-queries.js';
import { exposeModel, selectableFields } from '../../query/schema-fields.js';
import type { ContentDocument, ContentStore, FindParams } from './content-store.js';

/** Number of versions per read. */
export const PAGE = 500;

export interface StoredVersion {
  /** Null: the type is not localized. */
  readonly locale: string | null;
  readonly status: VersionStatus;
  readonly data: ContentDocument;
}

/** A document with all its versions. */
export interface StoredDocument {
  readonly type: ContentType;
  readonly documentId: string;
  readonly versions: readonly StoredVersion[];
}

/** The versions to read, and their values. */
export interface ReadOptions {
  /** The versions of types with drafts. Default: both. */
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

const createFind = (
  store: ContentStore,
  type: ContentType,
  { isOutline = false }: ReadOptions,
): FindVersions => {
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

/** Reads the drafts of some documents in all locales, page by page. */
export async function* findDrafts(
  store: ContentStore,
  type: ContentType,
  documentIds: readonly string[],
): AsyncGenerator<readonly StoredDocument[]> {
  const find = createFind(store, type, {});
  for (const $in of chunksOf(documentIds, PAGE)) {
    const rows = await find('draft', { $in });
    yield [...groupVersions(type, 'draft', rows)].map(([documentId, versions]) => ({
      type,
      documentId,
      versions,
    }));
  }
}

/** Reads the documents of a type with their versions, page by page, in the order of their ids. */
export async function* readDocuments(
  store: ContentStore,
  type: ContentType,
  options: ReadOptions = {},
): AsyncGenerator<readonly StoredDocument[]> {
  const find = createFind(store, type, options);
  const { statuses = ['draft', 'published'] } = options;
  const [first = 'published', ...others] = type.draftAndPublish ? statuses : (['published'] as const);
  for (let after = ''; ;) {
    const rows = await find(first, { $gt: after }, PAGE);
    const last = rows.at(-1)?.documentId;
    if (last === undefined) return;
    const isWhole = rows.length < PAGE;
    // The page may end between the locales of a document.
    const whole = isWhole
      ? rows
      : [...rows.filter(({ documentId }) => documentId !== last), ...(await find(first, { $eq: last }))];
    const versions = groupVersions(type, first, whole);
    for (const status of others)
      for (const data of await find(status, { $gt: after, $lte: last }))
        versions.get(data.documentId)?.push(toVersion(type, status, data));
    yield [...versions].map(([documentId, found]) => ({ type, documentId, versions: found }));
    if (isWhole) return;
    after = last;
  }
}
