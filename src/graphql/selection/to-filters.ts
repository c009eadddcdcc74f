import { isRecord } from '../../lib/is-record.js';
import type { Attribute, AttributeHolder, ContentModel } from '../../model/model.js';
import { attributeOfField } from '../holder-fields.js';
import { toEnumValue } from './to-enum-value.js';

const LOGIC = ['and', 'or', 'not'];

/** Operators whose operands are values of an enumeration, or none. */
const WHOLE_VALUES = ['eq', 'ne', 'in', 'notIn'];

/** `{eq: 1, not: {in: [2]}}` → `{$eq: 1, $not: {$in: [2]}}` */
const toOperators = (attribute: Attribute | undefined, input: unknown): unknown => {
  if (!isRecord(input)) return input;
  const toOperand = (operator: string, value: unknown): unknown => {
    if (operator === 'not') return toOperators(attribute, value);
    return attribute?.family === 'scalar' && attribute.type === 'enumeration' && WHOLE_VALUES.includes(operator) ? toEnumValue(attribute, value) : value;
  };
  return Object.fromEntries(Object.entries(input).map(([operator, value]) => [`$${operator}`, toOperand(operator, value)]));
};

const targetOf = (model: ContentModel, attribute: Attribute | undefined): AttributeHolder | undefined => {
  if (attribute?.family === 'component') return model.componentsByUid[attribute.component];
  return attribute?.family === 'relation' && attribute.target !== null ? model.typesByUid[attribute.target] : undefined;
};

/** A filters argument in the form of REST parameters, which the query parser checks: `{name: {eq: 1}, or: […]}` → `{name: {$eq: 1}, $or: […]}`. */
export function toFilters(model: ContentModel, holder: AttributeHolder, input: unknown): unknown {
  if (Array.isArray(input)) return input.filter((item) => item !== null).map((item) => toFilters(model, holder, item));
  if (!isRecord(input)) return input ?? undefined;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => {
    // Attributes of these names cannot be filtered.
    if (LOGIC.includes(name)) return [`$${name}`, toFilters(model, holder, value)];
    const attribute = attributeOfField(holder, name);
    const target = targetOf(model, attribute);
    return [attribute?.name ?? name, target === undefined ? toOperators(attribute, value) : toNested(model, target, value)];
  }));
}

const toNested = (model: ContentModel, target: AttributeHolder, value: unknown): unknown => (value === null ? null : toFilters(model, target, value));
