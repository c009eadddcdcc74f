import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { FileIssue } from '../../errors/galley-error.js';
import { chunksOf } from '../../lib/collections.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel, ContentSchema, ContentType, Uid, VersionStatus } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import type { ContentDocument, ContentStore, FindParams } from '../store/content-store.js';
import { namingAttributes, resolveReferences, replaceReferences } from '../store/references.js';
import type { Reference } from '../store/references.js';
import { fileIssueOf, rejectFile } from './read-folder.js';
import type { ParsedFile } from './read-folder.js';
import { mapFiles, rejectIssues } from './rejected-files.js';
import { contentKey } from './stored-content.js';
import type { StoredContent } from './stored-content.js';
import { componentItems, isPrivateFileAttribute, normalizeData } from './version-data.js';
import type { Data } from './version-data.js';

/** Number of documents per read. */
const BATCH = 200;

type ContentByKey = ReadonlyMap<string, StoredContent>;

/** Returns the private values in a file. */
export function privateValues({ attributes }: ContentType, data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => {
      const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
      return attribute !== undefined && isPrivateFileAttribute(attribute);
    }),
  );
}

const readPrivate = async (
  find: NonNullable<ContentStore['findPrivate']>,
  type: ContentType,
  params: FindParams,
  names: readonly string[],
): Promise<ReadonlyMap<string, Data>> => {
  const pick = (document: ContentDocument): Data =>
    Object.fromEntries(names.map((name) => [name, document[name] ?? null]));
  const documents = await find(type.uid, {
    ...params,
    fields: [...names, ...(type.localized ? ['locale'] : [])],
    ...(type.localized ? { locale: '*' } : {}),
  });
  return new Map(
    documents.map((document) => {
      const locale = type.localized ? String(document['locale']) : null;
      return [contentKey(document.documentId, locale), pick(document)];
    }),
  );
};

/**
 * Adds private values to the stored content of documents whose files contain some, so that they are compared
 * like other values.
 *
 * @throws `content/rejected-file` if the store cannot read private values
 */
export async function withPrivateValues(
  store: ContentStore,
  type: ContentType,
  stored: ContentByKey,
  files: readonly ParsedFile[],
): Promise<ContentByKey> {
  const withPrivate = files
    .filter((file) => file.type === type)
    .map((file) => ({ file, names: Object.keys(privateValues(type, file.data)) }))
    .filter(({ names }) => names.length > 0);
  const names = [...new Set(withPrivate.flatMap((one) => one.names))];
  const existing = new Set([...stored.values()].map(({ documentId }) => documentId));
  const isStored = ({ documentId }: ParsedFile): boolean =>
    type.kind === 'singleType' ? existing.size > 0 : documentId !== null && existing.has(documentId);
  const [first] = withPrivate.filter(({ file }) => isStored(file));
  if (first === undefined) return stored;
  const { findPrivate } = store;
  const [name = ''] = first.names;
  if (findPrivate === null)
    return rejectFile(first.file, name, `A remote server does not return ${name}, which is private.`);
  const values = new Map(stored);
  for (const documentIds of chunksOf(existing, BATCH)) {
    const read = (status: VersionStatus): Promise<ReadonlyMap<string, Data>> => {
      const params = { filters: { documentId: { $in: documentIds } }, status };
      return readPrivate(findPrivate, type, params, names);
    };
    const [drafts, live] = [await read('draft'), await read('published')];
    for (const [key, draftValues] of drafts) {
      const content = stored.get(key);
      if (content === undefined) continue;
      const draft = { ...content.draft, ...draftValues };
      const isSame = content.published === content.draft;
      const published = content.published === null ? null : { ...content.published, ...live.get(key) };
      values.set(key, { ...content, draft, published: isSame ? draft : published });
    }
  }
  return values;
}

/** A file whose document has an id. */
export type IdentifiedFile = ParsedFile & { readonly documentId: string };

type DocumentIdsByName = ReadonlyMap<string, ReadonlySet<string>>;

const fileNames = (
  files: readonly IdentifiedFile[],
  mediaNames: DocumentIdsByName,
): ReadonlyMap<Uid, DocumentIdsByName> => {
  const names = new Map<Uid, Map<string, Set<string>>>();
  for (const { type, documentId, data } of files) {
    const ofType = names.get(type.uid) ?? new Map<string, Set<string>>();
    names.set(type.uid, ofType);
    const values = namingAttributes(type).map((attribute) => data[attribute]);
    for (const name of [documentId, ...values])
      if (typeof name === 'string') ofType.set(name, (ofType.get(name) ?? new Set()).add(documentId));
  }
  return new Map<Uid, DocumentIdsByName>(names).set(FILE_UID, mediaNames);
};

/** True if the server generates values of an attribute that a file omits. */
export function isGenerated({ attributes }: ContentType, name: string): boolean {
  const attribute = attributes[name];
  return attribute?.family === 'scalar' && attribute.constraints.generate === true;
}

/**
 * Returns the values of files with references replaced by documentIds. DocumentIdsByName in files take
 * precedence over those in the database, since a push may change them. `mediaNames` are the names of the
 * folder's uploaded files. Files that `isSkipped` are only names for the references of others.
 *
 * @throws `content/rejected-file`, `content/rejected-files`
 */
export async function resolveFiles(
  store: ContentStore,
  all: readonly IdentifiedFile[],
  mediaNames: DocumentIdsByName,
  isSkipped: (file: IdentifiedFile) => boolean = () => false,
): Promise<ReadonlyMap<IdentifiedFile, Data>> {
  const files = all.filter((file) => !isSkipped(file));
  const names = fileNames(all, mediaNames);
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
      const isPushed = ([name]: readonly [string, unknown]): boolean =>
        Object.hasOwn(data, name) || (!file.isNew && !isGenerated(file.type, name));
      const pushed = Object.fromEntries(Object.entries(complete).filter(isPushed));
      return [file, { ...pushed, ...privateValues(file.type, data) }];
    }),
  );
}

const findExcluded = (model: ContentModel, schema: ContentSchema, data: Data): string | undefined => {
  for (const [name, value] of Object.entries(data)) {
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    if (attribute === undefined) continue;
    if (!isFileAttribute(attribute)) return name;
    for (const [component, item] of componentItems(model, attribute, value)) {
      const found = findExcluded(model, component, item);
      if (found !== undefined) return `${name}.${found}`;
    }
  }
  return undefined;
};

/** Returns the path of the first value in a file whose attribute is excluded from files. Undefined: none. */
export function findExcludedAttribute(model: ContentModel, { type, data }: ParsedFile): string | undefined {
  const allowed = privateValues(type, data);
  const others = Object.entries(data).filter(([name]) => !Object.hasOwn(allowed, name));
  return findExcluded(model, type, Object.fromEntries(others));
}
