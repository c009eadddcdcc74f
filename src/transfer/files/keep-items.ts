import { isRecord } from '../../lib/is-record.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, Component, ContentModel, ContentSchema, Uid } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/populate-all.js';
import { componentItems, normalizeData } from './version-data.js';
import type { Data } from './version-data.js';

const componentsOf = (attribute: Attribute): readonly Uid[] => {
  if (attribute.family === 'component') return [attribute.component];
  return attribute.family === 'dynamiczone' ? attribute.components : [];
};

/** True if components of a schema hold, at any depth, what files do not. */
export function holdsHiddenValues(model: ContentModel, schema: ContentSchema): boolean {
  const seen = new Set<Uid>();
  const visit = ({ attributes }: ContentSchema): boolean =>
    Object.values(attributes)
      .flatMap(componentsOf)
      .some((uid) => {
        if (seen.has(uid)) return false;
        seen.add(uid);
        const component = componentOf(model, uid);
        return Object.values(component.attributes).some((own) => !isFileAttribute(own)) || visit(component);
      });
  return visit(schema);
}

type Items = readonly (readonly [component: Component, item: Data])[];

/** Returns the values of an item as texts, by attribute. Those that are absent are left out. */
const valueTexts = (model: ContentModel, component: Component, item: Data): ReadonlyMap<string, string> => {
  const isValue = (value: unknown): boolean =>
    value !== null && !(Array.isArray(value) && value.length === 0);
  const values = Object.entries(normalizeData(model, component, item)).filter(([, value]) => isValue(value));
  return new Map(values.map(([name, value]) => [name, JSON.stringify(value)]));
};

/**
 * Takes from stored items the one that each item is: the same, or else the one with the most equal values, or
 * else the next of its component.
 */
const matchItems = (model: ContentModel, items: Items, stored: Items): ReadonlyMap<Data, Data> => {
  const free = new Map(stored.filter(([, { id }]) => id !== undefined).map(([own, item]) => [item, own]));
  const matches = new Map<Data, Data>();
  const match = (isMatch: (component: Component, item: Data, candidate: Data) => boolean): void => {
    for (const [component, item] of items) {
      if (matches.has(item)) continue;
      const found = [...free].find(([candidate, own]) => own === component && isMatch(own, item, candidate));
      if (found === undefined) continue;
      matches.set(item, found[0]);
      free.delete(found[0]);
    }
  };
  const texts = new Map<Data, string>();
  const textOf = (component: Component, item: Data): string => {
    const text = texts.get(item) ?? JSON.stringify(normalizeData(model, component, item));
    texts.set(item, text);
    return text;
  };
  match((component, item, candidate) => textOf(component, item) === textOf(component, candidate));
  const rest = items.filter(([, item]) => !matches.has(item));
  const candidates = [...free].map(
    ([candidate, own]) => [candidate, own, valueTexts(model, own, candidate)] as const,
  );
  const pairs = rest.flatMap(([component, item]) => {
    const values = [...valueTexts(model, component, item)];
    return candidates
      .filter(([, own]) => own === component)
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
 * Gives the components in data the ids of those stored that they are. Written with ids, components are
 * updated in part, so that they keep the values that files do not hold.
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
        // What an update in part does not name, it would keep.
        const empty = normalizeData(model, component, {});
        return { ...empty, ...withItemIds(model, component, item, match), id: match['id'] };
      };
      return [name, Array.isArray(value) ? value.map(identify) : identify(value)];
    }),
  );
}
