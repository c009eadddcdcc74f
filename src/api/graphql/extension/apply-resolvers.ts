import { isInterfaceType, isObjectType, isScalarType, isUnionType } from 'graphql';
import type {
  GraphQLField,
  GraphQLIsTypeOfFn,
  GraphQLNamedType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLTypeResolver,
} from 'graphql';
import { isRecord } from '../../../lib/is-record.js';
import { didYouMean } from '../../../lib/nearest.js';
import { unmarkGenerated } from '../schema/field-marks.js';
import { createExtensionError } from './evaluate-extensions.js';
import type { EvaluatedExtension } from './evaluate-extensions.js';

type Field = GraphQLField<unknown, unknown>;
type AnyFunction = NonNullable<Field['resolve']>;

/** One resolver, with the `use` that adds it. */
interface ResolverAssignment {
  readonly source: string;
  readonly type: string;
  readonly field: string;
  readonly value: unknown;
}

const isFunction = (value: unknown): value is AnyFunction => typeof value === 'function';

const invalidResolver = ({ source, type, field }: ResolverAssignment, reason: string): Error =>
  createExtensionError(source, `resolvers.${type}.${field}`, reason);

const applyField = (entry: ResolverAssignment, fields: Readonly<Record<string, Field>>): void => {
  const field = fields[entry.field];
  if (field === undefined)
    throw invalidResolver(
      entry,
      `the type ${entry.type} has no such field. ${didYouMean(entry.field, Object.keys(fields))}`.trimEnd(),
    );
  if (isFunction(entry.value)) {
    field.resolve = entry.value;
    unmarkGenerated(field);
    return;
  }
  const { resolve, subscribe } = isRecord(entry.value) ? entry.value : {};
  if (
    !(isFunction(resolve) || resolve === undefined) ||
    !(isFunction(subscribe) || subscribe === undefined) ||
    (resolve ?? subscribe) === undefined
  ) {
    throw invalidResolver(
      entry,
      'a resolver must be a function, or an object with the functions resolve and subscribe.',
    );
  }
  if (resolve !== undefined) field.resolve = resolve;
  if (subscribe !== undefined) field.subscribe = subscribe;
  unmarkGenerated(field);
};

const assertFunction = (entry: ResolverAssignment): unknown => {
  if (!isFunction(entry.value)) throw invalidResolver(entry, 'it must be a function.');
  return entry.value;
};

/**
 * Applies `__resolveType` of unions and interfaces and `__isTypeOf` of objects.
 *
 * @returns whether the entry was one of those
 */
const applyTypeResolver = (entry: ResolverAssignment, namedType: GraphQLNamedType): boolean => {
  const type = namedType;
  if (entry.field === '__resolveType' && (isUnionType(type) || isInterfaceType(type))) {
    type.resolveType = assertFunction(entry) as GraphQLTypeResolver<unknown, unknown>;
    return true;
  }
  if (entry.field === '__isTypeOf' && isObjectType(type)) {
    type.isTypeOf = assertFunction(entry) as GraphQLIsTypeOfFn<unknown, unknown>;
    return true;
  }
  return false;
};

const applyScalar = (source: string, type: GraphQLScalarType, value: object): void => {
  const scalarFunctions = {
    serialize: Reflect.get(value, 'serialize') as unknown,
    parseValue: Reflect.get(value, 'parseValue') as unknown,
    parseLiteral: Reflect.get(value, 'parseLiteral') as unknown,
  };
  if (!Object.values(scalarFunctions).some(isFunction))
    throw createExtensionError(
      source,
      `resolvers.${type.name}`,
      'the resolver of a scalar must be a GraphQLScalarType.',
    );
  for (const [key, scalarFunction] of Object.entries(scalarFunctions))
    if (isFunction(scalarFunction)) Reflect.set(type, key, scalarFunction);
};

const applyType = (
  schema: GraphQLSchema,
  source: string,
  [name, value]: readonly [string, unknown],
): void => {
  const type = schema.getType(name);
  if (type === undefined)
    throw createExtensionError(
      source,
      `resolvers.${name}`,
      `the schema has no type ${name}. ${didYouMean(name, Object.keys(schema.getTypeMap()))}`.trimEnd(),
    );
  if (typeof value !== 'object' || value === null)
    throw createExtensionError(source, `resolvers.${name}`, 'it must be an object of resolvers by field.');
  if (isScalarType(type)) {
    applyScalar(source, type, value);
    return;
  }
  for (const [field, fieldResolver] of Object.entries(value)) {
    const entry = { source, type: name, field, value: fieldResolver as unknown };
    if (applyTypeResolver(entry, type)) continue;
    if (!isObjectType(type)) throw invalidResolver(entry, `fields of ${name} have no resolvers.`);
    applyField(entry, type.getFields());
  }
};

/**
 * Sets a project's resolvers on the fields of a schema. Later resolvers replace earlier ones. The schema is
 * changed in place.
 *
 * @throws `graphql/invalid-extension`
 */
export function applyResolvers(schema: GraphQLSchema, extensions: readonly EvaluatedExtension[]): void {
  for (const { source, resolvers } of extensions)
    for (const entry of Object.entries(resolvers)) applyType(schema, source, entry);
}
