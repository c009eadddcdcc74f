import type { ContentDocument, ContentStore } from '../../transfer/store/content-store.js';
import type { ContentType } from '../../model/model.js';
import { versionKey } from './print-documents.js';
import type { Publication } from './print-documents.js';

/** Says of drafts whether they were published, and changed since. */
export async function findPublications(
  store: ContentStore,
  type: ContentType,
  documents: readonly ContentDocument[],
): Promise<ReadonlyMap<string, Publication>> {
  if (!type.draftAndPublish || documents.length === 0) return new Map();
  const documentIds = documents.map(({ documentId }) => documentId);
  const keysOf = async (publicationFilter: string): Promise<ReadonlySet<string>> => {
    const found = await store.find(type.uid, {
      filters: { documentId: { $in: documentIds } },
      fields: ['documentId', ...(type.localized ? ['locale'] : [])],
      locale: '*',
      publicationFilter,
    });
    return new Set(found.map(versionKey));
  };
  const published = await keysOf('has-published-version');
  const modified = await keysOf('modified');
  const publicationOf = (key: string): Publication => {
    if (!published.has(key)) return 'draft';
    return modified.has(key) ? 'modified' : 'published';
  };
  return new Map(documents.map(versionKey).map((key) => [key, publicationOf(key)]));
}
