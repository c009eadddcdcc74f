import { isRecord } from '../../lib/records.js';
import { componentOf, targetsOf } from '../../model/lookup.js';
import type { ContentSchema, DynamicZoneAttribute, RelationAttribute, Uid } from '../../model/model.js';
import { filterInScope, findComponent, restrictFilter, typeInScope } from '../access-scope.js';
import type { FilterNode, PopulateNode, Selection, SortNode } from '../query.js';
import {
  descend,
  invalidKey,
  invalidParameter,
  locate,
  locateOption,
  unknownAttribute,
  asList,
  keysOf,
} from '../read-context.js';
import type { QueryLocation, ReadContext } from '../read-context.js';
import { populatableNames } from '../schema-fields.js';
import { parseFilters } from './parse-filters.js';
import { parseSort } from './parse-sort.js';
import { EVERYTHING, parseOptions } from './populate-request.js';
import type { PathTree, PopulateOptions } from './populate-request.js';

/** The options of a populated component, and of each variant of a dynamic zone. */
export const SELECTION_OPTIONS: readonly string[] = ['fields', 'populate'];

/** One attribute to populate. `key` is its name in the response, which a client may choose. */
export interface PopulateEntry {
  readonly attribute: string;
  readonly key: string;
  readonly options: PopulateOptions;
}

/** An entry that is being parsed. */
export interface EntryContext {
  readonly context: ReadContext;
  /** The location of the schema that has the attribute. */
  readonly location: QueryLocation;
  readonly entry: PopulateEntry;
  /** Parses the selection of the populated records. A parameter, because it calls entry parsers again. */
  readonly parseSelection: (
    context: ReadContext,
    location: QueryLocation,
    options: PopulateOptions,
  ) => Selection;
}

/** Returns the location of the attribute's target, one level deeper. */
const descendTo = ({ context, location, entry }: EntryContext, schema: ContentSchema): QueryLocation =>
  descend(location, entry.attribute, { schema, limit: context.limits.populateDepth });

/** @throws `request/invalid-parameter` for an option that is not allowed. */
const checkOptions = (
  { rawOptions }: PopulateOptions,
  allowed: readonly string[],
  location: QueryLocation,
): void => {
  const unknown = keysOf(rawOptions).find((key) => !allowed.includes(key));
  if (unknown !== undefined)
    throw invalidKey(location, unknown, `there is no such option here; allowed are ${allowed.join(', ')}.`);
};

/** Checks the options, then descends to the target. */
export const enterTarget = (
  entryContext: EntryContext,
  schema: ContentSchema,
  allowed: readonly string[],
): QueryLocation => {
  const location = descendTo(entryContext, schema);
  checkOptions(entryContext.entry.options, allowed, location);
  return location;
};

const VARIANT_OPTIONS: readonly string[] = ['populate', 'on'];

/** Selections, filters and sort orders that a client requests for the variants it selects. */
interface SelectedVariants {
  readonly on: Readonly<Record<Uid, Selection>>;
  /** Contains only variants that have some. */
  readonly filters: Readonly<Record<Uid, FilterNode>>;
  readonly sorts: Readonly<Record<Uid, readonly SortNode[]>>;
}

/** The components of a zone or the types of a polymorphic relation. */
interface Variants {
  /** The variants that can occur here and that the caller may find. */
  readonly possible: readonly ContentSchema[];
  readonly find: (uid: Uid) => ContentSchema | undefined;
  /** The options of one variant in `on`. */
  readonly options: readonly string[];
}

const isEmpty = (record: Readonly<Record<Uid, unknown>>): boolean => Object.keys(record).length === 0;

/** Parses a dynamic zone: a selection, filters and an order per component. */
export const populateZone = (entryContext: EntryContext, attribute: DynamicZoneAttribute): PopulateNode => {
  const {
    context: { model },
    entry,
  } = entryContext;
  const find = (uid: Uid): ContentSchema | undefined => findComponent(model, uid);
  const { on, filters, sorts } = populateVariants(entryContext, {
    possible: attribute.components.map((uid) => componentOf(model, uid)),
    find,
    options: [...SELECTION_OPTIONS, 'filters', 'sort'],
  });
  return {
    kind: 'zone',
    attribute: entry.attribute,
    key: entry.key,
    on,
    ...(isEmpty(filters) ? {} : { filters }),
    ...(isEmpty(sorts) ? {} : { sorts }),
  };
};

