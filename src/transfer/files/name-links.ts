import type { ContentStore } from '../store/content-store.js';
import { nameDocuments } from '../store/references.js';
import { replaceReferences } from '../store/resolve-data.js';
import type { ContentType, Uid } from '../../model/model.js';
import type { Data } from './version-data.js';

/** Values of a type. */
export interface TypedData {
  readonly type: ContentType;
  readonly data: Data;
}

/** Replaces the documentIds of linked documents by their names. */
export type NameLinks = (type: ContentType, data: Data) => Data;

/**
 * Returns a function that replaces the documentIds of linked documents by their names where these are
 * unambiguous. It knows those that the given versions link. `newNames` are those of documents that are not
 * stored yet.
 */
export async function createNameLinks(
  store: ContentStore,
  versions: Iterable<TypedData>,
  newNames: ReadonlyMap<string, string> = new Map(),
): Promise<NameLinks> {
  const documentIds = new Map<Uid, Set<string>>();
  for (const { type, data } of versions)
    replaceReferences(store.model, type, data, ({ type: target, name }) => {
      documentIds.set(target, (documentIds.get(target) ?? new Set()).add(name));
      return name;
    });
  const names = new Map<Uid, ReadonlyMap<string, string>>();
  for (const [uid, ofType] of documentIds)
    names.set(uid, await nameDocuments(store, uid, [...ofType].toSorted()));
  return (type, data) =>
    replaceReferences(
      store.model,
      type,
      data,
      ({ type: uid, name }) => names.get(uid)?.get(name) ?? newNames.get(name) ?? name,
    );
}
