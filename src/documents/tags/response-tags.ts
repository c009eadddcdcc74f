import { assertNever } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { attributeOf, componentOf, linkAttributeOf, targetsOf, typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema, ContentType, Uid } from '../../model/model.js';
import { publicationFilterOf } from '../../query/query.js';
import type {
  CompareNode,
  FilterNode,
  PopulateNode,
  ReadQuery,
  Selection,
  Slice,
  SortNode,
} from '../../query/query.js';
import { isLocalizations } from '../../query/schema-fields.js';
import {
  REFERRERS,
  SITE_TAG,
  anyChangeTag,
  createTagNames,
  documentTag,
  equalityTag,
  fieldTag,
  hasEqualityTags,
  inverseTag,
  listTag,
  manyChangesTag,
  printTagValue,
  publishedTag,
} from './tag-names.js';
import type { TagNames } from './tag-names.js';

/** A read with its result. */
export interface TaggedRead {
  readonly query: ReadQuery;
  /** The requested document. Null: a list, or a single type. */
  readonly documentId: string | null;
  /** The records as the database returns them. Null: unknown, so that any change of their types counts. */
  readonly records: readonly unknown[] | null;
}

/**
 * Returns the tags of a response that depends only on these reads. Null: it depends on more than published
 * content, so that tags cannot say when it is stale.
 */
export type TagResponse = (reads: readonly TaggedRead[]) => readonly string[] | null;

/** Adds tags for the parts of a query. */
interface Walk {
  readonly model: ContentModel;
  readonly names: TagNames;
  readonly tags: Set<string>;
  /** The types that the response depends on. */
  readonly types: Set<ContentType>;
}

/** The rows that a part of a query reads. A component belongs to the row of its content-type. */
interface Place {
  readonly schema: ContentSchema;
  readonly row: ContentType;
  /** The attribute of the row that contains the component. Null: the schema is that of the row. */
  readonly container: string | null;
  /** Null: all locales. */
  readonly locale: string | null;
}

const placeOfRow = (row: ContentType, locale: string | null): Place => ({
  schema: row,
  row,
  container: null,
  locale,
});

/** Documents without locales show linked documents in all locales. */
const targetLocale = ({ row, locale }: Place): string | null => (row.localized ? locale : null);

const inComponent = (place: Place, name: string, schema: ContentSchema): Place => ({
  ...place,
  schema,
  container: place.container ?? name,
});

const componentPlace = ({ model }: Walk, place: Place, name: string): Place => {
  const attribute = attributeOf(place.schema, name);
  if (attribute.family !== 'component') throw new TypeError(`${place.schema.uid} has no component ${name}`);
  return inComponent(place, name, componentOf(model, attribute.component));
};

const scopesOf = ({ names, types }: Walk, { row, locale }: Place): readonly string[] => {
  types.add(row);
  return names.scopesOf(row, locale);
};

/** Fields that never change while a version is published. */
const FIXED_FIELDS: readonly string[] = ['id', 'documentId', 'locale'];

const addField = (walk: Walk, place: Place, name: string): void => {
  if (FIXED_FIELDS.includes(name)) return;
  for (const scope of scopesOf(walk, place)) walk.tags.add(fieldTag(scope, place.container ?? name));
};

const addList = (walk: Walk, place: Place): void => {
  for (const scope of scopesOf(walk, place)) walk.tags.add(listTag(scope));
};

/** Returns the places at the other end of a link. */
const targetsAt = (walk: Walk, place: Place, name: string): readonly Place[] => {
  const targets = isLocalizations(place.schema, name)
    ? [placeOfRow(place.row, null)]
    : targetsOf(linkAttributeOf(place.schema, name)).map((uid) =>
        placeOfRow(typeOf(walk.model, uid), targetLocale(place)),
      );
  // If very many of their documents change, only their type is announced, and not their links.
  for (const { row } of targets) walk.types.add(row);
  return targets;
};

/** Adds the tags of a link that a condition follows. Returns the places at its other end. */
const followLink = (walk: Walk, place: Place, name: string): readonly Place[] => {
  const isOfDocument = isLocalizations(place.schema, name);
  if (!isOfDocument) addField(walk, place, name);
  const targets = targetsAt(walk, place, name);
  // No link shows which components refer to a document that appears or disappears, nor which versions do.
  if (isOfDocument || place.container !== null) for (const target of targets) addList(walk, target);
  return targets;
};

