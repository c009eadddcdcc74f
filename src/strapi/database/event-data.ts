import { isDeepStrictEqual } from 'node:util';
import { toJson } from '../../documents/validation/parse-scalar.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import type {
  Attribute,
  ContentModel,
  ContentType,
  LinkAttribute,
  Uid,
  VersionStatus,
} from '../../model/model.js';
import { knownData } from './entry-shape.js';
import { deepPopulate } from './query-params.js';
import type { Entry, VersionReader } from './version-reader.js';

type Data = Record<string, unknown>;

/** The result of a create or update. */
export interface Written {
  readonly documentId?: string;
  readonly record: string;
}

/** Returns the values that a listener has changed in a result. */
export function changesOf(before: Data, after: Data): Data {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(before[name], value)),
  );
}

/** Adds the changes of listeners to the record that the operation returns. */
export function withChanges(written: Written, changes: Data): Written {
  if (Object.keys(changes).length === 0) return written;
  const record: unknown = JSON.parse(written.record);
  return { ...written, record: JSON.stringify({ ...(isRecord(record) ? record : {}), ...changes }) };
}

/** The version that is written. */
export interface WrittenVersion {
  readonly locale: string | undefined;
  readonly status: VersionStatus;
}

const toList = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value];

const documentIdOf = (item: unknown): string | undefined => {
  if (typeof item === 'string') return item;
  return isRecord(item) && typeof item['documentId'] === 'string' ? item['documentId'] : undefined;
};

const OPERATIONS = ['set', 'connect', 'disconnect'] as const;

const operationsOf = (value: unknown): Readonly<Record<string, readonly unknown[]>> => {
  if (isRecord(value) && OPERATIONS.some((name) => value[name] !== undefined))
    return Object.fromEntries(
      OPERATIONS.flatMap((name) => (value[name] === undefined ? [] : [[name, toList(value[name])]])),
    );
  return { set: toList(value) };
};

/** Returns the numeric ids of the linked versions by documentId. */
const loadIds = async (
  model: ContentModel,
  reader: VersionReader,
  {
    target,
    documentIds,
    where = {},
  }: { readonly target: Uid; readonly documentIds: readonly string[]; readonly where?: object },
  { locale, status }: WrittenVersion,
): Promise<ReadonlyMap<string, number>> => {
  const type = typeOf(model, target);
  const rows = await reader.find(target, {
    where: { documentId: { $in: documentIds }, ...where },
    select: ['id', 'documentId', 'publishedAt', ...(type.localized ? ['locale'] : [])],
  });
  const rank = (row: Readonly<Data>): number =>
    (type.draftAndPublish && (row['publishedAt'] === null) === (status === 'draft') ? 2 : 0) +
    (type.localized && row['locale'] === locale ? 1 : 0);
  const sorted = rows.toSorted((left, right) => rank(left) - rank(right));
  return new Map(sorted.map((row) => [row.documentId, row.id]));
};

/**
 * Returns links in the form that listeners get, as in Strapi: `{ set: [{ id }] }`, `connect` and
 * `disconnect`.
 */
const toEventLinks = async (
  model: ContentModel,
  reader: VersionReader,
  { attribute, value }: { readonly attribute: LinkAttribute; readonly value: unknown },
  version: WrittenVersion,
): Promise<unknown> => {
  const { target } = attribute;
  if (target === null) return value;
  const operations = operationsOf(value);
  const documentIds = Object.values(operations)
    .flat()
    .flatMap((item) => documentIdOf(item) ?? []);
  const ids =
    documentIds.length === 0
      ? new Map<string, number>()
      : await loadIds(model, reader, { target, documentIds }, version);
  const present = (item: unknown): unknown => {
    const id = typeof item === 'number' ? item : ids.get(documentIdOf(item) ?? '');
    if (id === undefined) return item;
    const position = isRecord(item) && item['position'] !== undefined ? { position: item['position'] } : {};
    return { id, ...position };
  };
  return Object.fromEntries(Object.entries(operations).map(([name, items]) => [name, items.map(present)]));
};

const toEventValue = async (
  model: ContentModel,
  reader: VersionReader,
  { type, name, value }: { readonly type: ContentType; readonly name: string; readonly value: unknown },
  version: WrittenVersion,
): Promise<unknown> => {
  const attribute = type.attributes[name];
  if (attribute?.family === 'relation' || attribute?.family === 'media')
    return toEventLinks(model, reader, { attribute, value }, version);
  if (attribute?.family === 'scalar' && attribute.field.hash !== undefined && typeof value === 'string')
    return attribute.field.hash(value);
  return typeof value === 'object' && value !== null ? structuredClone(value) : value;
};

