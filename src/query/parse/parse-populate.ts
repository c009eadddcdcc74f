import { assertNever } from '../../lib/assert.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ComponentAttribute, ContentSchema, ContentType, Uid } from '../../model/model.js';
import { accessScope, filterInScope, typeInScope } from '../access-scope.js';
import type { PopulateNode, ReferrersPopulate, Selection } from '../query.js';
import { IDS_ONLY } from '../query.js';
import {
  invalidKey,
  invalidParameter,
  locate,
  locateOption,
  unknownAttribute,
  asList,
  keysOf,
  parseBoolean,
  splitList,
} from '../read-context.js';
import type { QueryLocation, ReadContext } from '../read-context.js';
import {
  ALWAYS_RETURNED,
  LOCALIZATIONS,
  RELATED,
  isContentType,
  isUsersOfRole,
  populatableNames,
  readableAttribute,
  selectableFields,
} from '../schema-fields.js';
import { parseFilters } from './parse-filters.js';
import { parseSlice, withListRange } from './parse-pagination.js';
import { parseSort } from './parse-sort.js';
import {
  EVERYTHING,
  NO_OPTIONS,
  mergeRequests,
  parsePopulateRequest,
  toPopulateRequest,
} from './populate-request.js';
import type { PopulateOptions, PopulateRequest } from './populate-request.js';
import {
  SELECTION_OPTIONS,
  enterTarget,
  populateMorph,
  populateTypes,
  populateZone,
} from './populate-variants.js';
import type { EntryContext, PopulateEntry } from './populate-variants.js';

const ALL = '*';

/**
 * Parses `fields`: `*`, a name, a comma-separated list, or a list of these. Returns the names in model order,
 * without fields that are always returned. Default: all. `*` may be combined with names.
 *
 * @throws `request/invalid-parameter` for names that are not scalar fields
 */
export function parseFields(location: QueryLocation, raw: unknown): readonly string[] {
  const selectable = selectableFields(location.schema);
  if (raw === undefined || raw === null || raw === '') return selectable;
  const requested = new Set((asList(raw) ?? [raw]).flatMap((item) => namesIn(location, item)));
  for (const name of requested) {
    if (name !== ALL && !selectable.includes(name) && !isAlwaysReturned(location, name))
      throw unknownAttribute(location, name, selectable);
  }
  return requested.has(ALL) ? selectable : selectable.filter((name) => requested.has(name));
}

const namesIn = (location: QueryLocation, item: unknown): readonly string[] => {
  if (typeof item !== 'string')
    throw invalidParameter(location.path, 'it must be a name, a comma-separated list, or a list of names.');
  return splitList(item);
};

const isAlwaysReturned = ({ schema }: QueryLocation, name: string): boolean =>
  ALWAYS_RETURNED.has(name) && (name === 'id' || 'storage' in schema);

const isLinkTo = (uid: Uid, type: ContentType, attribute: Attribute): boolean =>
  attribute.family === 'media' &&
  attribute.target === uid &&
  attribute.link !== null &&
  readableAttribute(type, attribute.name) !== null;

/**
 * Returns the node for the documents that link a file, restricted to types and attributes that the caller may
 * see; null if there are none. The caller fills in the selections and filters.
 */
function populateReferrers(
  context: ReadContext,
  target: Uid,
  entry: { readonly attribute: string; readonly key: string },
): ReferrersPopulate | null {
  const { model, access } = context;
  const on: Record<Uid, Selection> = {};
  const mediaAttributes: Record<Uid, readonly string[]> = {};
  for (const { uid } of model.types.filter((type) => access.canFind(type.uid))) {
    const type = typeInScope(context, uid);
    const names = Object.values(type.attributes)
      .filter((attribute) => isLinkTo(target, type, attribute))
      .map(({ name }) => name);
    if (names.length === 0) continue;
    on[uid] = IDS_ONLY;
    mediaAttributes[uid] = names;
  }
  return Object.keys(on).length === 0
    ? null
    : { kind: 'referrers', ...entry, on, mediaAttributes, filters: {} };
}

