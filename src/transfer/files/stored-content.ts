import type { ContentDocument, ContentStore } from '../store/content-store.js';
import type { Attribute, ContentModel, ContentType, VersionStatus } from '../../model/model.js';
import { holdsHiddenValues, isSame, mapComponents, normalizeData } from './version-data.js';
import type { Data } from './version-data.js';
import { populateAll } from '../../query/parse/server-queries.js';

/** One document in one locale. */
export interface StoredContent {
  readonly type: ContentType;
  readonly documentId: string;
  /** Null: the type is not localized. */
  readonly locale: string | null;
  readonly draft: Data;
  /** Null: not published. The draft object itself if nothing was changed since. */
  readonly published: Data | null;
  /** The draft with component ids if components have values that files do not hold. Otherwise empty. */
  readonly items: Data;
}

/** Returns the key of a document in a locale. */
export function contentKey(documentId: string, locale: string | null): string {
  return `${documentId} ${locale ?? ''}`;
}

const localeOf = (type: ContentType, document: ContentDocument): string | null =>
  type.localized && typeof document['locale'] === 'string' ? document['locale'] : null;

const readVersions = (
  store: ContentStore,
  type: ContentType,
  status: VersionStatus,
): Promise<readonly ContentDocument[]> =>
  store.find(type.uid, {
    populate: populateAll(store.model, type),
    sort: 'documentId',
    ...(type.draftAndPublish ? { status } : {}),
    ...(type.localized ? { locale: '*' } : {}),
  });

/** True if a document of a type is published in any locale. */
type IsPublished = (uid: string, documentId: string) => boolean;

const createIsPublished = async (store: ContentStore, type: ContentType): Promise<IsPublished> => {
  const published = new Map<string, ReadonlySet<string>>();
  for (const attribute of Object.values(type.attributes)) {
    const target =
      attribute.family === 'relation' && attribute.target !== null
        ? store.model.typesByUid[attribute.target]
        : undefined;
    if (target === undefined || !target.draftAndPublish || published.has(target.uid)) continue;
    const found = await store.find(target.uid, {
      status: 'published',
      fields: ['documentId'],
      ...(target.localized ? { locale: '*' } : {}),
    });
    published.set(target.uid, new Set(found.map(({ documentId }) => documentId)));
  }
  return (uid, documentId) => published.get(uid)?.has(documentId) ?? true;
};

/** Returns the published form of a draft's components, without their polymorphic relations. */
const publishedItems = (model: ContentModel, attribute: Attribute, value: unknown): unknown =>
  mapComponents(model, attribute, value, (component, item) =>
    Object.fromEntries(
      Object.entries(item).map(([name, inner]) => {
        const nested = Object.hasOwn(component.attributes, name) ? component.attributes[name] : undefined;
        if (nested === undefined) return [name, inner];
        const isHidden = nested.family === 'relation' && nested.target === null;
        if (isHidden) return [name, nested.many ? [] : null];
        return [name, publishedItems(model, nested, inner)];
      }),
    ),
  );

/**
 * Returns the published form of a draft, without links to unpublished documents and without polymorphic
 * relations of components.
 */
const asPublished = (model: ContentModel, type: ContentType, draft: Data, isPublished: IsPublished): Data =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]) => {
      const attribute = type.attributes[name];
      if (attribute?.family === 'component' || attribute?.family === 'dynamiczone')
        return [name, publishedItems(model, attribute, value)];
      if (attribute?.family !== 'relation' || attribute.target === null) return [name, value];
      const { target } = attribute;
      const isShown = (item: unknown): boolean => typeof item !== 'string' || isPublished(target, item);
      if (Array.isArray(value)) return [name, value.filter(isShown)];
      return [name, isShown(value) ? value : null];
    }),
  );

/** Reads all content of a type, by {@link contentKey}. */
export async function readStoredContent(
  store: ContentStore,
  type: ContentType,
): Promise<ReadonlyMap<string, StoredContent>> {
  const contentKeyOf = (document: ContentDocument): string =>
    contentKey(document.documentId, localeOf(type, document));
  const dataOf = (document: ContentDocument): Data => normalizeData(store.model, type, document);
  const drafts = await readVersions(store, type, 'draft');
  const published = new Map(
    type.draftAndPublish
      ? (await readVersions(store, type, 'published')).map((document) => [
          contentKeyOf(document),
          dataOf(document),
        ])
      : [],
  );
  const isPublished = await createIsPublished(store, type);
  const hasHiddenValues = holdsHiddenValues(store.model, type);
  return new Map(
    drafts.map((document) => {
      const draft = dataOf(document);
      const live = published.get(contentKeyOf(document)) ?? null;
      const isUnchanged = live !== null && isSame(asPublished(store.model, type, draft, isPublished), live);
      const content = {
        type,
        documentId: document.documentId,
        locale: localeOf(type, document),
        draft,
        published: !type.draftAndPublish || isUnchanged ? draft : live,
        items: hasHiddenValues ? document : {},
      };
      return [contentKeyOf(document), content];
    }),
  );
}
