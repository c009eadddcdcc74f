import { populateAll } from '../../query/parse/populate-all.js';
import type { ContentDocument, ContentStore } from '../../transfer/store/content-store.js';
import type { ContentType } from '../../model/model.js';
import { unknownDocument } from './resolve-document.js';

/** Names the draft of a document. */
export interface DraftName {
  readonly documentId: string;
  /** Undefined for the default locale. */
  readonly locale: string | undefined;
}

/**
 * Reads the draft of a document in one locale with everything that is its own.
 *
 * @throws `content/unknown-document` where it is not there in that locale
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