/** The options of a component and of `localizations`. */
const RANGE_OPTIONS: readonly string[] = [...SELECTION_OPTIONS, 'filters', 'sort'];

const LINK_OPTIONS: readonly string[] = [
  'fields',
  'populate',
  'filters',
  'sort',
  'count',
  'pagination',
  'start',
  'limit',
];

/**
 * Parses the selection of one record from the options `fields` and `populate`.
 *
 * @throws `request/invalid-parameter`, `request/query-too-deep`, `request/query-too-large`
 */
export function parseSelectionAt(
  context: ReadContext,
  location: QueryLocation,
  { rawOptions, nestedPaths }: PopulateOptions,
): Selection {
  const populateLocation = locate(location, 'populate');
  const request = parsePopulateRequest(rawOptions['populate'], populateLocation.path);
  return {
    fields: parseFields(locateOption(location, 'fields'), rawOptions['fields']),
    populate: populateAll(context, request.size === 0 ? location : populateLocation, [
      expandRequest(location, toPopulateRequest(nestedPaths)),
      expandRequest(populateLocation, request),
    ]),
  };
}

const hidesUsersOfRole = ({ access }: ReadContext, { schema }: QueryLocation, name: string): boolean => {
  const attribute = access.isOfClient === true ? readableAttribute(schema, name) : null;
  return attribute !== null && isUsersOfRole(schema, attribute);
};

/** Returns the names that `populate` accepts, including, for files, the documents that link them. */
const populatableNamesOf = (schema: ContentSchema): readonly string[] =>
  schema.uid === FILE_UID ? [...populatableNames(schema), RELATED] : populatableNames(schema);

/** Replaces `*` by the attributes of the schema, and checks the other names. */
const expandRequest = (location: QueryLocation, request: PopulateRequest): PopulateRequest => {
  const populatable = populatableNamesOf(location.schema);
  const named = new Map([...request].filter(([name]) => name !== EVERYTHING));
  for (const name of named.keys())
    if (!populatable.includes(name) && !location.schema.ignoredAttributes.includes(name))
      throw unknownAttribute(location, name, populatable);
  const everything = request.get(EVERYTHING) ?? null;
  if (everything === null) return named;
  if (keysOf(everything.rawOptions).length > 0 || everything.nestedPaths.size > 0)
    throw invalidKey(location, EVERYTHING, 'it takes no options; name the attributes that have some.');
  return new Map([...populatable.map((name) => [name, NO_OPTIONS] as const), ...named]);
};

/**
 * Parses requests for one level into nodes, in model order. Silently omits relations whose target the caller
 * may not find, and the users of roles.
 */
const populateAll = (
  context: ReadContext,
  location: QueryLocation,
  requests: readonly PopulateRequest[],
): readonly PopulateNode[] => {
  const request = mergeRequests(requests);
  return populatableNamesOf(location.schema).flatMap((name) => {
    const options = request.get(name) ?? null;
    const node =
      options === null
        ? null
        : parsePopulateEntry(context, location, { attribute: name, key: name, options });
    return node === null || hidesUsersOfRole(context, location, name) ? [] : [node];
  });
};

/**
 * Parses one attribute, which the schema at the location must have. Returns null if the caller may not find
 * its target.
 */
export function parsePopulateEntry(
  context: ReadContext,
  location: QueryLocation,
  entry: PopulateEntry,
): PopulateNode | null {
  context.countEntry();
  const entryContext: EntryContext = { context, location, entry, parseSelection: parseSelectionAt };
  const attribute = readableAttribute(location.schema, entry.attribute);
  switch (attribute?.family) {
    case undefined:
      return isRelatedOfFile(entryContext)
        ? populateRelated(entryContext)
        : populateLocalizations(entryContext);
    case 'relation':
      return attribute.target === null
        ? populateMorph(entryContext, attribute)
        : populateRelation(entryContext, attribute.target);
    case 'media':
      return populateLink(entryContext, attribute.target);
    case 'component':
      return populateComponent(entryContext, attribute);
    case 'dynamiczone':
      return populateZone(entryContext, attribute);
    case 'scalar':
      throw unknownAttribute(location, entry.attribute, populatableNames(location.schema));
    default:
      return assertNever(attribute, 'attribute family');
  }
}

