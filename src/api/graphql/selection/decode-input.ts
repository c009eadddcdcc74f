import { isRecord } from '../../../lib/records.js';
import type { Attribute, ContentModel, ContentSchema, ScalarAttribute } from '../../../model/model.js';
import { isLocalizations } from '../../../query/schema-fields.js';
import { attributeOfField, enumValuesByName } from '../field-names.js';

/**
 * Converts enumeration values where the schema has no enum type (filters, dynamic zones). Accepts stored
 * values and GraphQL names. Returns other values unchanged.
 */
function toEnumValue({ constraints: { enum: values = [] } }: ScalarAttribute, input: unknown): unknown {
  if (Array.isArray(input))
    return input.map((item) => (typeof item === 'string' ? toStoredValue(values, item) : item));
  return typeof input === 'string' ? toStoredValue(values, input) : input;
}

const toStoredValue = (values: readonly string[], input: string): string =>
  values.includes(input) ? input : (enumValuesByName(values).get(input) ?? input);

const DIGITS = /^\d{1,15}$/;

/** Converts the text of GraphQL's ID to the numeric ids of files and component items. */
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

const LOGIC = ['and', 'or', 'not'];

/** Operators that compare whole values, where clients may use the GraphQL name of an enumeration's value. */
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

/** Returns the schema whose fields a nested filter names. Undefined: it contains operators. */
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
  // A variable without a value leaves `and`, `or` and `not` null.
  const conditions = Object.entries(input).filter(([name, value]) => value !== null || !LOGIC.includes(name));
  return Object.fromEntries(
    conditions.map(([name, value]) => {
      // These names are logical operators, so attributes with the same names have no filters.
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
