import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { linksCaller, targetsOf } from '../../model/lookup.js';
import type {
  Attribute,
  ContentModel,
  ContentSchema,
  ContentType,
  DynamicZoneAttribute,
  LinkAttribute,
  Uid,
} from '../../model/model.js';
import type { InputAccess } from './input.js';
import { invalidKey, unsupportedKey } from './issues.js';
import type { Path } from './issues.js';

/** Keys of a document's data that describe the version. Clients send them back unchanged. */
export const METADATA_KEYS: ReadonlySet<string> = new Set(['publishedAt', 'locale']);

/** The version that a write creates or updates. Metadata in the data must match it. */
interface WrittenVersion {
  readonly isNew: boolean;
  /** The stored form of the locale. */
  readonly locale: string;
  readonly publish: boolean;
  /** The time of the published version before the write; null if there is none. */
  readonly publishedAt: Date | null;
}

const isTime = (value: unknown, time: Date | null): boolean =>
  typeof value === 'string' && time !== null && new Date(value).getTime() === time.getTime();

const assertPublishedAt = (type: ContentType, value: unknown, version: WrittenVersion): void => {
  if (value === null && !version.publish) return;
  if (isTime(value, version.publishedAt)) return;
  if (value !== null)
    throw unsupportedKey(
      'publishedAt',
      'publishing sets it. Omit it, or schedule the publication of a draft: PUT …/schedule.',
    );
  throw unsupportedKey(
    'publishedAt',
    type.draftAndPublish
      ? 'null asks for a draft, but this write publishes. Send the parameter status=draft.'
      : `null asks for a draft, but ${type.singularName} has none: every write publishes.`,
  );
};

const otherLocale = (value: string, locale: string): GalleyError =>
  unsupportedKey(
    'locale',
    `this write concerns the locale ${locale}, and no write moves a document to another locale. To write ` +
      `${value.slice(0, 60)}, send the parameter locale.`,
  );

const assertLocale = (type: ContentType, value: unknown, locale: string): void => {
  if (value === null || value === locale) return;
  if (!type.localized) throw unsupportedKey('locale', `${type.singularName} is not localised.`);
  if (typeof value !== 'string')
    throw createError('request/invalid-parameter', {
      parameter: 'locale',
      reason: 'it must be one locale code.',
    });
  throw otherLocale(value, locale);
};

/**
 * Asserts that metadata in the data matches the written version. `locale` must be the locale of the write.
 * `publishedAt` must be null for drafts, and otherwise the time at which the document was published. An
 * update with only `locale` is accepted, since it has no content to write into a wrong locale.
 *
 * @throws `request/invalid-key`
 */
export function assertMetadata(
  type: ContentType,
  data: Readonly<Record<string, unknown>>,
  version: WrittenVersion,
): void {
  const { locale, publishedAt } = data;
  if (publishedAt !== undefined) assertPublishedAt(type, publishedAt, version);
  if (locale === undefined || (!version.isNew && Object.keys(data).length === 1)) return;
  assertLocale(type, locale, version.locale);
}

/** Maximum number of components and linked documents in one write. */
const ITEM_LIMIT = 10_000;

/** Reasons for rejecting keys of a record in writes, by key. */
const RESERVED_KEYS: Readonly<Record<string, string>> = {
  id: 'the server sets it. Omit it; documentId identifies a document.',
  documentId: 'the server sets it. Omit it; the request identifies the document.',
  createdAt: 'the server sets it. Omit it.',
  updatedAt: 'the server sets it. Omit it.',
  createdBy: 'it is not kept. Omit it, or add an attribute for the author.',
  updatedBy: 'it is not kept. Omit it, or add an attribute for the author.',
  localizations: 'each locale needs a separate request, with the parameter locale.',
  status: 'it is a parameter of the request, outside of data: status=draft or status=published.',
  __component: 'only entries of a dynamic zone have it.',
};

const unknownKey = (key: string, path: Path): GalleyError => {
  const reason = path.length === 0 && Object.hasOwn(RESERVED_KEYS, key) ? RESERVED_KEYS[key] : undefined;
  return reason === undefined ? invalidKey(key, path) : unsupportedKey(key, reason);
};

const COMPONENT_KEYS: ReadonlySet<string> = new Set(['id']);
const ZONE_ITEM_KEYS: ReadonlySet<string> = new Set([...COMPONENT_KEYS, '__component']);

interface ShapeCheck {
  readonly model: ContentModel;
  readonly access: InputAccess | undefined;
  /** Counts components and linked documents. Throws if there are more than the limit. */
  readonly countItems: (count: number) => void;
}

const createShapeCheck = (model: ContentModel, access: InputAccess | undefined): ShapeCheck => {
  let total = 0;
  const countItems = (count: number): void => {
    total += count;
    if (total > ITEM_LIMIT) throw createError('request/too-many-items', { limit: ITEM_LIMIT });
  };
  return { model, access, countItems };
};

