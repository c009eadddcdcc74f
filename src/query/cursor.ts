import { createHash } from 'node:crypto';
import { MAX_INT64, MIN_INT64 } from '../lib/stored-value.js';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import { FIELD_TYPES } from '../model/fields/registry.js';
import { isStorableText } from '../model/fields/text-value.js';
import { componentOf, typeOf } from '../model/lookup.js';
import type { ContentModel, ContentSchema } from '../model/model.js';
import type { ReadQuery, SortNode } from './query.js';
import { invalidParameter } from './read-context.js';
import { comparableField, isContentType, isLocalizations } from './schema-fields.js';

const BY_ID: SortNode = Object.freeze({ path: Object.freeze(['id']), direction: 'asc' });

/** Returns the keys of the order of a list: its sort, then the id, which is unique. */
export function orderKeysOf(sort: readonly SortNode[]): readonly SortNode[] {
  const idIndex = sort.findIndex(({ path }) => path.length === 1 && path[0] === 'id');
  return idIndex < 0 ? [...sort, BY_ID] : sort.slice(0, idIndex + 1);
}

const DIGEST_LENGTH = 12;
const MAX_CURSOR_LENGTH = 100_000;
const INTEGER = /^-?\d{1,19}$/;

/** The list to which a cursor belongs. */
export type CursorList = Pick<ReadQuery, 'type' | 'sort'>;

/** Differs if the type, the order or a value differs. */
const digestOf = ({ type, sort }: CursorList, values: readonly unknown[]): string =>
  createHash('sha256')
    .update(JSON.stringify([type, orderKeysOf(sort), values]))
    .digest('base64url')
    .slice(0, DIGEST_LENGTH);

/**
 * Prints the position of a record in a list as opaque text.
 *
 * @param values the values of the order's keys, as JSON has them
 */
export function printCursor(list: CursorList, values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([digestOf(list, values), ...values])).toString('base64url');
}

const readList = (text: string): readonly unknown[] | null => {
  if (text.length > MAX_CURSOR_LENGTH) return null;
  try {
    const list: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
};

const schemaBehind = (model: ContentModel, schema: ContentSchema, name: string): ContentSchema => {
  if (isLocalizations(schema, name)) return schema;
  const attribute = schema.attributes[name];
  if (attribute?.family === 'component') return componentOf(model, attribute.component);
  if ((attribute?.family === 'relation' || attribute?.family === 'media') && attribute.target !== null)
    return typeOf(model, attribute.target);
  throw new TypeError(`${schema.uid} cannot be sorted by ${name}`);
};

/** Components store times as text. */
const kindOf = (model: ContentModel, type: ContentSchema, { path }: SortNode): ColumnKind => {
  const schema = path.slice(0, -1).reduce((owner, name) => schemaBehind(model, owner, name), type);
  const kind = comparableField(schema, path.at(-1) ?? '')?.kind ?? 'text';
  return kind === 'datetime' && !isContentType(schema) ? 'text' : kind;
};

const toBigInt = (value: unknown): bigint | undefined => {
  if (typeof value !== 'string' || !INTEGER.test(value)) return undefined;
  const number = BigInt(value);
  return number >= MIN_INT64 && number <= MAX_INT64 ? number : undefined;
};

const toDate = (value: unknown): Date | undefined => {
  const parsed = FIELD_TYPES.datetime.parseFilter(value);
  return parsed.ok && parsed.value instanceof Date ? parsed.value : undefined;
};

/** Returns a value of a cursor as the statement compares it. Undefined: no value of that kind. */
const toStored = (kind: ColumnKind, value: unknown): StoredScalar | undefined => {
  if (value === null) return null;
  switch (kind) {
    case 'text':
      return typeof value === 'string' && isStorableText(value) ? value : undefined;
    case 'integer':
      return Number.isSafeInteger(value) ? Number(value) : undefined;
    case 'double':
      return typeof value === 'number' ? value : undefined;
    case 'bigint':
      return toBigInt(value);
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'datetime':
      return toDate(value);
    case 'json':
      return undefined;
    default:
      return kind satisfies never;
  }
};

/**
 * Parses a cursor to the values of the order's keys.
 *
 * @throws `request/invalid-parameter` if it is no cursor of that list in that order
 */
export function parseCursor(
  model: ContentModel,
  list: CursorList,
  { text, path }: { readonly text: string; readonly path: string },
): readonly StoredScalar[] {
  const [digest, ...values] = readList(text) ?? [];
  const keys = orderKeysOf(list.sort);
  const type = typeOf(model, list.type);
  const position = keys.map((key, index) => toStored(kindOf(model, type, key), values[index]));
  const stored = position.filter((value) => value !== undefined);
  const isComplete = values.length === keys.length && stored.length === keys.length;
  if (!isComplete || stored.at(-1) === null || digest !== digestOf(list, values))
    throw invalidParameter(path, 'it is no cursor of this list in this order. Begin with an empty one.');
  return stored;
}
