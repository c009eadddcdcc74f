import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { Attribute, AttributeHolder, ContentModel, DynamicZoneAttribute, LinkAttribute, Uid } from '../model/model.js';
import type { InputAccess } from './input.js';
import { linkTargets } from './link-targets.js';

/** Most components and linked documents that one write may hold. */
export const ITEM_LIMIT = 10_000;

/** Keys of a document's data that are taken and ignored: clients send back what they read. */
const IGNORED_ROOT_KEYS: ReadonlySet<string> = new Set(['publishedAt', 'locale']);

const COMPONENT_KEYS: ReadonlySet<string> = new Set(['id', '__component']);

interface ShapeRun {
  readonly model: ContentModel;
  readonly access: InputAccess | undefined;
  /** Counts components and linked documents; throws beyond the limit. */
  readonly spend: (count: number) => void;
}

const createRun = (model: ContentModel, access: InputAccess | undefined): ShapeRun => {
  let spent = 0;
  const spend = (count: number): void => {
    spent += count;
    if (spent > ITEM_LIMIT) throw fail('request/too-many-items', { limit: ITEM_LIMIT });
  };
  return { model, access, spend };
};

const shorten = (key: string): string => (key.length > 60 ? `${key.slice(0, 60)}…` : key);

const linkCount = (value: unknown): number => {
  if (Array.isArray(value)) return value.length;
  if (!isRecord(value)) return 1;
  return [value['set'], value['connect'], value['disconnect']].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 1), 0);
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const namedType = (item: unknown): readonly Uid[] => (isRecord(item) && typeof item['__type'] === 'string' ? [item['__type']] : []);

/** What a polymorphic value says it points at: the `__type` of its items, or of those of set, connect and disconnect. */
const namedTypes = (value: unknown): readonly Uid[] => {
  if (!isRecord(value)) return listOf(value).flatMap(namedType);
  return [value, ...[value['set'], value['connect'], value['disconnect']].flatMap(listOf)].flatMap(namedType);
};

const assertLink = (run: ShapeRun, attribute: LinkAttribute, value: unknown): void => {
  run.spend(linkCount(value));
  if (attribute.family === 'media' || run.access === undefined) return;
  const targets = attribute.target === null ? namedTypes(value).filter((uid) => linkTargets(attribute).includes(uid)) : [attribute.target];
  const denied = targets.find((uid) => run.access?.canFind(uid) === false);
  if (denied !== undefined) throw fail('request/invalid-key', { key: attribute.name });
};

const zoneComponent = (attribute: DynamicZoneAttribute, item: Readonly<Record<string, unknown>>): Uid | undefined =>
  attribute.components.find((uid) => uid === item['__component']);

/** The component an item claims to be; undefined where it is none (a fault in a value, which is reported later and with its path). */
const componentOf = (run: ShapeRun, attribute: Attribute, item: unknown): AttributeHolder | undefined => {
  if (!isRecord(item)) return undefined;
  if (attribute.family === 'component') return run.model.componentsByUid[attribute.component];
  const uid = attribute.family === 'dynamiczone' ? zoneComponent(attribute, item) : undefined;
  return uid === undefined ? undefined : run.model.componentsByUid[uid];
};

const assertComponents = (run: ShapeRun, attribute: Attribute, value: unknown): void => {
  const items = Array.isArray(value) ? value : [value];
  run.spend(items.length);
  for (const item of items) {
    const component = componentOf(run, attribute, item);
    if (component !== undefined && isRecord(item)) assertHolder(run, component, item, COMPONENT_KEYS);
  }
};

const assertHolder = (run: ShapeRun, holder: AttributeHolder, data: Readonly<Record<string, unknown>>, otherKeys: ReadonlySet<string>): void => {
  for (const key of Object.keys(data)) {
    const attribute = Object.hasOwn(holder.attributes, key) ? holder.attributes[key] : undefined;
    if (attribute === undefined) {
      if (!otherKeys.has(key)) throw fail('request/invalid-key', { key: shorten(key) });
    } else if (data[key] !== undefined) {
      if (attribute.family === 'relation' || attribute.family === 'media') assertLink(run, attribute, data[key]);
      else if (attribute.family !== 'scalar') assertComponents(run, attribute, data[key]);
    }
  }
};

/**
 * Refuses what is wrong before any value is looked at: no object, unknown or forbidden keys at any depth, relations to types the caller may not find,
 * and more items than one write may hold.
 */
export function assertShape(model: ContentModel, holder: AttributeHolder, data: unknown, access: InputAccess | undefined): asserts data is Readonly<Record<string, unknown>> {
  if (!isRecord(data)) throw fail('request/no-data');
  assertHolder(createRun(model, access), holder, data, IGNORED_ROOT_KEYS);
}
