import { isRecord } from '../../lib/records.js';
import { componentOf, typeOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, Uid } from '../../model/model.js';
import type { PopulateNode, Selection } from '../../query/query.js';
import { clientRequestOf, codeCallOf } from '../../query/read-access.js';
import {
  LOCALIZATIONS,
  isContentType,
  isLocalizations,
  selectableFields,
} from '../../query/schema-fields.js';

type Data = Readonly<Record<string, unknown>>;

const knownItem = (model: ContentModel, attribute: Attribute, item: unknown): unknown => {
  if (!isRecord(item)) return item;
  if (attribute.family !== 'component' && attribute.family !== 'dynamiczone') return item;
  const uid = attribute.family === 'component' ? attribute.component : item['__component'];
  const schema = typeof uid === 'string' ? model.componentsByUid[uid] : undefined;
  if (schema === undefined) return item;
  const { id, __component } = item;
  return {
    ...(id === undefined || id === null ? {} : { id }),
    ...(__component === undefined || attribute.family === 'component' ? {} : { __component }),
    ...knownData(model, schema, item),
  };
};

const knownValue = (model: ContentModel, attribute: Attribute, value: unknown): unknown => {
  if (attribute.family === 'scalar') return value;
  return Array.isArray(value)
    ? value.map((item: unknown) => knownItem(model, attribute, item))
    : knownItem(model, attribute, value);
};

/**
 * Returns the data without keys that the schema lacks, also in components. Server code often writes back what
 * it has read, and Strapi ignores such keys. Clients get an error for them.
 */
export function knownData(model: ContentModel, schema: ContentSchema, data: Data): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      return attribute === undefined || value === undefined
        ? []
        : [[name, knownValue(model, attribute, value)] as const];
    }),
  );
}

/** Returns the values that are not attributes of the schema. Only middlewares and listeners read them. */
export function unknownData({ attributes }: ContentSchema, data: unknown): Record<string, unknown> {
  if (!isRecord(data)) return {};
  return Object.fromEntries(Object.entries(data).filter(([name]) => !Object.hasOwn(attributes, name)));
}

/** Returns the members of a write's data that only project code reads: those of code, or of a client. */
export function dataForCode(schema: ContentSchema, write: object): Record<string, unknown> {
  return { ...unknownData(schema, codeCallOf(write)?.params['data']), ...clientRequestOf(write)?.data };
}

type Row = Record<string, unknown>;

/** The `fields` and `populate` of a call by server code, as written. */
export interface RequestedSelection {
  readonly fields?: unknown;
  readonly populate?: unknown;
}

/** The relations to users of the admin panel. */
export const CREATORS: readonly string[] = ['createdBy', 'updatedBy'];

const isAbsent = (schema: ContentSchema, name: string): boolean =>
  !Object.hasOwn(schema.attributes, name) &&
  (CREATORS.includes(name) ||
    (name === LOCALIZATIONS && isContentType(schema) && !isLocalizations(schema, name)));

const absentNames = (schema: ContentSchema): readonly string[] =>
  isContentType(schema) ? [...CREATORS, LOCALIZATIONS].filter((name) => isAbsent(schema, name)) : [];

const parseNames = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? value.split(',').map((name) => name.trim())
    : Array.isArray(value)
      ? value.filter((name: unknown) => typeof name === 'string')
      : [];

const isWildcard = (populate: unknown): boolean => populate === true || parseNames(populate).includes('*');

const isRequested = (populate: unknown, name: string): boolean =>
  isWildcard(populate) ||
  parseNames(populate).includes(name) ||
  (isRecord(populate) && populate[name] !== undefined && populate[name] !== false);

const withoutLastName = (path: string): string => path.split('.').slice(0, -1).join('.');

const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

const withoutAbsentPaths = (schema: ContentSchema, paths: readonly unknown[]): readonly unknown[] =>
  paths.flatMap((path) => {
    if (typeof path !== 'string') return [path];
    const parent = withoutLastName(path);
    if (parent === '') return isAbsent(schema, path) ? [] : [path];
    return CREATORS.includes(lastName(path)) ? [parent] : [path];
  });

const withoutAbsentIn = (options: unknown): unknown => {
  if (!isRecord(options) || !isRecord(options['populate'])) return options;
  const populate = Object.entries(options['populate']).filter(([name]) => !CREATORS.includes(name));
  return {
    ...options,
    populate: Object.fromEntries(populate.map(([name, each]) => [name, withoutAbsentIn(each)])),
  };
};