const isRelatedOfFile = ({ location, entry }: EntryContext): boolean =>
  location.schema.uid === FILE_UID && entry.attribute === RELATED;

/** Parses `related`: a selection for each type that links files and that the caller may find. */
const populateRelated = (entryContext: EntryContext): PopulateNode | null => {
  const { context, location, entry } = entryContext;
  const node = populateReferrers(context, location.schema.uid, {
    attribute: entry.attribute,
    key: entry.key,
  });
  if (node === null) return null;
  const selected = populateTypes(entryContext, Object.keys(node.on));
  return Object.keys(selected.on).length === 0 ? null : { ...node, ...selected };
};

const populateRelation = (entryContext: EntryContext, target: Uid): PopulateNode | null =>
  entryContext.context.access.canFind(target) ? populateLink(entryContext, target) : null;

const populateLink = (entryContext: EntryContext, target: Uid): PopulateNode => {
  const {
    context,
    entry,
    entry: {
      options: { rawOptions },
    },
  } = entryContext;
  const location = enterTarget(entryContext, typeInScope(context, target), LINK_OPTIONS);
  return {
    kind: 'link',
    attribute: entry.attribute,
    key: entry.key,
    selection: entryContext.parseSelection(context, location, entry.options),
    filter: filterInScope(context, target, {
      filter: parseFilters(context, locateOption(location, 'filters'), rawOptions['filters']),
    }),
    sort: parseSort(context, locateOption(location, 'sort'), rawOptions['sort']),
    slice: parseSlice(rawOptions, context.limits, location.path),
    count: parseCount(rawOptions['count'], location),
  };
};

const parseCount = (value: unknown, location: QueryLocation): boolean => {
  const count = value === undefined || value === null ? false : parseBoolean(value);
  if (count === null) throw invalidParameter(locate(location, 'count').path, 'it must be true or false.');
  return count;
};

const populateComponent = (entryContext: EntryContext, attribute: ComponentAttribute): PopulateNode => {
  const { context, entry } = entryContext;
  const component = componentOf(context.model, attribute.component);
  const location = enterTarget(entryContext, component, RANGE_OPTIONS);
  const node: PopulateNode = {
    kind: 'component',
    attribute: entry.attribute,
    key: entry.key,
    selection: entryContext.parseSelection(context, location, entry.options),
  };
  const { rawOptions } = entry.options;
  return withListRange(context, node, { schema: component, path: location.path, rawOptions });
};

const populateLocalizations = (entryContext: EntryContext): PopulateNode | null => {
  const {
    context,
    location: { schema },
    entry,
  } = entryContext;
  if (entry.attribute !== LOCALIZATIONS || !populatableNames(schema).includes(LOCALIZATIONS))
    throw unknownAttribute(entryContext.location, entry.attribute, populatableNames(schema));
  if (isContentType(schema) && !context.access.canFind(schema.uid)) return null;
  const location = enterTarget(entryContext, schema, RANGE_OPTIONS);
  const filter = isContentType(schema) ? accessScope(context, schema.uid)?.filter : undefined;
  const selection = entryContext.parseSelection(context, location, entry.options);
  const node: PopulateNode = {
    kind: 'localizations',
    attribute: entry.attribute,
    key: entry.key,
    selection,
    ...(filter === null || filter === undefined ? {} : { filter }),
  };
  const { rawOptions } = entry.options;
  return withListRange(context, node, { schema, path: location.path, rawOptions });
};
