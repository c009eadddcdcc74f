import { isRecord } from '../../lib/is-record.js';
import type { Attribute, AttributeHolder, ContentModel } from '../../model/model.js';
import { attributeOfField } from '../holder-fields.js';

const LOGIC = ['and', 'or', 'not'];

/** `{eq: 1, not: {in: [2]}}` → `{$eq: 1, $not: {$in: [2]}}` */
const toOperators = (input: unknown): unknown =>
  isRecord(input) ? Object.fromEntries(Object.entries(input).map(([operator, value]) => [`$${operator}`, operator === 'not' ? toOperators(value) : value])) : input;

const targetOf = (model: ContentModel, attribute: Attribute | undefined): AttributeHolder | undefined => {
  if (attribute?.family === 'component') return model.componentsByUid[attribute.component];
  return attribute?.family === 'relation' && attribute.target !== null ? model.typesByUid[attribute.target] : undefined;
};

/** A filters argument in the form of REST parameters, which the query parser checks: `{name: {eq: 1}, or: […]}` → `{name: {$eq: 1}, $or: […]}`. */
export function toFilters(model: ContentModel, holder: AttributeHolder, input: unknown): unknown {
  if (Array.isArray(input)) return input.filter((item) => item !== null).map((item) => toFilters(model, holder, item));
  if (!isRecord(input)) return input ?? undefined;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => {
    const attribute = attributeOfField(holder, name);
    if (attribute === undefined && LOGIC.includes(name)) return [`$${name}`, toFilters(model, holder, value)];
    const target = targetOf(model, attribute);
    return [attribute?.name ?? name, target === undefined ? toOperators(value) : toNested(model, target, value)];
  }));
}

const toNested = (model: ContentModel, target: AttributeHolder, value: unknown): unknown => (value === null ? null : toFilters(model, target, value));