const linkCount = (value: unknown): number => {
  if (Array.isArray(value)) return value.length;
  if (!isRecord(value)) return 1;
  return [value['set'], value['connect'], value['disconnect']].reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 1),
    0,
  );
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const typeOfItem = (item: unknown): readonly Uid[] =>
  isRecord(item) && typeof item['__type'] === 'string' ? [item['__type']] : [];

/** Returns the `__type` of all items of a polymorphic value, also in set, connect and disconnect. */
const typesOfValue = (value: unknown): readonly Uid[] => {
  if (!isRecord(value)) return listOf(value).flatMap(typeOfItem);
  return [value, ...[value['set'], value['connect'], value['disconnect']].flatMap(listOf)].flatMap(
    typeOfItem,
  );
};

const assertLink = (check: ShapeCheck, attribute: LinkAttribute, value: unknown, path: Path): void => {
  check.countItems(linkCount(value));
  if (attribute.family === 'media' || check.access === undefined) return;
  // The service checks owners after it has loaded the present links.
  if (linksCaller(attribute)) return;
  const targets =
    attribute.target === null
      ? typesOfValue(value).filter((uid) => targetsOf(attribute).includes(uid))
      : [attribute.target];
  const forbiddenType = targets.find((uid) => check.access?.canFind(uid) === false);
  if (forbiddenType !== undefined) throw invalidKey(attribute.name, [...path, attribute.name]);
};

const zoneComponent = (
  attribute: DynamicZoneAttribute,
  item: Readonly<Record<string, unknown>>,
): Uid | undefined => attribute.components.find((uid) => uid === item['__component']);

/**
 * Returns the component of an item. Undefined if the item is invalid; the parser reports it later with its
 * path.
 */
const componentOf = (check: ShapeCheck, attribute: Attribute, item: unknown): ContentSchema | undefined => {
  if (!isRecord(item)) return undefined;
  if (attribute.family === 'component') return check.model.componentsByUid[attribute.component];
  const uid = attribute.family === 'dynamiczone' ? zoneComponent(attribute, item) : undefined;
  return uid === undefined ? undefined : check.model.componentsByUid[uid];
};

const assertComponents = (check: ShapeCheck, attribute: Attribute, value: unknown, path: Path): void => {
  const items = Array.isArray(value) ? value : [value];
  check.countItems(items.length);
  const otherKeys = attribute.family === 'dynamiczone' ? ZONE_ITEM_KEYS : COMPONENT_KEYS;
  for (const item of items) {
    const component = componentOf(check, attribute, item);
    if (component !== undefined && isRecord(item))
      assertAttributes(check, component, item, { otherKeys, path });
  }
};

/** Rejects values of ignored attributes from clients. Imported content may contain them. */
const assertIgnored = (
  { access }: ShapeCheck,
  schema: ContentSchema,
  { key, value, path }: { readonly key: string; readonly value: unknown; readonly path: Path },
): void => {
  if (!schema.ignoredAttributes.includes(key)) throw unknownKey(key, path);
  if (access?.isOfClient === true && value !== undefined && value !== null)
    throw unsupportedKey(key, 'its schema cannot be applied. The server logs the reason when it starts.');
};

const assertAttributes = (
  check: ShapeCheck,
  schema: ContentSchema,
  data: Readonly<Record<string, unknown>>,
  { otherKeys, path: parentPath }: { readonly otherKeys: ReadonlySet<string>; readonly path: Path },
): void => {
  for (const key of Object.keys(data)) {
    const attribute = Object.hasOwn(schema.attributes, key) ? schema.attributes[key] : undefined;
    if (attribute === undefined) {
      if (!otherKeys.has(key)) assertIgnored(check, schema, { key, value: data[key], path: parentPath });
    } else if (!attribute.writable && check.access?.isOfClient === true) {
      throw invalidKey(key, [...parentPath, key]);
    } else if (data[key] !== undefined) {
      if (attribute.family === 'relation' || attribute.family === 'media')
        assertLink(check, attribute, data[key], parentPath);
      else if (attribute.family !== 'scalar')
        assertComponents(check, attribute, data[key], [...parentPath, key]);
    }
  }
};

/**
 * Checks the shape of data before any value is parsed.
 *
 * @throws `request/missing-data` if it is not an object, `request/invalid-key` for a key at any depth that is
 *   unknown or not writable, or a relation to a type that the caller may not find, `request/too-many-items`
 */
export function assertShape(
  model: ContentModel,
  schema: ContentSchema,
  data: unknown,
  access: InputAccess | undefined,
): asserts data is Readonly<Record<string, unknown>> {
  if (!isRecord(data)) throw createError('request/missing-data');
  assertAttributes(createShapeCheck(model, access), schema, data, {
    otherKeys: METADATA_KEYS,
    path: [],
  });
}