/** @param isRefined true if other tags announce changes of the values of the rows themselves */
const walkFilter = (
  walk: Walk,
  place: Place,
  filter: FilterNode | null | undefined,
  isRefined = false,
): void => {
  if (filter === null || filter === undefined) return;
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const item of filter.items) walkFilter(walk, place, item, isRefined);
      break;
    case 'not':
      walkFilter(walk, place, filter.item, isRefined);
      break;
    case 'link':
      for (const target of followLink(walk, place, filter.attribute)) walkFilter(walk, target, filter.filter);
      break;
    case 'link-empty':
      followLink(walk, place, filter.attribute);
      break;
    case 'component':
      walkFilter(walk, componentPlace(walk, place, filter.attribute), filter.filter, isRefined);
      break;
    case 'compare':
    case 'component-empty':
      if (!isRefined) addField(walk, place, filter.kind === 'compare' ? filter.field : filter.attribute);
      break;
    default:
      assertNever(filter, 'filter');
  }
};

const walkSortPath = (
  walk: Walk,
  place: Place,
  [name, ...rest]: readonly string[],
  isRefined: boolean,
): void => {
  if (name === undefined) return;
  if (rest.length === 0) {
    if (!isRefined) addField(walk, place, name);
    return;
  }
  const attribute = isLocalizations(place.schema, name) ? null : attributeOf(place.schema, name);
  if (attribute?.family === 'component')
    walkSortPath(walk, componentPlace(walk, place, name), rest, isRefined);
  else for (const target of followLink(walk, place, name)) walkSortPath(walk, target, rest, false);
};

const walkSort = (walk: Walk, place: Place, sort: readonly SortNode[] = [], isRefined = false): void => {
  for (const { path, score } of sort)
    for (const each of score === undefined ? [path] : score.fields.map((field) => [field]))
      walkSortPath(walk, place, each, isRefined);
};

/** Adds the tags of documents that a component refers to by their ids, since no link shows which it does. */
const addComponentTarget = (walk: Walk, target: Place, isCount: boolean): void => {
  if (isCount) addList(walk, target);
  // Files are there before components refer to them.
  else if (target.row.uid !== FILE_UID)
    for (const scope of scopesOf(walk, target)) walk.tags.add(publishedTag(scope));
};

interface LinkedRows {
  readonly selection: Selection;
  readonly filter?: FilterNode | null;
  readonly sort?: readonly SortNode[];
  readonly slice?: Slice | null;
  readonly count?: boolean;
}

/** Adds the tags of a list of linked rows. The tags of the rows themselves follow from the records. */
const walkTarget = (
  walk: Walk,
  place: Place,
  uid: Uid,
  { selection, filter, sort, slice = null, count = false }: LinkedRows,
): void => {
  const target = placeOfRow(typeOf(walk.model, uid), targetLocale(place));
  walk.types.add(target.row);
  if (place.container !== null) addComponentTarget(walk, target, count);
  walkFilter(walk, target, filter);
  walkSort(walk, target, sort, slice === null);
  walkSelection(walk, target, selection);
};

const walkNode = (walk: Walk, place: Place, node: PopulateNode): void => {
  switch (node.kind) {
    case 'link':
      if (node.count) addField(walk, place, node.attribute);
      for (const uid of targetsOf(linkAttributeOf(place.schema, node.attribute)))
        walkTarget(walk, place, uid, node);
      break;
    case 'morph':
    case 'referrers':
      for (const [uid, selection] of Object.entries(node.on))
        walkTarget(walk, place, uid, { selection, filter: node.filters?.[uid] ?? null });
      break;
    case 'component': {
      const component = componentPlace(walk, place, node.attribute);
      walkFilter(walk, component, node.filter);
      walkSort(walk, component, node.sort);
      walkSelection(walk, component, node.selection);
      break;
    }
    case 'zone':
      for (const [uid, selection] of Object.entries(node.on)) {
        const component = inComponent(place, node.attribute, componentOf(walk.model, uid));
        walkFilter(walk, component, node.filters?.[uid]);
        walkSort(walk, component, node.sorts?.[uid]);
        walkSelection(walk, component, selection);
      }
      break;
    case 'localizations': {
      const versions = placeOfRow(place.row, null);
      walkFilter(walk, versions, node.filter);
      walkSort(walk, versions, node.sort);
      walkSelection(walk, versions, node.selection);
      break;
    }
    default:
      assertNever(node, 'populate node');
  }
};