/** Returns `fields` without `locale`, which Strapi has for every type, if the schema lacks it. */
export function withoutAbsentFields(schema: ContentSchema, fields: unknown): unknown {
  const isKnown = !isContentType(schema) || schema.localized || Object.hasOwn(schema.attributes, 'locale');
  if (isKnown || !parseNames(fields).includes('locale')) return fields;
  const names = parseNames(fields).filter((name) => name !== 'locale');
  return names.length === 0 ? ['id'] : names;
}

/** Returns a `populate` without the relations that Strapi has for every type and Galley lacks. */
export function withoutAbsent(schema: ContentSchema, populate: unknown): unknown {
  if (isWildcard(populate)) return '*';
  if (typeof populate === 'string') return withoutAbsentPaths(schema, parseNames(populate));
  if (Array.isArray(populate)) return withoutAbsentPaths(schema, populate);
  if (!isRecord(populate)) return populate;
  return Object.fromEntries(
    Object.entries(populate)
      .filter(([name]) => !isAbsent(schema, name))
      .map(([name, options]) => [name, withoutAbsentIn(options)]),
  );
}

const requestedBelow = (populate: unknown, name: string): RequestedSelection => {
  const options = isRecord(populate) ? populate[name] : undefined;
  if (!isRecord(options)) return {};
  return { fields: options['fields'] ?? options['select'], populate: options['populate'] };
};

/** Returns the schema and the selection of an entry below a populated attribute. Null if they are unknown. */
const populatedSchema = (
  model: ContentModel,
  schema: ContentSchema,
  { node, entry }: { readonly node: PopulateNode; readonly entry: Row },
): readonly [ContentSchema, Selection] | null => {
  const variant = (
    on: Readonly<Record<Uid, Selection>>,
    uid: unknown,
  ): readonly [ContentSchema, Selection] | null => {
    const selection = typeof uid === 'string' ? on[uid] : undefined;
    const found = typeof uid === 'string' ? (model.typesByUid[uid] ?? model.componentsByUid[uid]) : undefined;
    return selection === undefined || found === undefined ? null : [found, selection];
  };
  if (node.kind === 'morph' || node.kind === 'referrers') return variant(node.on, entry['__type']);
  if (node.kind === 'zone') return variant(node.on, entry['__component']);
  if (node.kind === 'localizations') return [schema, node.selection];
  const attribute = schema.attributes[node.attribute];
  if (attribute?.family === 'component') return [componentOf(model, attribute.component), node.selection];
  if (attribute?.family !== 'relation' && attribute?.family !== 'media') return null;
  return attribute.target === null ? null : [typeOf(model, attribute.target), node.selection];
};

/** Returns the additional members of Strapi's rows: `locale` and the populated relations. */
const addedMembers = (schema: ContentSchema, { fields }: Selection, requested: RequestedSelection): Row => {
  if (!isContentType(schema)) return {};
  const hasLocale =
    !schema.localized &&
    !Object.hasOwn(schema.attributes, 'locale') &&
    (fields.length === selectableFields(schema).length || parseNames(requested.fields).includes('locale'));
  const relations = absentNames(schema)
    .filter((name) => isRequested(requested.populate, name))
    .map((name) => [name, name === LOCALIZATIONS ? [] : null] as const);
  return { ...(hasLocale ? { locale: null } : {}), ...Object.fromEntries(relations) };
};

/**
 * Adds the members of Strapi's rows to a record: `locale` if the type has none, and `createdBy`, `updatedBy`
 * and `localizations` if they are populated.
 */
export function completeEntry<Entry extends Row>(
  model: ContentModel,
  schema: ContentSchema,
  { selection, requested }: { readonly selection: Selection; readonly requested: RequestedSelection },
  entry: Entry,
): Entry {
  const populated = new Map(selection.populate.map((node) => [node.key, node]));
  const members = Object.entries(entry);
  const complete = (node: PopulateNode, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item) => complete(node, item));
    const part = isRecord(value) ? populatedSchema(model, schema, { node, entry: value }) : null;
    if (part === null || !isRecord(value)) return value;
    const [below, belowSelection] = part;
    const nested = requestedBelow(requested.populate, node.attribute);
    return completeEntry(model, below, { selection: belowSelection, requested: nested }, value);
  };
  return {
    ...Object.fromEntries(members.filter(([name]) => !populated.has(name))),
    ...addedMembers(schema, selection, requested),
    ...Object.fromEntries(
      members.flatMap(([name, value]) => {
        const node = populated.get(name);
        return node === undefined ? [] : [[name, complete(node, value)] as const];
      }),
    ),
  } as Entry;
}
