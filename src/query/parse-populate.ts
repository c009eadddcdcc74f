import { FILE_UID } from '../content-types/builtin/registry.js';
import { assertNever } from '../lib/assert-never.js';
import { isRecord } from '../lib/is-record.js';
import type { AttributeHolder, ComponentAttribute, DynamicZoneAttribute, RelationAttribute, Uid } from '../model/model.js';
import { covered, coveredType, coverage } from './coverage.js';
import { isContentType, LOCALIZATIONS, populatableNames, readableAttribute, RELATED } from './holder-fields.js';
import { componentOf } from './nested-holder.js';
import { parseFields } from './parse-fields.js';
import { parseFilters } from './parse-filters.js';
import { parseSlice } from './parse-pagination.js';
import { parseSort } from './parse-sort.js';
import type { PathTree, PopulateOptions, PopulateRequest } from './populate-request.js';
import { populateReferrers } from './populate-referrers.js';
import { parseOptions, parsePopulateRequest, PLAIN, requestOf } from './populate-request.js';
import type { PopulateNode, Selection } from './query.js';
import { keysOf, parseBoolean } from './raw-values.js';
import type { Place, ReadContext } from './read-context.js';
import { descend, locate, refuse, refuseName, typeOf } from './read-context.js';

const LINK_OPTIONS: readonly string[] = ['fields', 'populate', 'filters', 'sort', 'count', 'pagination', 'start', 'limit'];
const SELECTION_OPTIONS: readonly string[] = ['fields', 'populate'];
const VARIANT_OPTIONS: readonly string[] = ['populate', 'on'];

/** One attribute to populate. `key` differs from the attribute's name where a client renames the answer. */
export interface PopulateEntry {
  readonly attribute: string;
  readonly key: string;
  readonly options: PopulateOptions;
}

/** An entry being read, at the place whose holder has the attribute. */
interface Populating {
  readonly context: ReadContext;
  readonly place: Place;
  readonly entry: PopulateEntry;
}

/**
 * Reads what of one record is answered, from `fields` and `populate` among the options.
 * Names and values are checked against the holder at `place`; throws `request/invalid-parameter` and the limits' errors.
 */
export function parseSelectionAt(context: ReadContext, place: Place, { given, below }: PopulateOptions): Selection {
  return {
    fields: parseFields(locate(place, 'fields'), given['fields']),
    populate: below.size > 0 ? populateAll(context, place, requestOf(below)) : parsePopulate(context, locate(place, 'populate'), given['populate']),
  };
}

/** Reads a `populate` value in any of its forms, into nodes in model order. What the caller may not find is left out silently. */
export function parsePopulate(context: ReadContext, place: Place, raw: unknown): readonly PopulateNode[] {
  const everything = (): PopulateRequest => new Map(populatableNames(place.holder).map((name) => [name, PLAIN]));
  return populateAll(context, place, raw === '*' ? everything() : parsePopulateRequest(raw, place.path));
}

const populateAll = (context: ReadContext, place: Place, request: PopulateRequest): readonly PopulateNode[] => {
  const known = populatableNames(place.holder);
  for (const name of request.keys()) if (!known.includes(name)) throw refuseName(place, name, known);
  return known.flatMap((name) => {
    const options = request.get(name) ?? null;
    const node = options === null ? null : parsePopulateEntry(context, place, { attribute: name, key: name, options });
    return node === null ? [] : [node];
  });
};

/** One attribute's node; null where the caller may not find its target. The holder at `place` must have that attribute. */
export function parsePopulateEntry(context: ReadContext, place: Place, entry: PopulateEntry): PopulateNode | null {
  context.spend();
  const populating = { context, place, entry };
  const attribute = readableAttribute(place.holder, entry.attribute);
  switch (attribute?.family) {
    case undefined: return isRelated(populating) ? populateReferrers(context, place.holder.uid, { attribute: entry.attribute, key: entry.key }) : populateLocalizations(populating);
    case 'relation': return attribute.target === null ? populateMorph(populating, attribute) : populateRelation(populating, attribute.target);
    case 'media': return populateLink(populating, attribute.target);
    case 'component': return populateComponent(populating, attribute);
    case 'dynamiczone': return populateZone(populating, attribute);
    case 'scalar': throw refuseName(place, entry.attribute, populatableNames(place.holder));
    default: return assertNever(attribute, 'attribute family');
  }
}

