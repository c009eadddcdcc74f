import type { ContentStore } from '../../content-store/content-store.js';
import { normalizeData, populateAll } from '../../content-files/version-data.js';
import { createError } from '../../errors/catalogue.js';
import type { Attribute, ContentType } from '../../model/model.js';

const isUnique = (attribute: Attribute | undefined): boolean =>
  attribute?.family === 'scalar' && (attribute.type === 'uid' || attribute.constraints.unique);

/**
 * Returns the values of the draft of a document in one locale, without those that have to be unique.
 *
 * @throws `content/unknown-document` where it is not there in that locale
 */
export async function duplicateData(
  store: ContentStore,
  type: ContentType,
  { documentId, locale }: { readonly documentId: string; readonly locale: string | undefined },
): Promise<Readonly<Record<string, unknown>>> {
  const document = await store.findOne(type.uid, documentId, {
    populate: populateAll(store.model, type),
    ...(locale === undefined ? {} : { locale }),
  });
  if (document === null)
    throw createError('content/unknown-document', {
      type: type.uid,
      documentId,
      location: locale === undefined ? '' : ` in ${locale}`,
    });
  const values = normalizeData(store.model, type, document);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isUnique(type.attributes[name])));
}