/** Parses documents of several types: a selection and filters per type, with those of the caller's rights. */
export const populateTypes = (
  entryContext: EntryContext,
  uids: readonly Uid[],
): Pick<SelectedVariants, 'on' | 'filters'> => {
  const { context } = entryContext;
  const { on, filters } = populateVariants(entryContext, {
    possible: uids.map((uid) => typeInScope(context, uid)),
    find: (uid) => (Object.hasOwn(context.model.typesByUid, uid) ? typeInScope(context, uid) : undefined),
    options: [...SELECTION_OPTIONS, 'filters'],
  });
  const inScope = Object.keys(on).flatMap((uid) => {
    const filter = filterInScope(context, uid, { filter: filters[uid] ?? null });
    return filter === null ? [] : [[uid, filter] as const];
  });
  return { on, filters: Object.fromEntries(inScope) };
};

/** Parses a polymorphic relation. Returns null if the caller may find none of its types. */
export const populateMorph = (
  entryContext: EntryContext,
  attribute: RelationAttribute,
): PopulateNode | null => {
  const {
    context: { access },
    entry,
  } = entryContext;
  const possible = targetsOf(attribute).filter((uid) => access.canFind(uid));
  if (possible.length === 0) return null;
  const { on, filters } = populateTypes(entryContext, possible);
  return {
    kind: 'morph',
    attribute: entry.attribute,
    key: entry.key,
    on,
    ...(isEmpty(filters) ? {} : { filters }),
  };
};

const populateVariants = (entryContext: EntryContext, variants: Variants): SelectedVariants => {
  const { location, entry } = entryContext;
  const entryLocation = locate(location, entry.attribute);
  checkOptions(entry.options, VARIANT_OPTIONS, entryLocation);
  const { on } = entry.options.rawOptions;
  return on === undefined || on === null
    ? { on: everyVariant(entryContext, variants, entryLocation), filters: {}, sorts: {} }
    : namedVariants(entryContext, variants, { raw: on, location: locate(entryLocation, 'on') });
};

/**
 * Parses the `on` option. Variants that exist but cannot occur here are ignored, so that the same `on` can be
 * used for several attributes.
 */
const namedVariants = (
  entryContext: EntryContext,
  { possible, find, options: allowed }: Variants,
  { raw, location }: { readonly raw: unknown; readonly location: QueryLocation },
): SelectedVariants => {
  if (!isRecord(raw)) throw invalidParameter(location.path, 'it must be an object by component or type.');
  const { context, parseSelection } = entryContext;
  const names = possible.map((schema) => schema.uid);
  const on: Record<Uid, Selection> = {};
  const filters: Record<Uid, FilterNode> = {};
  const sorts: Record<Uid, readonly SortNode[]> = {};
  for (const uid of keysOf(raw)) {
    const schema = find(uid);
    if (schema === undefined) throw unknownAttribute(location, uid, names);
    const { path } = locate(location, uid);
    const options = parseOptions(raw[uid], path);
    if (options === null || !names.includes(uid)) continue;
    context.countEntry();
    checkOptions(options, allowed, { ...location, path });
    const variantLocation = { ...descendTo(entryContext, schema), path };
    on[uid] = parseSelection(context, variantLocation, options);
    const { rawOptions } = options;
    const filter = parseFilters(context, locateOption(variantLocation, 'filters'), rawOptions['filters']);
    if (filter !== null) filters[uid] = restrictFilter(context, schema, filter);
    const sort = parseSort(context, locateOption(variantLocation, 'sort'), rawOptions['sort']);
    if (sort.length > 0) sorts[uid] = sort;
  }
  return { on, filters, sorts };
};

/**
 * Without `on`, all variants get the same: nothing populated, `populate: '*'`, or the dotted paths. Each
 * variant uses the attributes that it has.
 */
const everyVariant = (
  entryContext: EntryContext,
  { possible }: Variants,
  location: QueryLocation,
): Readonly<Record<Uid, Selection>> => {
  const {
    context,
    entry: { options },
    parseSelection,
  } = entryContext;
  const { populate } = options.rawOptions;
  if (populate !== undefined && populate !== null && !isEverything(populate)) {
    throw invalidParameter(
      locate(location, 'populate').path,
      'entries of several types are possible here, so it must be *; use "on" to populate each type.',
    );
  }
  const populatable = possible.flatMap(populatableNames);
  for (const name of options.nestedPaths.keys())
    if (name !== EVERYTHING && !populatable.includes(name))
      throw unknownAttribute(location, name, populatable);
  return Object.fromEntries(
    possible.map((schema) => {
      context.countEntry();
      return [
        schema.uid,
        parseSelection(context, descendTo(entryContext, schema), {
          rawOptions: { populate },
          nestedPaths: filterPathTree(options.nestedPaths, schema),
        }),
      ];
    }),
  );
};

const isEverything = (populate: unknown): boolean =>
  (asList(populate) ?? [populate]).every((item) => item === EVERYTHING);

const filterPathTree = (tree: PathTree, schema: ContentSchema): PathTree =>
  new Map([...tree].filter(([name]) => name === EVERYTHING || populatableNames(schema).includes(name)));
