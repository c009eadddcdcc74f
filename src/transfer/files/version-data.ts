import { toJson } from '../../documents/validation/parse-scalar.js';
import { isRecord } from '../../lib/records.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, Component, ContentModel, ContentSchema, Uid } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import { orderKeys } from '../store/parse-blocks.js';
import { createHash } from 'node:crypto';
import { printBlocks } from '../store/print-blocks.js';

export type Data = Readonly<Record<string, unknown>>;

/** True for private attributes that files may set. Push writes them; pull omits them to keep secrets. */
export function isPrivateFileAttribute(attribute: Attribute): boolean {
  return attribute.private && attribute.family === 'scalar' && attribute.type !== 'password';
}

/** Returns the components in a value with their schemas. Skips unknown components. */
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

/** Maps the components in a value. ComponentItems that are not components of the model stay unchanged. */
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

/** Returns the default of an attribute in the form of files. Null: it has none. */
const defaultOf = (attribute: Attribute): unknown =>
  attribute.family === 'scalar' && attribute.field.hash === undefined
    ? toJson(attribute.default ?? null)
    : null;

interface NormalizeOptions {
  /** Sets absent attributes to their defaults, as in files, instead of null. */
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

/** Returns a value of a record or a file in the form in which both are compared and written. */
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
 * Returns all values of a record that files hold, in the order of the schema and in written form: links as
 * documentIds, components without ids, null or an empty list for absent values. Unknown keys of components
 * stay, so that writing rejects them.
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

/** True if an attribute that a file omits gets a value. */
const isFilled = (attribute: Attribute): boolean =>
  attribute.family === 'scalar' && (defaultOf(attribute) !== null || attribute.constraints.generate === true);

/** Removes the empty values that {@link normalizeData} adds. */
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

/** True if two normalized values are equal. */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/** Returns the values of `after` that differ from those of `before`. */
export function changedValues(before: Data, after: Data): Data {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(before[name], value)));
}

const componentsOf = (attribute: Attribute): readonly Uid[] => {
  if (attribute.family === 'component') return [attribute.component];
  return attribute.family === 'dynamiczone' ? attribute.components : [];
};

/** True if components of a schema have, at any depth, attributes that files do not hold. */
export function holdsHiddenValues(model: ContentModel, schema: ContentSchema): boolean {
  const seen = new Set<Uid>();
  const visit = ({ attributes }: ContentSchema): boolean =>
    Object.values(attributes)
      .flatMap(componentsOf)
      .some((uid) => {
        if (seen.has(uid)) return false;
        seen.add(uid);
        const component = componentOf(model, uid);
        return (
          Object.values(component.attributes).some((attribute) => !isFileAttribute(attribute)) ||
          visit(component)
        );
      });
  return visit(schema);
}

type ComponentItems = readonly (readonly [component: Component, item: Data])[];

/** Returns the values of an item as texts, by attribute, without absent values. */
const valueTexts = (model: ContentModel, component: Component, item: Data): ReadonlyMap<string, string> => {
  const isValue = (value: unknown): boolean =>
    value !== null && !(Array.isArray(value) && value.length === 0);
  const values = Object.entries(normalizeData(model, component, item)).filter(([, value]) => isValue(value));
  return new Map(values.map(([name, value]) => [name, JSON.stringify(value)]));
};

/**
 * Matches items with stored items: first equal ones, then those with the most equal values, then the next of
 * the same component.
 */
