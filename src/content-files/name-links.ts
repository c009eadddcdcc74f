import type { ContentStore } from '../content-store/content-store.js';
import { nameDocuments } from '../content-store/references.js';
import { replaceReferences } from '../content-store/resolve-data.js';
import type { ContentType, Uid } from '../model/model.js';
import type { Data } from './version-data.js';

/**
 * Returns a function that replaces the documentIds of linked documents by their names where these are
 * unambiguous. It knows those that the given versions link.
 */
export async function createNameLinks(
  store: ContentStore,
  type: ContentType,
  versions: readonly Data[],
): Promise<(data: Data) => Data> {
  const documentIds = new Map<Uid, Set<string>>();
  for (const data of versions)
    replaceReferences(store.model, type, data, ({ type: target, name }) => {
      documentIds.set(target, (documentIds.get(target) ?? new Set()).add(name));
      return name;
    });
  const names = new Map<Uid, ReadonlyMap<string, string>>();
  for (const [uid, ofType] of documentIds)
    names.set(uid, await nameDocuments(store, uid, [...ofType].toSorted()));
  return (data) =>
    replaceReferences(store.model, type, data, ({ type: uid, name }) => names.get(uid)?.get(name) ?? name);
}
