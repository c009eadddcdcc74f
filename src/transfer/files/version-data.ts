import { orderKeys } from '../store/blocks/block-nodes.js';
import { isFileAttribute } from '../../query/parse/populate-all.js';
import { isRecord } from '../../lib/is-record.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, Component, ContentModel, ContentSchema } from '../../model/model.js';
import { toJson } from '../../documents/validation/parse-scalar.js';

export type Data = Readonly<Record<string, unknown>>;

/**
 * True if a file may state an attribute that pull leaves out: a private value, which those who push know and
 * those who read the files need not.
 */
export function isStatedAttribute(attribute: Attribute): boolean {
  return attribute.private && attribute.family === 'scalar' && attribute.type !== 'password';
}

/** Returns the components in a value with their schemas. Those that are none of the model are left out. */
export function componentItems(
  model: ContentModel,
  attribute: Attribute,
  value: unknown,
): readonly (readonly [component: Component, item: Data])[] {
  if (attribute.family !== 'component' && attribute.family !== 'dynamiczone') return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.filter(isRecord).flatMap((item) => {
    const uid = attribute.family === 'component' ? attribute.component : item['__component'];
    if (typeof uid !== 'string' || !Object.hasOwn(model.componentsByUid, uid)) return [];
    return [[componentOf(model, uid), item] as const];
  });
}

const mapItems = (value: unknown, map: (item: Data) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((item: unknown) => (isRecord(item) ? map(item) : item));
  return isRecord(value) ? map(value) : value;
};

/** Maps the components in a value. Items that are not components of the model stay unchanged. */
export function mapComponents(
  model: ContentModel,
  attribute: Attribute,
  value: unknown,
  map: (component: Component, item: Data) => unknown,
): unknown {
  return mapItems(value, (item) => {
    const [found] = componentItems(model, attribute, item);
    return found === undefined ? item : map(...found);
  });
}

const linkData = (item: Data): unknown =>
  typeof item['__type'] === 'string'
    ? { __type: item['__type'], documentId: item['documentId'] }
    : item['documentId'];

/** Returns the default of an attribute as files hold it. Null: it has none. */
const defaultOf = (attribute: Attribute): unknown =>
  attribute.family === 'scalar' && attribute.field.hash === undefined
    ? toJson(attribute.default ?? null)
    : null;

interface NormalizeOptions {
  /** Gives absent attributes their defaults, as in files, instead of null. */
  readonly withDefaults?: boolean;
}

const componentData = (
  model: ContentModel,
  attribute: Attribute,
  item: Data,
  options: NormalizeOptions,
): unknown => {
  const zoneUid = item['__component'];
  const uid = attribute.family === 'component' ? attribute.component : zoneUid;
  if (typeof uid !== 'string' || !Object.hasOwn(model.componentsByUid, uid)) return item;
  const data = normalizeData(model, componentOf(model, uid), item, options);
  return attribute.family === 'component' ? data : { __component: uid, ...data };
};

const isList = (attribute: Attribute): boolean => {
  if (attribute.family === 'component') return attribute.repeatable;
  if (attribute.family === 'dynamiczone') return true;
  return attribute.family !== 'scalar' && attribute.many;
};

const SYSTEM_KEYS: ReadonlySet<string> = new Set(['id', '__component']);

/** Returns a value of a record or a file in the one form in which both are compared and written. */
const normalizeValue = (
  model: ContentModel,
  attribute: Attribute,
  value: unknown,
  options: NormalizeOptions,
): unknown => {
  if (value === undefined && options.withDefaults === true && !isList(attribute)) return defaultOf(attribute);
  if (value === undefined || value === null) return isList(attribute) ? [] : null;
  if (attribute.family === 'scalar') return attribute.type === 'blocks' ? orderKeys(value) : value;
  if (attribute.family === 'relation' || attribute.family === 'media') return mapItems(value, linkData);
  return mapItems(value, (item) => componentData(model, attribute, item, options));
};

/**
 * Returns all values that files hold of a record, in the order of the schema, as they are written: links as
 * documentIds, components without ids, null or an empty list for what is absent. Unknown keys of components
 * stay, so that they are refused where they are written.
 */
export function normalizeData(
  model: ContentModel,
  schema: ContentSchema,
  record: Data,
  options: NormalizeOptions = {},
): Data {
  const attributes = Object.values(schema.attributes).filter(isFileAttribute);
  const known = attributes.map((attribute) => [
    attribute.name,
    normalizeValue(model, attribute, record[attribute.name], options),
  ]);
  const isComponent = !('kind' in schema);
  const rest = Object.entries(record).filter(
    ([name]) => isComponent && !SYSTEM_KEYS.has(name) && !Object.hasOwn(schema.attributes, name),
  );
  return Object.fromEntries([...known, ...rest]) as Data;
}

const withoutEmptyItem = (model: ContentModel, attribute: Attribute, item: Data): unknown => {
  const uid = attribute.family === 'component' ? attribute.component : String(item['__component']);
  if (!Object.hasOwn(model.componentsByUid, uid)) return item;
  const zoneKey = attribute.family === 'component' ? {} : { __component: uid };
  return { ...zoneKey, ...withoutEmpty(model, componentOf(model, uid), item) };
};

/** True if a file that leaves an attribute out gives it a value. */
const isFilled = (attribute: Attribute): boolean =>
  attribute.family === 'scalar' && (defaultOf(attribute) !== null || attribute.constraints.generate === true);

/** Leaves out what {@link normalizeData} adds to the values of files. */
export function withoutEmpty(model: ContentModel, schema: ContentSchema, data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]): (readonly [string, unknown])[] => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      if (attribute === undefined || (value === null && !isFilled(attribute))) return [];
      if (isList(attribute) && Array.isArray(value) && value.length === 0) return [];
      if (attribute.family !== 'component' && attribute.family !== 'dynamiczone') return [[name, value]];
      return [[name, mapItems(value, (item) => withoutEmptyItem(model, attribute, item))]];
    }),
  );
}

/** True if two values that were normalized are the same. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Returns the values of `after` that are not those of `before`. */
export function changedValues(before: Data, after: Data): Data {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
}