/** The data that a listener gets, and the data to write after it has run. */
export interface EventData {
  readonly shown: Data;
  /** Returns the client's data with the changes of the listener. */
  readonly merged: () => Data;
  /** Returns the changes of the listener only. */
  readonly changes: () => Data;
}

/** Prepares the data of a write for lifecycle listeners. */
export async function createEventData(
  { model, reader }: { readonly model: ContentModel; readonly reader: VersionReader },
  type: ContentType,
  { sent, added }: { readonly sent: Data; readonly added: Data },
  version: WrittenVersion,
): Promise<EventData> {
  const shown: Data = { ...added };
  for (const [name, value] of Object.entries(sent))
    if (value !== undefined && !Object.hasOwn(added, name))
      shown[name] = await toEventValue(model, reader, { type, name, value }, version);
  const before = structuredClone(shown);
  const changes = (): Data => {
    const changed = Object.entries(shown).filter(([name, value]) => !isDeepStrictEqual(before[name], value));
    return knownData(model, type, Object.fromEntries(changed));
  };
  return {
    shown,
    changes,
    merged: () => {
      const kept = Object.entries(sent).filter(
        ([name]) => Object.hasOwn(shown, name) || !Object.hasOwn(before, name),
      );
      return { ...Object.fromEntries(kept), ...changes() };
    },
  };
}

const defaultValue = (attribute: Attribute): unknown => {
  if (attribute.family === 'scalar')
    return attribute.default === undefined ? undefined : toJson(attribute.default);
  const isList =
    attribute.family === 'dynamiczone' || (attribute.family === 'component' && attribute.repeatable);
  return isList && !attribute.required ? [] : undefined;
};

/** Returns the default values of a new version, for attributes that are not in its data. */
export function defaultData({ attributes }: ContentType, sent: Data): Data {
  return Object.fromEntries(
    Object.values(attributes).flatMap((attribute) => {
      const value = sent[attribute.name] === undefined ? defaultValue(attribute) : undefined;
      return value === undefined ? [] : [[attribute.name, value] as const];
    }),
  );
}

const idOnly = (item: unknown): unknown => {
  if (!isRecord(item)) return item;
  const { id, __component } = item;
  return __component === undefined ? { id } : { id, __component };
};

const copiedValue = (attribute: Attribute, value: unknown): unknown => {
  switch (attribute.family) {
    case 'scalar':
      return value;
    case 'component':
    case 'dynamiczone':
      if (value === null) return undefined;
      return Array.isArray(value) ? value.map(idOnly) : idOnly(value);
    default:
      return value === null ? null : { set: toList(value).map(idOnly) };
  }
};

/** Returns the links of a copy. If the target has drafts, they lead to versions of the copy's status. */
const copiedLinks = async (
  { model, reader }: { readonly model: ContentModel; readonly reader: VersionReader },
  { target }: LinkAttribute,
  value: unknown,
  version: WrittenVersion,
): Promise<unknown> => {
  const linked = toList(value);
  if (target === null || linked.length === 0 || !typeOf(model, target).draftAndPublish) return value;
  const documentIds = linked.flatMap((item) => documentIdOf(item) ?? []);
  const published = { publishedAt: version.status === 'published' ? { $notNull: true } : { $null: true } };
  const ids = await loadIds(model, reader, { target, documentIds, where: published }, version);
  return documentIds.flatMap((documentId) => {
    const id = ids.get(documentId);
    return id === undefined ? [] : [{ id }];
  });
};

/** Returns the data of a copied version for listeners, with the ids of linked documents and components. */
export async function copiedData(
  { model, reader }: { readonly model: ContentModel; readonly reader: VersionReader },
  type: ContentType,
  { id, ...source }: Entry,
  version: WrittenVersion,
): Promise<Data> {
  const populate = deepPopulate(model, type);
  const names = Object.keys(populate);
  const [populated] = names.length === 0 ? [] : await reader.find(type.uid, { where: { id }, populate });
  const parts: Data = {};
  for (const name of names) {
    const attribute = type.attributes[name];
    if (attribute === undefined) continue;
    const found = populated?.[name] ?? null;
    const isLink = attribute.family === 'relation' || attribute.family === 'media';
    const linked = isLink ? await copiedLinks({ model, reader }, attribute, found, version) : found;
    const value = copiedValue(attribute, linked);
    if (value !== undefined) parts[name] = value;
  }
  return { ...source, createdBy: null, updatedBy: null, ...parts };
}