const isRelated = ({ place, entry }: Populating): boolean => place.holder.uid === FILE_UID && entry.attribute === RELATED;

const populateRelation = (populating: Populating, target: Uid): PopulateNode | null =>
  populating.context.access.canFind(target) ? populateLink(populating, target) : null;

const populateLink = (populating: Populating, target: Uid): PopulateNode => {
  const { context, entry, entry: { options: { given } } } = populating;
  const place = enterTarget(populating, coveredType(context, target), LINK_OPTIONS);
  return {
    kind: 'link',
    attribute: entry.attribute,
    key: entry.key,
    selection: parseSelectionAt(context, place, entry.options),
    filter: covered(context, target, { filter: parseFilters(context, { ...locate(place, 'filters'), depth: 0 }, given['filters']) }),
    sort: parseSort(context, { ...locate(place, 'sort'), depth: 0 }, given['sort']),
    slice: parseSlice(given, context.limits, place.path),
    count: parseCount(given['count'], place),
  };
};

const parseCount = (value: unknown, place: Place): boolean => {
  const count = value === undefined || value === null ? false : parseBoolean(value);
  if (count === null) throw refuse(locate(place, 'count').path, 'it must be true or false.');
  return count;
};

const populateComponent = (populating: Populating, attribute: ComponentAttribute): PopulateNode => {
  const { context, entry } = populating;
  const component = componentOf(context.model, attribute.component);
  if (component === undefined) throw refuse(populating.place.path, 'its component is gone.');
  const place = enterTarget(populating, component, SELECTION_OPTIONS);
  return { kind: 'component', attribute: entry.attribute, key: entry.key, selection: parseSelectionAt(context, place, entry.options) };
};

const populateLocalizations = (populating: Populating): PopulateNode | null => {
  const { context, place: { holder }, entry } = populating;
  if (entry.attribute !== LOCALIZATIONS || !populatableNames(holder).includes(LOCALIZATIONS)) throw refuseName(populating.place, entry.attribute, populatableNames(holder));
  if (isContentType(holder) && !context.access.canFind(holder.uid)) return null;
  const place = enterTarget(populating, holder, SELECTION_OPTIONS);
  const filter = isContentType(holder) ? coverage(context, holder.uid)?.filter : undefined;
  const selection = parseSelectionAt(context, place, entry.options);
  return { kind: 'localizations', attribute: entry.attribute, key: entry.key, selection, ...(filter === null || filter === undefined ? {} : { filter }) };
};

/** The components of a zone or the types of a polymorphic relation. */
interface Kinds {
  /** Those that can occur and that the caller may see. */
  readonly possible: readonly AttributeHolder[];
  readonly find: (uid: Uid) => AttributeHolder | undefined;
}

const populateZone = (populating: Populating, attribute: DynamicZoneAttribute): PopulateNode => {
  const { context: { model }, entry } = populating;
  const find = (uid: Uid): AttributeHolder | undefined => componentOf(model, uid);
  const on = populateKinds(populating, { possible: attribute.components.flatMap((uid) => find(uid) ?? []), find });
  return { kind: 'zone', attribute: entry.attribute, key: entry.key, on };
};

