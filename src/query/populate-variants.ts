import { isRecord } from '../lib/is-record.js';
import { componentOf, targetsOf } from '../model/lookup.js';
import type { ContentSchema, DynamicZoneAttribute, RelationAttribute, Uid } from '../model/model.js';
import { accessScope, typeInScope } from './access-scope.js';
import { checkOptions, descendTo, SELECTION_OPTIONS } from './populate-entry.js';
import type { EntryContext } from './populate-entry.js';
import { EVERYTHING, parseOptions } from './populate-request.js';
import type { PathTree } from './populate-request.js';
import type { PopulateNode, Selection } from './query.js';
import { asList, keysOf } from './raw-values.js';
import type { QueryLocation } from './read-context.js';
import { invalidParameter, locate, unknownAttribute } from './read-context.js';
import { findComponent } from './resolve-target-schema.js';
import { populatableNames } from './schema-fields.js';

const VARIANT_OPTIONS: readonly string[] = ['populate', 'on'];

/** The components of a zone or the types of a polymorphic relation. */
interface Variants {
  /** Those that can occur here and that the caller may find. */
  readonly possible: readonly ContentSchema[];
  readonly find: (uid: Uid) => ContentSchema | undefined;
}

/** Parses a dynamic zone: a selection per component. */
export const populateZone = (entryContext: EntryContext, attribute: DynamicZoneAttribute): PopulateNode => {
  const {
    context: { model },
    entry,
  } = entryContext;
  const find = (uid: Uid): ContentSchema | undefined => findComponent(model, uid);
  const on = populateVariants(entryContext, {
    possible: attribute.components.map((uid) => componentOf(model, uid)),
    find,
  });
  return { kind: 'zone', attribute: entry.attribute, key: entry.key, on };
};

/** Parses what documents of several types are linked by: a selection per type. */
export const populateTypes = (
  entryContext: EntryContext,
  uids: readonly Uid[],
): Readonly<Record<Uid, Selection>> => {
  const { context } = entryContext;
  return populateVariants(entryContext, {
    possible: uids.map((uid) => typeInScope(context, uid)),
    find: (uid) => (Object.hasOwn(context.model.typesByUid, uid) ? typeInScope(context, uid) : undefined),
  });
};

/** Parses a polymorphic relation. Returns null if the caller may find none of its types. */
export const populateMorph = (
  entryContext: EntryContext,
  attribute: RelationAttribute,
): PopulateNode | null => {
  const {
    context,
    context: { access },
    entry,
  } = entryContext;
  const possible = targetsOf(attribute).filter((uid) => access.canFind(uid));
  if (possible.length === 0) return null;
  const on = populateTypes(entryContext, possible);
  const filters = Object.keys(on).flatMap((uid) => {
    const filter = accessScope(context, uid)?.filter ?? null;
    return filter === null ? [] : [[uid, filter] as const];
  });
  return {
    kind: 'morph',
    attribute: entry.attribute,
    key: entry.key,
    on,
    ...(filters.length === 0 ? {} : { filters: Object.fromEntries(filters) }),
  };
};

const populateVariants = (
  entryContext: EntryContext,
  variants: Variants,
): Readonly<Record<Uid, Selection>> => {
  const { location, entry } = entryContext;
  const entryLocation = locate(location, entry.attribute);
  checkOptions(entry.options, VARIANT_OPTIONS, entryLocation);
  const { on } = entry.options.rawOptions;
  return on === undefined || on === null
    ? everyVariant(entryContext, variants, entryLocation)
    : namedVariants(entryContext, variants, { raw: on, location: locate(entryLocation, 'on') });
};

/**
 * Parses the `on` option. Variants that exist but cannot occur here are ignored, so that the same `on` can be
 * used for several attributes.
 */
const namedVariants = (
  entryContext: EntryContext,
  { possible, find }: Variants,
  { raw, location }: { readonly raw: unknown; readonly location: QueryLocation },
): Readonly<Record<Uid, Selection>> => {
  if (!isRecord(raw)) throw invalidParameter(location.path, 'it must be an object by component or type.');
  const names = possible.map((schema) => schema.uid);
  return Object.fromEntries(
    keysOf(raw).flatMap((uid) => {
      const schema = find(uid);
      if (schema === undefined) throw unknownAttribute(location, uid, names);
      const { path } = locate(location, uid);
      const options = parseOptions(raw[uid], path);
      if (options === null || !names.includes(uid)) return [];
      entryContext.context.countEntry();
      checkOptions(options, SELECTION_OPTIONS, { ...location, path });
      return [
        [
          uid,
          entryContext.parseSelection(
            entryContext.context,
            { ...descendTo(entryContext, schema), path },
            options,
          ),
        ],
      ];
    }),
  );
};

/**
 * Without `on`, all variants get the same: nothing populated, `populate: '*'`, or the dotted paths, each
 * variant those attributes that it has.
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
