import type { JsonSchema } from '../../../lib/json-schema.js';

export const TEXT: JsonSchema = { type: 'string' };
export const INTEGER: JsonSchema = { type: 'integer' };
export const BOOLEAN: JsonSchema = { type: 'boolean' };
export const NULL: JsonSchema = { type: 'null' };
export const MOMENT: JsonSchema = { type: 'string', format: 'date-time' };

export function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

export function anyOf(...schemas: readonly JsonSchema[]): JsonSchema {
  const [only] = schemas;
  return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas };
}

/** An object with these properties. Those that are not required may be left out. */
export function objectOf(
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema {
  return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) };
}

/** An object that has all of these properties. */
export function recordOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return objectOf(properties, Object.keys(properties));
}

/** The values of a schema, and null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (typeof type !== 'string' && !Array.isArray(type))
    // A schema without any rule takes null as it is.
    return Object.keys(schema).length === 0 ? schema : anyOf(schema, NULL);
  return {
    ...schema,
    type: [...(typeof type === 'string' ? [type] : (type as readonly string[])), 'null'],
    ...(Array.isArray(values) ? { enum: [...(values as readonly unknown[]), null] } : {}),
  };
}

/** One of several schemas, told apart by a property. */
export function discriminated(
  propertyName: string,
  members: readonly { readonly value: string; readonly schema: JsonSchema }[],
): JsonSchema {
  if (members.length === 0) return { not: {} };
  return {
    oneOf: members.map(({ schema }) => schema),
    discriminator: {
      propertyName,
      mapping: Object.fromEntries(members.map(({ value, schema }) => [value, schema['$ref']])),
    },
  };
}