const walkSelection = (walk: Walk, place: Place, { populate }: Selection): void => {
  for (const node of populate) walkNode(walk, place, node);
};

const conditionsOf = (filter: FilterNode | null): readonly FilterNode[] => {
  if (filter === null) return [];
  return filter.kind === 'and' ? filter.items.flatMap(conditionsOf) : [filter];
};

/** Returns the document or value that a condition requires, as a tag of a scope. Null: it requires none. */
const equalityOf = ({ row }: Place, condition: FilterNode): ((scope: string) => string) | null => {
  const operandOf = (node: FilterNode, isExpected: (node: CompareNode) => boolean): string | null =>
    node.kind === 'compare' && node.operator === '$eq' && node.operand !== null && isExpected(node)
      ? printTagValue(node.operand as StoredScalar)
      : null;
  if (condition.kind === 'link') {
    const { attribute } = condition;
    if (isLocalizations(row, attribute)) return null;
    const target = operandOf(condition.filter, ({ field }) => field === 'documentId');
    return target === null ? null : (scope) => equalityTag(scope, attribute, target);
  }
  const documentId = operandOf(condition, ({ field }) => field === 'documentId');
  if (documentId !== null) return (scope) => documentTag(scope, documentId);
  const value = operandOf(condition, ({ field }) => hasEqualityTags(row, field));
  if (value === null || condition.kind !== 'compare') return null;
  return (scope) => equalityTag(scope, condition.field, value);
};

/** True if the records are all that the query finds, so that no other row may take the place of one. */
const isComplete = ({ page }: ReadQuery, records: readonly unknown[]): boolean =>
  page === null || (page.offset === 0 && page.cursor === undefined && records.length < page.limit);

/** Adds the tags that decide which rows the query finds, and in which order. */
const walkRoot = (
  walk: Walk,
  query: ReadQuery,
  { row, records }: { readonly row: ContentType; readonly records: readonly unknown[] },
): void => {
  const { filter, sort, locale } = query;
  const place = placeOfRow(row, locale === '*' ? null : locale);
  const conditions = conditionsOf(filter);
  const refining = conditions.find((condition) => equalityOf(place, condition) !== null);
  const tagIn = refining === undefined ? null : equalityOf(place, refining);
  if (tagIn === null) addList(walk, place);
  else for (const scope of scopesOf(walk, place)) walk.tags.add(tagIn(scope));
  if (refining?.kind === 'link') targetsAt(walk, place, refining.attribute);
  for (const condition of conditions)
    if (condition !== refining) walkFilter(walk, place, condition, tagIn !== null);
  // The tags of the records announce changes of their own values.
  walkSort(walk, place, sort, tagIn !== null || isComplete(query, records));
};

/** Adds the tags of records, at all depths. */
const addRecords = (walk: Walk, place: Place, selection: Selection, value: unknown): void => {
  if (Array.isArray(value)) {
    for (const item of value) addRecords(walk, place, selection, item);
    return;
  }
  if (!isRecord(value)) return;
  const locale = place.row.localized && typeof value['locale'] === 'string' ? value['locale'] : place.locale;
  const current = { ...place, locale };
  const { documentId } = value;
  if (place.container === null && typeof documentId === 'string')
    for (const scope of scopesOf(walk, current)) walk.tags.add(documentTag(scope, documentId));
  for (const node of selection.populate) addPopulated(walk, current, node, value);
};

/** Adds the tag of a list that documents at the other end change. */
const addInverse = (
  walk: Walk,
  place: Place,
  { kind, attribute }: PopulateNode,
  { documentId }: Readonly<Record<string, unknown>>,
): void => {
  if (kind !== 'link' && kind !== 'referrers') return;
  if (kind === 'link' && linkAttributeOf(place.schema, attribute).side === 'owner') return;
  const name = kind === 'link' ? attribute : REFERRERS;
  for (const scope of scopesOf(walk, place)) walk.tags.add(inverseTag(scope, String(documentId), name));
};

