import { reservedScope } from '../../model/content-types/attribute-names.js';
import type { GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { completeTime } from '../../model/fields/date-value.js';
import { isRecord } from '../../lib/records.js';
import { didYouMean } from '../../lib/nearest.js';
import { componentOf, typeOf } from '../../model/lookup.js';
import type {
  Attribute,
  Component,
  ContentModel,
  ContentSchema,
  ContentType,
  Uid,
} from '../../model/model.js';
import { invalidValues } from '../../documents/validation/issues.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { createError } from '../../errors/catalogue.js';
import { chunksOf } from '../../lib/collections.js';
import type { ContentStore, ContentDocument } from './content-store.js';

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
interface ResolvedReferences {
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

type Data = Readonly<Record<string, unknown>>;

/** Called for each text that names a linked document. Returns its replacement. */
type Replace = (reference: Reference) => unknown;

const replaceLink = (attribute: Attribute, value: unknown, path: string, replace: Replace): unknown => {
  if (attribute.family !== 'relation' && attribute.family !== 'media') return value;
  const { target } = attribute;
  // Values of polymorphic relations are objects, since they name their type.
  if (target === null) return value;
  // Files may also be named by their numeric id.
  const isName = (item: unknown): item is string =>
    typeof item === 'string' && !(attribute.family === 'media' && /^\d+$/.test(item));
  const replaceOne = (item: unknown, at: string): unknown =>
    isName(item) ? replace({ type: target, name: item, path: at }) : item;
  return Array.isArray(value)
    ? value.map((item: unknown, index) => replaceOne(item, `${path}.${index}`))
    : replaceOne(value, path);
};

/** Returns the component of a value of an attribute. Null: the value is not a component. */
const nestedSchema = (model: ContentModel, attribute: Attribute, item: Data): Component | null => {
  const uid = attribute.family === 'component' ? attribute.component : item['__component'];
  const isNested = attribute.family === 'component' || attribute.family === 'dynamiczone';
  return isNested && typeof uid === 'string' && Object.hasOwn(model.componentsByUid, uid)
    ? componentOf(model, uid)
    : null;
};

const replaceNested = (
  model: ContentModel,
  attribute: Attribute,
  { value, path, replace }: { readonly value: unknown; readonly path: string; readonly replace: Replace },
): unknown => {
  if (Array.isArray(value))
    return value.map((item: unknown, index) =>
      replaceNested(model, attribute, { value: item, path: `${path}.${index}`, replace }),
    );
  const component = isRecord(value) ? nestedSchema(model, attribute, value) : null;
  if (component === null || !isRecord(value)) return value;
  return replaceIn(model, component, { data: value, path, replace });
};

const replaceIn = (
  model: ContentModel,
  schema: ContentSchema,
  { data, path, replace }: { readonly data: Data; readonly path: string; readonly replace: Replace },
): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      const at = path === '' ? name : `${path}.${name}`;
      if (attribute === undefined) return [name, value];
      if (attribute.type === 'time' && typeof value === 'string') return [name, completeTime(value)];
      const isNested = attribute.family === 'component' || attribute.family === 'dynamiczone';
      return [
        name,
        isNested
          ? replaceNested(model, attribute, { value, path: at, replace })
          : replaceLink(attribute, value, at, replace),
      ];
    }),
  );

/** Values whose links are documentIds. */
interface ResolvedData {
  readonly data: Data;
  /** Errors of references that match no document, or several. */
  readonly errors: readonly { readonly path: string; readonly error: GalleyError }[];
}

const resolveLinks = async (
  store: ContentStore,
  schema: ContentSchema,
  data: Data,
): Promise<ResolvedData> => {
  const references: Reference[] = [];
  const completed = replaceReferences(store.model, schema, data, (reference) => references.push(reference));
  if (references.length === 0) return { data: completed, errors: [] };
  const { documentIdOf } = await resolveReferences(store, references);
  const errors: { readonly path: string; readonly error: GalleyError }[] = [];
  const resolved = replaceReferences(store.model, schema, data, (reference) => {
    try {
      return documentIdOf(reference);
    } catch (error) {
      if (!isGalleyError(error)) throw error;
      errors.push({ path: reference.path, error });
      return null;
    }
  });
  return { data: resolved, errors };
};

const linkIssues = (errors: ResolvedData['errors']): readonly ValidationIssue[] =>
  errors.map(({ path, error }) => ({
    path: path.split('.'),
    message: error.message.replace(`${path}: `, ''),
    name: 'ValidationError',
  }));

/**
 * Replaces the texts that name linked documents and files by their documentIds, in components too: a
 * documentId, or the value of a uid or a unique attribute. Completes times without seconds.
 *
 * @throws `content/unknown-reference`, `content/ambiguous-reference`, or `request/invalid-values` with all
 *   issues
 */
export async function resolveData(store: ContentStore, schema: ContentSchema, data: Data): Promise<Data> {
  const { data: resolved, errors } = await resolveLinks(store, schema, data);
  const [first] = errors;
  if (first === undefined) return resolved;
  throw errors.length === 1 ? first.error : invalidValues(linkIssues(errors));
}

const isKnownKey = (schema: ContentSchema, name: string): boolean =>
  Object.hasOwn(schema.attributes, name) ||
  schema.ignoredAttributes.includes(name) ||
  reservedScope(name) !== null;

const unknownKeys = (
  model: ContentModel,
  schema: ContentSchema,
  data: Data,
  path: readonly string[] = [],
): readonly ValidationIssue[] =>
  Object.entries(data).flatMap(([name, value]): readonly ValidationIssue[] => {
    const valuePath = [...path, name];
    const suggestion = didYouMean(name, Object.keys(schema.attributes));
    const message = `is not an attribute of ${schema.uid}. ${suggestion}`.trimEnd();
    if (!isKnownKey(schema, name)) return [{ path: valuePath, message, name: 'ValidationError' }];
    const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
    if (attribute === undefined) return [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.flatMap((item, index) => {
      const component = isRecord(item) ? nestedSchema(model, attribute, item) : null;
      const at = Array.isArray(value) ? [...valuePath, String(index)] : valuePath;
      return component === null || !isRecord(item) ? [] : unknownKeys(model, component, item, at);
    });
  });

/** Resolves links as {@link resolveData} does, but returns issues. Omits values with issues. */
export async function resolveWithIssues(
  store: ContentStore,
  schema: ContentSchema,
  data: Data,
): Promise<{ readonly data: Data; readonly issues: readonly ValidationIssue[] }> {
  const { data: resolved, errors } = await resolveLinks(store, schema, data);
  const issues = [...unknownKeys(store.model, schema, data), ...linkIssues(errors)];
  const wrong = new Set(issues.map(({ path }) => path[0]));
  return {
    data: Object.fromEntries(Object.entries(resolved).filter(([name]) => !wrong.has(name))),
    issues,
  };
}

/** Replaces the names of linked documents and files in data, in components too. Completes times. */
export function replaceReferences(
  model: ContentModel,
  schema: ContentSchema,
  data: Data,
  replace: Replace,
): Data {
  return replaceIn(model, schema, { data, path: '', replace });
}
