import { FILE_UID } from '../../model/content-types/builtin/registry.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { FileIssue } from '../../errors/galley-error.js';
import type { ContentStore } from '../store/content-store.js';
import { namingAttributes, resolveReferences } from '../store/references.js';
import type { Reference } from '../store/references.js';
import { replaceReferences } from '../store/resolve-data.js';
import type { ContentModel, ContentSchema, ContentType, Uid } from '../../model/model.js';
import { privateValues } from './private-values.js';
import { fileIssueOf } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { mapFiles, rejectIssues } from './rejected-files.js';
import { isFileAttribute } from '../../query/parse/populate-all.js';
import { componentItems, normalizeData } from './version-data.js';
import type { Data } from './version-data.js';

/** A file whose document has an id. */
export type IdentifiedFile = ParsedFile & { readonly documentId: string };

type Names = ReadonlyMap<string, ReadonlySet<string>>;

const fileNames = (files: readonly IdentifiedFile[], mediaNames: Names): ReadonlyMap<Uid, Names> => {
  const names = new Map<Uid, Map<string, Set<string>>>();
  for (const { type, documentId, data } of files) {
    const ofType = names.get(type.uid) ?? new Map<string, Set<string>>();
    names.set(type.uid, ofType);
    const values = namingAttributes(type).map((attribute) => data[attribute]);
    for (const name of [documentId, ...values])
      if (typeof name === 'string') ofType.set(name, (ofType.get(name) ?? new Set()).add(documentId));
  }
  return new Map<Uid, Names>(names).set(FILE_UID, mediaNames);
};

const isGenerated = ({ attributes }: ContentType, name: string): boolean => {
  const attribute = attributes[name];
  return attribute?.family === 'scalar' && attribute.constraints.generate === true;
};

/**
 * Returns the values of files with references replaced by documentIds. Names in files take precedence over
 * those in the database, since a push may change them. `mediaNames` are the names of the folder's uploaded
 * files.
 *
 * @throws `content/rejected-file`, `content/rejected-files`
 */
export async function resolveFiles(
  store: ContentStore,
  files: readonly IdentifiedFile[],
  mediaNames: Names,
): Promise<ReadonlyMap<IdentifiedFile, Data>> {
  const names = fileNames(files, mediaNames);
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
  const each = (file: IdentifiedFile, replace: (reference: Reference) => unknown): Data => {
    const issues: FileIssue[] = [];
    const data = replaceReferences(store.model, file.type, file.data, (reference) => {
      try {
        return replace(reference);
      } catch (error) {
        if (!isGalleyError(error)) throw error;
        issues.push(fileIssueOf(file, reference.path.split('.')[0] ?? '', error.message));
        return null;
      }
    });
    return issues.length === 0 ? data : rejectIssues(issues);
  };
  mapFiles(files, (file) =>
    each(file, (reference) => {
      if (inFiles(reference) === null) unknown.push(reference);
      return null;
    }),
  );
  const { documentIdOf } = await resolveReferences(store, unknown);
  return new Map(
    mapFiles(files, (file): [IdentifiedFile, Data] => {
      const data = each(file, (reference) => inFiles(reference) ?? documentIdOf(reference));
      const complete = normalizeData(store.model, file.type, data, { withDefaults: true });
      const isStated = ([name]: readonly [string, unknown]): boolean =>
        Object.hasOwn(data, name) || (!file.isNew && !isGenerated(file.type, name));
      const stated = Object.fromEntries(Object.entries(complete).filter(isStated));
      return [file, { ...stated, ...privateValues(file.type, data) }];
    }),
  );
}

const findForeign = (model: ContentModel, schema: ContentSchema, data: Data): string | undefined => {
  for (const [name, value] of Object.entries(data)) {
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    if (attribute === undefined) continue;
    if (!isFileAttribute(attribute)) return name;
    for (const [component, item] of componentItems(model, attribute, value)) {
      const found = findForeign(model, component, item);
      if (found !== undefined) return `${name}.${found}`;
    }
  }
  return undefined;
};

/** Returns the path of an attribute in a file that files do not hold. Undefined: there is none. */
export function foreignAttribute(model: ContentModel, { type, data }: ParsedFile): string | undefined {
  const stated = privateValues(type, data);
  const others = Object.entries(data).filter(([name]) => !Object.hasOwn(stated, name));
  return findForeign(model, type, Object.fromEntries(others));
}