const addPopulated = (
  walk: Walk,
  place: Place,
  node: PopulateNode,
  record: Readonly<Record<string, unknown>>,
): void => {
  const value = record[node.key];
  addInverse(walk, place, node, record);
  const targetOf = (uid: Uid): Place => placeOfRow(typeOf(walk.model, uid), targetLocale(place));
  const addEach = (
    on: Readonly<Record<Uid, Selection>>,
    key: '__type' | '__component',
    placeOf: (uid: Uid) => Place,
  ): void => {
    for (const item of Array.isArray(value) ? value : [value]) {
      const uid = isRecord(item) ? String(item[key]) : '';
      const selection = Object.hasOwn(on, uid) ? on[uid] : undefined;
      if (selection !== undefined) addRecords(walk, placeOf(uid), selection, item);
    }
  };
  switch (node.kind) {
    case 'link':
      for (const uid of targetsOf(linkAttributeOf(place.schema, node.attribute)))
        addRecords(walk, targetOf(uid), node.selection, value);
      break;
    case 'morph':
    case 'referrers':
      addEach(node.on, '__type', targetOf);
      break;
    case 'component':
      addRecords(walk, componentPlace(walk, place, node.attribute), node.selection, value);
      break;
    case 'zone':
      addEach(node.on, '__component', (uid) =>
        inComponent(place, node.attribute, componentOf(walk.model, uid)),
      );
      break;
    case 'localizations': {
      const { documentId } = record;
      const versions = placeOfRow(place.row, null);
      for (const scope of scopesOf(walk, versions)) walk.tags.add(documentTag(scope, String(documentId)));
      addRecords(walk, versions, node.selection, value);
      break;
    }
    default:
      assertNever(node, 'populate node');
  }
};

/** True if the query reads only published versions as they are. */
const isOfPublished = (query: ReadQuery): boolean =>
  query.status === 'published' &&
  query.release === undefined &&
  query.isOfAllStatuses === undefined &&
  publicationFilterOf(query) === null;

const lengthOf = (tags: readonly string[]): number => tags.reduce((sum, tag) => sum + tag.length + 1, 0);

/** Limits of the tags of a response. Larger lists name types instead of documents. */
interface TagLimits {
  /** The length of all tags with a separator after each. */
  readonly maxLength: number;
  readonly maxTags: number;
}

const isOfName = (name: string, tag: string): boolean =>
  tag.startsWith(name) && ['', '@', ':', '.', '?', '!', '+'].includes(tag.charAt(name.length));

/** Replaces the tags of whole types, those with the longest tags first, until the rest is short enough. */
const shorten = (
  names: readonly string[],
  tags: readonly string[],
  { maxLength, maxTags }: TagLimits,
): readonly string[] => {
  let kept = tags;
  const byLength = names
    .map((name) => ({ name, length: lengthOf(tags.filter((tag) => isOfName(name, tag))) }))
    .toSorted((left, right) => right.length - left.length);
  for (const { name } of byLength) {
    if (lengthOf(kept) <= maxLength && kept.length <= maxTags) break;
    kept = [...kept.filter((tag) => !isOfName(name, tag)), anyChangeTag(name)];
  }
  return kept;
};

interface ResponseTaggerOptions extends TagLimits {
  readonly model: ContentModel;
  /** Returns the codes of all locales. */
  readonly locales: () => readonly string[];
}

/**
 * Creates the function that returns the tags of responses.
 *
 * @example
 *   tagResponse([{ query, documentId: null, records: [article] }]);
 *   // ['all', 'article!', 'article', 'article.title', 'article:b3xk…']
 */
export function createResponseTagger({ model, locales, ...limits }: ResponseTaggerOptions): TagResponse {
  const names = createTagNames(model, locales);
  const addRead = (walk: Walk, { query, documentId, records }: TaggedRead): void => {
    const row = typeOf(model, query.type);
    const place = placeOfRow(row, query.locale === '*' ? null : query.locale);
    walkSelection(walk, place, query.selection);
    if (documentId === null) walkRoot(walk, query, { row, records: records ?? [] });
    else {
      for (const scope of scopesOf(walk, place)) walk.tags.add(documentTag(scope, documentId));
      walkFilter(walk, place, query.filter, true);
    }
    addRecords(walk, place, query.selection, records);
  };
  return (reads) => {
    if (!reads.every(({ query }) => isOfPublished(query))) return null;
    const walk: Walk = { model, names, tags: new Set(), types: new Set() };
    for (const read of reads) addRead(walk, read);
    const typeNames = [...walk.types].map(names.nameOf);
    const isUnknown = reads.some(({ records }) => records === null);
    const tags = isUnknown ? typeNames.map(anyChangeTag) : [...typeNames.map(manyChangesTag), ...walk.tags];
    return shorten(typeNames, [SITE_TAG, ...tags], limits);
  };
}
