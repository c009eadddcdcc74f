import type { ContentDocument, ContentStore } from '../../transfer/store/content-store.js';
import type { ContentType } from '../../model/model.js';
import { versionKey } from './print-documents.js';
import type { ScheduledAt } from './print-documents.js';

/** Finds what is still to be done with listed documents, by their versions. */
export async function findSchedules(
  store: ContentStore,
  type: ContentType,
  documents: readonly ContentDocument[],
): Promise<ReadonlyMap<string, ScheduledAt>> {
  if (!type.draftAndPublish || documents.length === 0) return new Map();
  const documentIds = documents.map(({ documentId }) => documentId);
  const found = new Map<string, ScheduledAt>();
  for (const { documentId, locale, action, at, error } of await store.listScheduled({
    type: type.uid,
    documentIds,
  })) {
    if (error !== null) continue;
    const key = versionKey({ documentId, locale });
    found.set(key, { ...found.get(key), documentId, locale, [`${action}At`]: at });
  }
  return found;
}
