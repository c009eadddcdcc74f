import { createError } from '../errors/catalogue.js';
import type { ContentStore } from '../content-store/content-store.js';
import { namingAttributes, resolveReferences } from '../content-store/references.js';
import type { Reference } from '../content-store/references.js';
import { replaceReferences } from '../content-store/resolve-data.js';
import type { Uid } from '../model/model.js';
import { rejectFileFor } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { isFileAttribute, normalizeData } from './version-data.js';
import type { Data } from './version-data.js';

/** A file whose document has an id. */
export type IdentifiedFile = ParsedFile & { readonly documentId: string };

const fileNames = (files: readonly IdentifiedFile[]): ReadonlyMap<Uid, ReadonlyMap<string, Set<string>>> => {
  const names = new Map<Uid, Map<string, Set<string>>>();
  for (const { type, documentId, data } of files) {
    const ofType = names.get(type.uid) ?? new Map<string, Set<string>>();
    names.set(type.uid, ofType);
    const values = namingAttributes(type).map((attribute) => data[attribute]);
    for (const name of [documentId, ...values])
      if (typeof name === 'string') ofType.set(name, (ofType.get(name) ?? new Set()).add(documentId));
  }
  return names;
};

/**
 * Returns the values of files with the documentIds of what they refer to. What files say about names goes
 * before the database: a push may be about to change it.
 *
 * @throws `content/rejected-file`
 */
export async function resolveFiles(
  store: ContentStore,
  files: readonly IdentifiedFile[],
): Promise<ReadonlyMap<IdentifiedFile, Data>> {
  const names = fileNames(files);
  const inFiles = ({ type, name, path }: Reference): string | null => {
    const documentIds = [...(names.get(type)?.get(name) ?? [])];
    const [first] = documentIds;
    if (documentIds.length < 2 || documentIds.includes(name))
      return documentIds.includes(name) ? name : (first ?? null);
    throw createError('content/ambiguous-reference', {
      path,
      type,
      reference: name,
      candidates: documentIds.join(', '),
    });
  };
  const unknown: Reference[] = [];
  const each = (file: IdentifiedFile, replace: (reference: Reference) => unknown): Data =>
    replaceReferences(store.model, file.type, file.data, (reference) => {
      try {
        return replace(reference);
      } catch (error) {
        return rejectFileFor(file, error, reference.path.split('.')[0]);
      }
    });
  for (const file of files)
    each(file, (reference) => {
      if (inFiles(reference) === null) unknown.push(reference);
      return null;
    });
  const { documentIdOf } = await resolveReferences(store, unknown);
  return new Map(
    files.map((file) => {
      const data = each(file, (reference) => inFiles(reference) ?? documentIdOf(reference));
      const complete = normalizeData(store.model, file.type, data);
      const isStated = ([name]: readonly [string, unknown]): boolean =>
        !file.isNew || Object.hasOwn(data, name);
      return [file, Object.fromEntries(Object.entries(complete).filter(isStated))];
    }),
  );
}

/** Returns the attributes of a file that files do not hold. */
export function foreignAttribute({ type, data }: ParsedFile): string | undefined {
  return Object.keys(data).find((name) => {
    const attribute = type.attributes[name];
    return attribute !== undefined && !isFileAttribute(attribute);
  });
}
