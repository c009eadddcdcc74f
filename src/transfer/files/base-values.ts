import { createHash } from 'node:crypto';
import { isRecord } from '../../lib/records.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema } from '../../model/model.js';
import { isFileAttribute } from '../../query/parse/server-queries.js';
import { printBlocks } from '../store/print-blocks.js';
import type { Data } from './version-data.js';

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