const matchItems = (
  model: ContentModel,
  items: ComponentItems,
  stored: ComponentItems,
): ReadonlyMap<Data, Data> => {
  const free = new Map(
    stored.filter(([, { id }]) => id !== undefined).map(([component, item]) => [item, component]),
  );
  const matches = new Map<Data, Data>();
  const match = (isMatch: (component: Component, item: Data, candidate: Data) => boolean): void => {
    for (const [component, item] of items) {
      if (matches.has(item)) continue;
      const found = [...free].find(
        ([candidate, other]) => other === component && isMatch(other, item, candidate),
      );
      if (found === undefined) continue;
      matches.set(item, found[0]);
      free.delete(found[0]);
    }
  };
  const texts = new Map<Data, string>();
  const itemText = (component: Component, item: Data): string => {
    const text = texts.get(item) ?? JSON.stringify(normalizeData(model, component, item));
    texts.set(item, text);
    return text;
  };
  match((component, item, candidate) => itemText(component, item) === itemText(component, candidate));
  const rest = items.filter(([, item]) => !matches.has(item));
  const candidates = [...free].map(
    ([candidate, component]) => [candidate, component, valueTexts(model, component, candidate)] as const,
  );
  const pairs = rest.flatMap(([component, item]) => {
    const values = [...valueTexts(model, component, item)];
    return candidates
      .filter(([, other]) => other === component)
      .map(([candidate, , others]) => {
        const equal = values.filter(([name, text]) => others.get(name) === text).length;
        return { item, candidate, equal };
      });
  });
  for (const { item, candidate, equal } of pairs.toSorted((left, right) => right.equal - left.equal)) {
    if (equal === 0 || matches.has(item) || !free.has(candidate)) continue;
    matches.set(item, candidate);
    free.delete(candidate);
  }
  match(() => true);
  return matches;
};

/**
 * Adds the ids of the matching stored components to components in data. Components with ids are updated
 * partially, so that they keep the values that files do not hold.
 */
export function withItemIds(model: ContentModel, schema: ContentSchema, data: Data, stored: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const attribute = Object.hasOwn(schema.attributes, name) ? schema.attributes[name] : undefined;
      if (attribute === undefined) return [name, value];
      const items = componentItems(model, attribute, value);
      const matches = matchItems(model, items, componentItems(model, attribute, stored[name]));
      const components = new Map(items.map(([component, item]) => [item, component]));
      const identify = (item: unknown): unknown => {
        const [component, match] = isRecord(item) ? [components.get(item), matches.get(item)] : [];
        if (!isRecord(item) || component === undefined || match === undefined) return item;
        // A partial update would keep values that it does not name.
        const empty = normalizeData(model, component, {});
        return { ...empty, ...withItemIds(model, component, item, match), id: match['id'] };
      };
      return [name, Array.isArray(value) ? value.map(identify) : identify(value)];
    }),
  );
}

/** Returns a short digest of a text. */
export function digestText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Prints a value as text that does not depend on the order of keys, which databases and schemas change. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const digestValue = (value: unknown): Data => ({ $digest: digestText(canonicalText(value)) });

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const summarizeItem = (model: ContentModel, attribute: Attribute, item: unknown): unknown => {
  if (!isRecord(item)) return item;
  const uid = attribute.family === 'component' ? attribute.component : item['__component'];
  if (typeof uid !== 'string' || !Object.hasOwn(model.componentsByUid, uid)) return digestValue(item);
  const values = summarizeData(model, componentOf(model, uid), item);
  return attribute.family === 'component' ? values : { __component: uid, ...values };
};

/**
 * Returns the form of a value that a base stores: texts, links and the values of components as they are,
 * since a merge needs them, and a digest of larger values. Undefined: there is no value.
 */
export function summarizeValue(model: ContentModel, attribute: Attribute, value: unknown): unknown {
  if (isEmpty(value)) return undefined;
  if (attribute.family === 'component' || attribute.family === 'dynamiczone')
    return Array.isArray(value)
      ? value.map((item: unknown) => summarizeItem(model, attribute, item))
      : summarizeItem(model, attribute, value);
  if (attribute.family !== 'scalar') return value;
  if (attribute.type !== 'blocks') return typeof value === 'object' ? digestValue(value) : value;
  const printed = printBlocks(value);
  if (printed === null) return digestValue(value);
  const { markdown, notes } = printed;
  return { $markdown: markdown, ...(Object.keys(notes).length === 0 ? {} : { $notes: notes }) };
}

/** Returns the values of a version in the form of a base, without private and empty ones. */
export function summarizeData(model: ContentModel, schema: ContentSchema, data: Data): Data {
  const attributes = Object.values(schema.attributes).filter(isFileAttribute);
  return Object.fromEntries(
    attributes.flatMap((attribute) => {
      const value = summarizeValue(model, attribute, data[attribute.name]);
      return value === undefined ? [] : [[attribute.name, value] as const];
    }),
  );
}
