import { isRecord } from '../../lib/is-record.js';
import type { Attribute, AttributeHolder, ContentModel } from '../../model/model.js';
import { attributeOfField } from '../holder-fields.js';
import { toEnumValue } from './to-enum-value.js';

const DIGITS = /^\d{1,15}$/;

/** Files and component items are known by numbers, which GraphQL's ID writes as text. */
const toNumber = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toNumber);
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
};

const toValue = (model: ContentModel, attribute: Attribute | undefined, value: unknown): unknown => {
  if (attribute?.family === 'media') return toNumber(value);
  // Entries of zones are not typed.
  if (attribute?.family === 'scalar' && attribute.type === 'enumeration') return toEnumValue(attribute, value);
  if (attribute?.family === 'component') {
    const component = model.componentsByUid[attribute.component];
    if (component === undefined) return value;
    return Array.isArray(value) ? value.map((item) => toData(model, component, item)) : toData(model, component, value);
  }
  return attribute?.family === 'dynamiczone' && Array.isArray(value) ? value.map((item) => toEntry(model, item)) : value;
};

const toEntry = (model: ContentModel, entry: unknown): unknown => {
  const uid = isRecord(entry) ? entry['__component'] : undefined;
  const component = typeof uid === 'string' ? model.componentsByUid[uid] : undefined;
  return component === undefined ? entry : toData(model, component, entry);
};

/** An input object in the form of a REST body's `data`, which the document service checks. */
export function toData(model: ContentModel, holder: AttributeHolder, input: unknown): unknown {
  if (!isRecord(input)) return input;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => {
    const attribute = attributeOfField(holder, name);
    if (attribute === undefined) return [name, name === 'id' ? toNumber(value) : value];
    return [attribute.name, toValue(model, attribute, value)];
  }));
}
