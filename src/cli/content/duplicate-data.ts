import { normalizeData } from '../../transfer/files/version-data.js';
import type { ContentStore } from '../../transfer/store/content-store.js';
import type { Attribute, ContentType } from '../../model/model.js';
import { readDraft } from './read-draft.js';
import type { DraftName } from './read-draft.js';

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
  draft: DraftName,
): Promise<Readonly<Record<string, unknown>>> {
  const values = normalizeData(store.model, type, await readDraft(store, type, draft));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !isUnique(type.attributes[name])));
}
