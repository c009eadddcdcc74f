import { isRecord } from '../../../lib/is-record.js';
import type { Attribute, ContentSchema, ContentModel } from '../../../model/model.js';
import { isLocalizations } from '../../../query/schema-fields.js';
import { attributeOfField } from '../field-sources.js';
import { toEnumValue } from './to-enum-value.js';

const LOGIC = ['and', 'or', 'not'];

/** Operators that compare whole values, so that an enumeration's value may be given by its GraphQL name. */
const WHOLE_VALUES = ['eq', 'ne', 'in', 'notIn'];

/** `{eq: 1, not: {in: [2]}}` → `{$eq: 1, $not: {$in: [2]}}` */
const toOperators = (attribute: Attribute | undefined, input: unknown): unknown => {
  if (!isRecord(input)) return input;
  const toOperand = (operator: string, value: unknown): unknown => {
    if (operator === 'not') return toOperators(attribute, value);
    return attribute?.family === 'scalar' &&
      attribute.type === 'enumeration' &&
      WHOLE_VALUES.includes(operator)
      ? toEnumValue(attribute, value)
      : value;
  };
  return Object.fromEntries(
    Object.entries(input).map(([operator, value]) => [`$${operator}`, toOperand(operator, value)]),
  );
};

/** The schema whose fields a filter names below the field. Undefined: it names operators. */
const targetOf = (
  model: ContentModel,
  contentSchema: ContentSchema,
  name: string,
): ContentSchema | undefined => {
  if (isLocalizations(contentSchema, name)) return contentSchema;
  const attribute = attributeOfField(contentSchema, name);
  if (attribute?.family === 'component') return model.componentsByUid[attribute.component];
  return (attribute?.family === 'relation' || attribute?.family === 'media') && attribute.target !== null
    ? model.typesByUid[attribute.target]
    : undefined;
};

/**
 * Converts a `filters` argument to REST parameters, which the query parser checks.
 *
 * @example
 *   toFilters(model, tag, { name: { eq: 'a' }, or: [] }); // { name: { $eq: 'a' }, $or: [] }
 */
export function toFilters(model: ContentModel, contentSchema: ContentSchema, input: unknown): unknown {
  if (Array.isArray(input))
    return input.filter((item) => item !== null).map((item) => toFilters(model, contentSchema, item));
  if (!isRecord(input)) return input ?? undefined;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      // Attributes with these names cannot be filtered by: the schema gives logic the names.
      if (LOGIC.includes(name)) return [`$${name}`, toFilters(model, contentSchema, value)];
      const attribute = attributeOfField(contentSchema, name);
      const target = targetOf(model, contentSchema, name);
      return [
        attribute?.name ?? name,
        target === undefined ? toOperators(attribute, value) : toNested(model, target, value),
      ];
    }),
  );
}

const toNested = (model: ContentModel, target: ContentSchema, value: unknown): unknown =>
  value === null ? null : toFilters(model, target, value);
