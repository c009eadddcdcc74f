import type { ContentType, MediaAttribute, RelationAttribute } from '../model/model.js';
import { readableAttribute } from './schema-fields.js';
import type { ComparableField } from './schema-fields.js';

const NUMBER_TYPES: ReadonlySet<string> = new Set(['integer', 'biginteger', 'float', 'decimal']);

/** True if the values of an attribute have sums and averages. */
export function isNumeric(type: ContentType, name: string): boolean {
  const attribute = readableAttribute(type, name);
  return attribute?.family === 'scalar' && NUMBER_TYPES.has(attribute.type);
}

/** True if the values of a field have a least and a greatest. */
export function isOrdered({ sortable, kind }: ComparableField): boolean {
  return sortable && kind !== 'boolean';
}

/** True if the values of a field may be grouped by year, month, day or hour. */
export function isTime(type: ContentType, { name, kind }: ComparableField): boolean {
  const attribute = readableAttribute(type, name);
  return kind === 'datetime' || (attribute?.family === 'scalar' && attribute.type === 'date');
}

/** Returns the attribute if it links at most one document, which records can be grouped by. */
export function singleLink(type: ContentType, name: string): RelationAttribute | MediaAttribute | null {
  const attribute = readableAttribute(type, name);
  const isLink = attribute?.family === 'relation' || attribute?.family === 'media';
  return isLink && !attribute.many ? attribute : null;
}
