import { parseRecordId } from '../../lib/ids.js';
import { componentOf, targetsOf, typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { Attribute, ContentModel, ContentSchema, Uid } from '../../model/model.js';
import type { FilterNode, PopulateNode, ReadQuery, Selection } from '../query.js';
import { populatableNames, selectableFields } from '../schema-fields.js';
import { parseDocumentId } from './parse-version.js';

/**
 * Returns the selection used when none is requested: scalars that are neither private nor passwords, times
 * and locale, in model order.
 */
export function defaultSelection(model: ContentModel, type: Uid): Selection {
  return Object.freeze({ fields: selectableFields(typeOf(model, type)), populate: Object.freeze([]) });
}

/**
 * True if content files contain an attribute: it can be read in the form in which it is written. Only the
 * file of the owning side contains a relation.
 */
export function isFileAttribute(attribute: Attribute): boolean {
  if (attribute.private || attribute.type === 'password') return false;
  return attribute.family !== 'relation' || attribute.side === 'owner';
}

/**
 * Returns the selection of everything that content files contain of a type or component. Terminates, because
 * no component of a model contains itself.
 */
export function populateAll(model: ContentModel, schema: ContentSchema): Readonly<Record<string, unknown>> {
  const populateOf = (uid: string): Readonly<Record<string, unknown>> => ({
    populate: populateAll(model, componentOf(model, uid)),
  });
  const entries = Object.values(schema.attributes).flatMap((attribute): (readonly [string, unknown])[] => {
    if (attribute.family === 'scalar' || !isFileAttribute(attribute)) return [];
    if (attribute.family === 'component') return [[attribute.name, populateOf(attribute.component)]];
    if (attribute.family === 'dynamiczone')
      return [
        [
          attribute.name,
          { on: Object.fromEntries(attribute.components.map((uid) => [uid, populateOf(uid)])) },
        ],
      ];
    return [[attribute.name, attribute.target === null ? true : { fields: ['documentId'] }]];
  });
  return Object.fromEntries(entries);
}

type Populate = Readonly<Record<string, unknown>>;

/** Returns the selection of the relations and media in components of an attribute, at any depth. */
const populateShownAt = (model: ContentModel, attribute: Attribute | undefined): unknown => {
  const populateOf = (uid: string): Populate => ({ populate: populateShown(model, componentOf(model, uid)) });
  if (attribute?.family === 'component') return populateOf(attribute.component);
  if (attribute?.family === 'dynamiczone')
    return { on: Object.fromEntries(attribute.components.map((uid) => [uid, populateOf(uid)])) };
  return true;
};

/**
 * Returns the selection of the relations, media, components and zones of a schema, or of the named ones, for
 * display. Includes those inside components.
 */
export function populateShown(
  model: ContentModel,
  schema: ContentSchema,
  names: readonly string[] = populatableNames(schema),
): Populate {
  const attributeOf = (name: string): Attribute | undefined =>
    Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
  return Object.fromEntries(names.map((name) => [name, populateShownAt(model, attributeOf(name))]));
}

const LINK: Selection = Object.freeze({ fields: [], populate: [], asInput: 'link' });

const nodeOf = (model: ContentModel, attribute: Attribute): readonly PopulateNode[] => {
  const { name } = attribute;
  const base = { attribute: name, key: name };
  const ofComponent = (uid: string): Selection => contentSelection(model, componentOf(model, uid));
  const ofEach = (uids: readonly string[], selectionOf: (uid: string) => Selection) =>
    Object.fromEntries(uids.map((uid) => [uid, selectionOf(uid)]));
  switch (attribute.family) {
    case 'scalar':
      return [];
    case 'component':
      return [{ ...base, kind: 'component', selection: ofComponent(attribute.component) }];
    case 'dynamiczone':
      return [{ ...base, kind: 'zone', on: ofEach(attribute.components, ofComponent) }];
    default:
      return attribute.target === null
        ? [{ ...base, kind: 'morph', on: ofEach(targetsOf(attribute), () => LINK) }]
        : [{ ...base, kind: 'link', selection: LINK, filter: null, sort: [], slice: null, count: false }];
  }
};

/** Returns the selection of all that content files contain of a type or component, in writable form. */
export function contentSelection(model: ContentModel, schema: ContentSchema): Selection {
  const attributes = Object.values(schema.attributes).filter(isFileAttribute);
  return {
    fields: attributes.filter(({ family }) => family === 'scalar').map(({ name }) => name),
    populate: attributes.flatMap((attribute) => nodeOf(model, attribute)),
    asInput: 'content',
  };
}

/** Parts of a {@link publishedQuery} that most callers omit. */
type PublishedQueryOptions = Partial<Pick<ReadQuery, 'filter' | 'sort' | 'locale'>>;

/**
 * Returns the query with which the server itself reads published records of a type: without a page, and
 * without a filter, sort order or locale unless the options give one.
 */
export function publishedQuery(
  type: Uid,
  selection: Selection,
  options: PublishedQueryOptions = {},
): ReadQuery {
  return {
    type,
    filter: null,
    sort: [],
    selection,
    page: null,
    locale: NO_LOCALE,
    status: 'published',
    hasPublishedVersion: null,
    ...options,
  };
}

type Filtered = Pick<ReadQuery, 'filter'>;

/** Returns the query with another condition that every document has to meet. */
export function restrict<Query extends Filtered>(
  query: Query,
  condition: FilterNode,
): Query & { readonly filter: FilterNode } {
  return {
    ...query,
    filter: query.filter === null ? condition : { kind: 'and', items: [condition, query.filter] },
  };
}

/**
 * Returns the condition for a record that a client names by its numeric id or its documentId. Null: no record
 * can have the name.
 */
export function identityFilter(name: unknown): FilterNode | null {
  const id = parseRecordId(name);
  if (id !== null) return { kind: 'compare', field: 'id', operator: '$eq', operand: id };
  const documentId = parseDocumentId(name);
  if (documentId === null) return null;
  return { kind: 'compare', field: 'documentId', operator: '$eq', operand: documentId };
}

/** Returns the query restricted to one document. */
export function narrowToDocument<Query extends Filtered>(
  query: Query,
  documentId: string,
): Query & { readonly filter: FilterNode } {
  return restrict(query, { kind: 'compare', field: 'documentId', operator: '$eq', operand: documentId });
}
