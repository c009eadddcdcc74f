import * as Args from '@oclif/core/args';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { requireLocale } from '../../documents/write/write-params.js';
import { withoutUndefined } from '../../lib/records.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { populateAll } from '../../query/parse/server-queries.js';
import { normalizeData } from '../../transfer/files/version-data.js';
import type { ContentDocument, ContentStore, FindParams } from '../../transfer/store/content-store.js';
import { resolveReferences } from '../../transfer/store/references.js';

/** The arguments of commands about one document. */
export const documentArguments = {
  type: Args.string({
    required: true,
    description: 'Content-type, such as article or api::article.article.',
  }),
  document: Args.string({
    description: 'documentId, or value of a uid or a unique attribute. Not for single types.',
  }),
};

const singleDocument = async (store: ContentStore, type: ContentType): Promise<string> => {
  const [document] = await store.find(type.uid, {
    fields: ['documentId'],
    ...(type.localized ? { locale: '*' } : {}),
    limit: 1,
  });
  if (document !== undefined) return document.documentId;
  throw createError('content/no-single-document', { type: type.singularName });
};

/** Returns the error for a missing document. `location` is text such as ` in fr`. */
export function unknownDocument(type: ContentType, documentId: string, location = ''): GalleyError {
  const locales = type.localized ? '; --locale selects another locale' : '';
  return createError('content/unknown-document', { type: type.uid, documentId, location, locales });
}

/**
 * Returns the documentId of the document with a name: its documentId, or a unique value.
 *
 * @throws `content/unknown-document`, `content/ambiguous-reference`, `content/no-single-document`,
 *   `cli/missing-value`
 */
export async function resolveDocument(
  store: ContentStore,
  type: ContentType,
  name: string | undefined,
): Promise<string> {
  if (name === undefined) {
    if (type.kind === 'singleType') return singleDocument(store, type);
    throw createError('cli/missing-value', { label: '<document>' });
  }
  const reference = { type: type.uid, name, path: 'document' };
  const { documentIdOf } = await resolveReferences(store, [reference]);
  try {
    return documentIdOf(reference);
  } catch (error) {
    if (!isGalleyError(error) || error.code !== 'content/unknown-reference') throw error;
    throw unknownDocument(type, name);
  }
}

/** Identifies the draft of a document. */
export interface DraftName {
  readonly documentId: string;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
}

/**
 * Reads the draft of a document in one locale, with its relations, media and components.
 *
 * @throws `content/unknown-document` if it does not exist in that locale
 */
export async function readDraft(
  store: ContentStore,
  type: ContentType,
  { documentId, locale }: DraftName,
): Promise<ContentDocument> {
  const document = await store.findOne(type.uid, documentId, {
    populate: populateAll(store.model, type),
    ...(locale === undefined ? {} : { locale }),
  });
  if (document !== null) return document;
  throw unknownDocument(type, documentId, locale === undefined ? '' : ` in ${locale}`);
}

const isUnique = (attribute: Attribute | undefined): boolean =>
  attribute?.family === 'scalar' && (attribute.type === 'uid' || attribute.constraints.unique);

/**
 * Returns the values of the draft of a document in one locale, without those of unique attributes.
 *
 * @throws `content/unknown-document` if it does not exist in that locale
 */
export async function duplicateData(
  store: ContentStore,
  type: ContentType,
  draft: DraftName,
): Promise<Readonly<Record<string, unknown>>> {
  const values = normalizeData(store.model, type, await readDraft(store, type, draft));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isUnique(type.attributes[name])));
}

/** Returns the documentIds that a read finds, in its order, without those of documents that have a locale. */
const findWithoutLocale = async (
  store: ContentStore,
  type: ContentType,
  params: FindParams,
  locale: string,
): Promise<readonly string[]> => {
  const idsIn = async (read: FindParams): Promise<readonly string[]> =>
    (await store.find(type.uid, { ...read, fields: ['documentId'] })).map(({ documentId }) => documentId);
  const translated = new Set(await idsIn({ ...withoutUndefined({ status: params.status }), locale }));
  return [...new Set(await idsIn(params))].filter((documentId) => !translated.has(documentId));
};

/** The most documentIds in one read, which remote servers receive in a URL. */
const IDS_PER_READ = 50;

const findByIds = async (
  store: ContentStore,
  type: ContentType,
  documentIds: readonly string[],
  params: FindParams,
): Promise<readonly ContentDocument[]> => {
  const found: ContentDocument[] = [];
  for (let start = 0; start < documentIds.length; start += IDS_PER_READ) {
    const $in = documentIds.slice(start, start + IDS_PER_READ);
    const place = new Map($in.map((documentId, index) => [documentId, index]));
    const placeOf = ({ documentId }: ContentDocument): number => place.get(documentId) ?? 0;
    const documents = await store.find(type.uid, { ...params, filters: { documentId: { $in } } });
    found.push(...documents.toSorted((left, right) => placeOf(left) - placeOf(right)));
  }
  return found;
};

/** A list of documents. */
export interface DocumentList {
  readonly total: number;
  /** Reads the first documents with the selected attributes. A limit of 0 reads all. */
  readonly read: (selection: FindParams, limit: number) => Promise<readonly ContentDocument[]>;
}

/**
 * Opens the list of documents that a read finds.
 *
 * @param missingLocale lists only documents that lack this locale
 * @throws `request/invalid-parameter` if the type has no locales
 */
export async function openList(
  store: ContentStore,
  type: ContentType,
  params: FindParams,
  missingLocale: string | undefined,
): Promise<DocumentList> {
  requireLocale(type, missingLocale);
  if (missingLocale === undefined)
    return {
      total: await store.count(type.uid, params),
      read: (selection, limit) =>
        store.find(type.uid, { ...params, ...selection, ...(limit === 0 ? {} : { limit }) }),
    };
  const documentIds = await findWithoutLocale(store, type, params, missingLocale);
  return {
    total: documentIds.length,
    read: (selection, limit) =>
      findByIds(store, type, limit === 0 ? documentIds : documentIds.slice(0, limit), {
        ...params,
        ...selection,
      }),
  };
}
