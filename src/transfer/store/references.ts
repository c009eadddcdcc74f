import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { createError } from '../../errors/catalogue.js';
import { chunksOf } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import type { Attribute, ContentType, Uid } from '../../model/model.js';
import type { ContentDocument, ContentStore } from './content-store.js';

/** The most references that one read looks up. */
const BATCH = 200;

/** Properties that name a file besides its documentId. Names may be ambiguous; those are rejected. */
const FILE_NAMES: readonly string[] = ['url', 'hash', 'name'];

/** Properties that name a file in all databases. */
const PORTABLE_FILE_NAMES: readonly string[] = ['name', 'hash'];

/** Returns the attributes whose values name documents of a type: first uids, then unique texts. */
export function namingAttributes(type: ContentType): readonly string[] {
  if (type.uid === FILE_UID) return FILE_NAMES;
  const attributes = Object.values(type.attributes).filter(
    (attribute) => attribute.family === 'scalar' && attribute.field.filterable && !attribute.private,
  );
  const isUniqueText = (attribute: Attribute): boolean =>
    attribute.family === 'scalar' &&
    attribute.constraints.unique &&
    ['string', 'email'].includes(attribute.type);
  return [...attributes.filter(({ type: name }) => name === 'uid'), ...attributes.filter(isUniqueText)].map(
    ({ name }) => name,
  );
}

/** A document that is named by its documentId or by the value of a naming attribute. */
export interface Reference {
  readonly type: Uid;
  readonly name: string;
  /** Location of the reference, for messages: `author`, or `--set author`. */
  readonly path: string;
}

/** The documentIds of references. */
export interface ResolvedReferences {
  /** @throws `content/unknown-reference`, `content/ambiguous-reference` */
  readonly documentIdOf: (reference: Reference) => string;
}

type DocumentIdsByName = ReadonlyMap<string, ReadonlySet<string>>;

const documentNames = (document: ContentDocument, attributes: readonly string[]): readonly string[] => [
  document.documentId,
  ...attributes.flatMap((attribute) => {
    const value = document[attribute];
    return typeof value === 'string' ? [value] : [];
  }),
];

const findNamed = async (
  store: ContentStore,
  uid: Uid,
  names: Iterable<string>,
): Promise<DocumentIdsByName> => {
  const type = typeOf(store.model, uid);
  const attributes = namingAttributes(type);
  const found = new Map<string, Set<string>>();
  for (const batch of chunksOf(names, BATCH)) {
    const $or = ['documentId', ...attributes].map((name) => ({ [name]: { $in: batch } }));
    const documents = await store.find(uid, {
      filters: { $or },
      fields: ['documentId', ...attributes],
      ...(type.localized ? { locale: '*' } : {}),
    });
    for (const document of documents)
      for (const name of documentNames(document, attributes))
        found.set(name, (found.get(name) ?? new Set()).add(document.documentId));
  }
  return found;
};

/** Looks up references, with few reads for each type. */
export async function resolveReferences(
  store: ContentStore,
  references: readonly Reference[],
): Promise<ResolvedReferences> {
  const names = new Map<Uid, Set<string>>();
  for (const { type, name } of references) names.set(type, (names.get(type) ?? new Set()).add(name));
  const found = new Map<Uid, DocumentIdsByName>();
  for (const [type, ofType] of names) found.set(type, await findNamed(store, type, ofType));
  return {
    documentIdOf: ({ type: uid, name, path }) => {
      const documentIds = [...(found.get(uid)?.get(name) ?? [])];
      const [first] = documentIds;
      const type = typeOf(store.model, uid);
      const details = { path, type: type.singularName, reference: name };
      if (first === undefined)
        throw createError('content/unknown-reference', {
          ...details,
          names: namingAttributes(type)
            .map((attribute) => `, its ${attribute}`)
            .join(''),
        });
      // A documentId takes precedence over the same text as a name.
      if (documentIds.length === 1 || documentIds.includes(name))
        return documentIds.includes(name) ? name : first;
      throw createError('content/ambiguous-reference', { ...details, candidates: documentIds.join(', ') });
    },
  };
}

/** True if a name is a text that cannot be mistaken for a file's numeric id. */
const isPlainName = (name: unknown): name is string =>
  typeof name === 'string' && name !== '' && !/^\d+$/.test(name);

/**
 * Returns the unambiguous names of documents for references: the value of a uid or a unique attribute, and
 * for files one of {@link PORTABLE_FILE_NAMES}. Documents without one are omitted.
 */
export async function nameDocuments(
  store: ContentStore,
  uid: Uid,
  documentIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const type = typeOf(store.model, uid);
  const attributes = type.uid === FILE_UID ? PORTABLE_FILE_NAMES : namingAttributes(type);
  const candidates = new Map<string, Set<string>>();
  for (const batch of attributes.length === 0 ? [] : chunksOf(documentIds, BATCH)) {
    const documents = await store.find(uid, {
      filters: { documentId: { $in: batch } },
      fields: ['documentId', ...attributes],
      ...(type.localized ? { locale: '*' } : {}),
    });
    for (const document of documents)
      for (const name of attributes.map((attribute) => document[attribute]).filter(isPlainName))
        candidates.set(document.documentId, (candidates.get(document.documentId) ?? new Set()).add(name));
  }
  const found = await findNamed(store, uid, new Set([...candidates.values()].flatMap((names) => [...names])));
  const isUnambiguous = (name: string): boolean => found.get(name)?.size === 1;
  return new Map(
    [...candidates].flatMap(([documentId, names]) => {
      const name = [...names].find(isUnambiguous);
      return name === undefined ? [] : [[documentId, name] as const];
    }),
  );
}
