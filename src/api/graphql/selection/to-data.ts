import { isRecord } from '../../../lib/is-record.js';
import type { Attribute, ContentSchema, ContentModel } from '../../../model/model.js';
import { attributeOfField } from '../field-sources.js';
import { toEnumValue } from './to-enum-value.js';

const DIGITS = /^\d{1,15}$/;

/** Converts ids of files and component items, which are numbers, from the text of GraphQL's ID. */
const toNumber = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toNumber);
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
};

const toValue = (model: ContentModel, attribute: Attribute | undefined, value: unknown): unknown => {
  if (attribute?.family === 'media') return toNumber(value);
  // Entries of dynamic zones are an untyped scalar, so their enumeration values are not converted yet.
  if (attribute?.family === 'scalar' && attribute.type === 'enumeration')
    return toEnumValue(attribute, value);
  if (attribute?.family === 'component') {
    const component = model.componentsByUid[attribute.component];
    if (component === undefined) return value;
    return Array.isArray(value)
      ? value.map((item) => toData(model, component, item))
      : toData(model, component, value);
  }
  return attribute?.family === 'dynamiczone' && Array.isArray(value)
    ? value.map((item) => toEntry(model, item))
    : value;
};

const toEntry = (model: ContentModel, entry: unknown): unknown => {
  const uid = isRecord(entry) ? entry['__component'] : undefined;
  const component = typeof uid === 'string' ? model.componentsByUid[uid] : undefined;
  return component === undefined ? entry : toData(model, component, entry);
};

/** Converts an input object to the `data` of a REST body, which the document service validates. */
export function toData(model: ContentModel, contentSchema: ContentSchema, input: unknown): unknown {
  if (!isRecord(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const attribute = attributeOfField(contentSchema, name);
      if (attribute === undefined) return [name, name === 'id' ? toNumber(value) : value];
      return [attribute.name, toValue(model, attribute, value)];
    }),
  );
}