const populateMorph = (populating: Populating, attribute: RelationAttribute): PopulateNode | null => {
  const { context, context: { model, access }, entry } = populating;
  // Inside a component there is no link table to say which types may be linked.
  const targets = attribute.link?.kind === 'morph' ? attribute.link.targets.map((target) => typeOf(model, target.uid)) : model.types;
  const possible = targets.filter((type) => access.canFind(type.uid)).map((type) => coveredType(context, type.uid));
  if (possible.length === 0) return null;
  const find = (uid: Uid): AttributeHolder | undefined => (Object.hasOwn(model.typesByUid, uid) ? coveredType(context, uid) : undefined);
  const on = populateKinds(populating, { possible, find });
  const filters = Object.keys(on).flatMap((uid) => {
    const filter = coverage(context, uid)?.filter ?? null;
    return filter === null ? [] : [[uid, filter] as const];
  });
  return { kind: 'morph', attribute: entry.attribute, key: entry.key, on, ...(filters.length === 0 ? {} : { filters: Object.fromEntries(filters) }) };
};

const populateKinds = (populating: Populating, kinds: Kinds): Readonly<Record<Uid, Selection>> => {
  const { place, entry } = populating;
  const at = locate(place, entry.attribute);
  checkOptions(entry.options, VARIANT_OPTIONS, at);
  const { on } = entry.options.given;
  return on === undefined || on === null ? everyKind(populating, kinds, at) : namedKinds(populating, kinds, { raw: on, at: locate(at, 'on') });
};

/** The `on` option. Kinds that exist but can't occur here are left out, so that one `on` serves several attributes. */
const namedKinds = (populating: Populating, { possible, find }: Kinds, { raw, at }: { readonly raw: unknown; readonly at: Place }): Readonly<Record<Uid, Selection>> => {
  if (!isRecord(raw)) throw refuse(at.path, 'it must be an object by component or type.');
  const names = possible.map((holder) => holder.uid);
  return Object.fromEntries(keysOf(raw).flatMap((uid) => {
    const holder = find(uid);
    if (holder === undefined) throw refuseName(at, uid, names);
    const { path } = locate(at, uid);
    const options = parseOptions(raw[uid], path);
    if (options === null || !names.includes(uid)) return [];
    populating.context.spend();
    checkOptions(options, SELECTION_OPTIONS, { ...at, path });
    return [[uid, parseSelectionAt(populating.context, { ...descendTo(populating, holder), path }, options)]];
  }));
};

/** The same for every kind: plainly, with `populate: '*'`, or what dotted paths ask for, each kind as far as it has it. */
const everyKind = (populating: Populating, { possible }: Kinds, at: Place): Readonly<Record<Uid, Selection>> => {
  const { context, entry: { options } } = populating;
  const { populate } = options.given;
  if (populate !== undefined && populate !== null && populate !== '*') {
    throw refuse(locate(at, 'populate').path, 'among several kinds of entries it can only be *; name what to populate of each kind with on.');
  }
  const known = possible.flatMap(populatableNames);
  for (const name of options.below.keys()) if (!known.includes(name)) throw refuseName(at, name, known);
  return Object.fromEntries(possible.map((holder) => {
    context.spend();
    return [holder.uid, parseSelectionAt(context, descendTo(populating, holder), { given: { populate }, below: partOf(options.below, holder) })];
  }));
};

const partOf = (tree: PathTree, holder: AttributeHolder): PathTree =>
  new Map([...tree].filter(([name]) => populatableNames(holder).includes(name)));

/** The place of what the attribute holds, one level deeper. */
const descendTo = ({ context, place, entry }: Populating, holder: AttributeHolder): Place =>
  descend(place, entry.attribute, { holder, limit: context.limits.populateDepth });

const checkOptions = ({ given }: PopulateOptions, allowed: readonly string[], at: Place): void => {
  const unknown = keysOf(given).find((key) => !allowed.includes(key));
  if (unknown !== undefined) throw refuse(locate(at, unknown).path, `there is no such option here; known are ${allowed.join(', ')}.`);
};

const enterTarget = (populating: Populating, holder: AttributeHolder, allowed: readonly string[]): Place => {
  const place = descendTo(populating, holder);
  checkOptions(populating.entry.options, allowed, place);
  return place;
};
