import { isInterfaceType, isObjectType, isScalarType, isUnionType } from 'graphql';
import type {
  GraphQLField,
  GraphQLIsTypeOfFn,
  GraphQLNamedType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLTypeResolver,
} from 'graphql';
import { defined } from '../../../lib/assert.js';
import { isRecord } from '../../../lib/records.js';
import { didYouMean } from '../../../lib/nearest.js';
import { unmarkGenerated } from '../schema/field-marks.js';
import { createExtensionError, isFunction, loadNexus } from './evaluate-extensions.js';
import type { EvaluatedExtension } from './evaluate-extensions.js';

type Field = GraphQLField<unknown, unknown>;

/** One resolver, with the `use` that adds it. */
interface ResolverAssignment {
  readonly source: string;
  readonly type: string;
  readonly field: string;
  readonly value: unknown;
}

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
 * Applies `__resolveType` of unions and interfaces and `__isTypeOf` of objects. Returns true if the entry was
 * one of those.
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
  const { serialize, parseValue, parseLiteral } = value as Partial<Record<string, unknown>>;
  if (![serialize, parseValue, parseLiteral].some(isFunction))
    throw createExtensionError(
      source,
      `resolvers.${type.name}`,
      'the resolver of a scalar must be a GraphQLScalarType.',
    );
  if (isFunction(serialize)) type.serialize = serialize;
  if (isFunction(parseValue)) type.parseValue = parseValue;
  if (isFunction(parseLiteral)) type.parseLiteral = parseLiteral;
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

type NexusDefinitions = Pick<EvaluatedExtension, 'types' | 'plugins'>;

/** Nexus does not copy the `subscribe` functions of subscription fields. */
const copySubscribe = (from: GraphQLSchema, to: GraphQLSchema): GraphQLSchema => {
  const [before, after] = [
    from.getSubscriptionType()?.getFields() ?? {},
    to.getSubscriptionType()?.getFields() ?? {},
  ];
  for (const [name, { subscribe }] of Object.entries(before)) {
    const field = after[name];
    if (field !== undefined && subscribe !== undefined) field.subscribe ??= subscribe;
  }
  return to;
};

const makeNexusSchema = (schema: GraphQLSchema, { types, plugins }: NexusDefinitions): GraphQLSchema => {
  const options = { types, plugins, mergeSchema: { schema }, shouldGenerateArtifacts: false } as Parameters<
    ReturnType<typeof loadNexus>['makeSchema']
  >[0];
  return copySubscribe(schema, loadNexus().makeSchema(options));
};

const typeNameOf = (definition: unknown): string | null => {
  const name: unknown =
    isRecord(definition) || typeof definition === 'object' ? Reflect.get(definition as object, 'name') : null;
  return typeof name === 'string' ? name : null;
};

/** True if a Nexus definition adds to an existing type or to Nexus' builders. All others define a type. */
const isTypeExtension = (definition: unknown): boolean => {
  const { core } = loadNexus();
  return [
    core.isNexusExtendTypeDef,
    core.isNexusExtendInputTypeDef,
    core.isNexusDynamicInputMethod,
    core.isNexusDynamicOutputMethod,
    core.isNexusDynamicOutputProperty,
  ].some((isKind) => isKind(definition));
};

/** Throws if a type would silently replace another one. */
const assertNewTypes = (schema: GraphQLSchema, extensions: readonly EvaluatedExtension[]): void => {
  const definitionsByName = new Map<string, unknown>();
  const check = (source: string, definition: unknown): void => {
    if (Array.isArray(definition)) {
      for (const each of definition) check(source, each);
      return;
    }
    if (typeof definition !== 'object' || definition === null)
      throw createExtensionError(
        source,
        'types',
        'a type must be made with nexus.objectType or another function of Nexus.',
      );
    const name = typeNameOf(definition);
    if (name === null || isTypeExtension(definition)) {
      if (name === null && definition.constructor === Object)
        for (const each of Object.values(definition)) check(source, each);
      return;
    }
    const isTaken =
      schema.getType(name) !== undefined ||
      (definitionsByName.has(name) && definitionsByName.get(name) !== definition);
    if (isTaken)
      throw createExtensionError(
        source,
        'types',
        `there is already a type ${name}. Add to it with extendType or extendInputType.`,
      );
    definitionsByName.set(name, definition);
  };
  for (const { source, types } of extensions) check(source, types);
};

interface NexusFailure {
  readonly key: 'types' | 'plugins';
  readonly error: unknown;
}

/** Returns the error of the first extension with which the schema cannot be built. */
const createNexusError = (
  schema: GraphQLSchema,
  extensions: readonly EvaluatedExtension[],
  { key, error }: NexusFailure,
): Error => {
  for (let count = 1; count <= extensions.length; count += 1) {
    const first = extensions.slice(0, count);
    try {
      makeNexusSchema(schema, {
        types: first.flatMap(({ types }) => types),
        plugins: key === 'plugins' ? first.flatMap(({ plugins }) => plugins) : [],
      });
    } catch (partialError) {
      const isLast = count === extensions.length;
      if (
        isLast ||
        (partialError instanceof Error && error instanceof Error && partialError.message === error.message)
      )
        return createExtensionError(defined(first.at(-1), 'the last extension').source, key, partialError);
    }
  }
  return createExtensionError(extensions.map(({ source }) => source).join(', '), key, error);
};

/**
 * Returns the schema with the project's Nexus types.
 *
 * @throws `graphql/invalid-extension`
 */
export function applyTypes(schema: GraphQLSchema, extensions: readonly EvaluatedExtension[]): GraphQLSchema {
  const withTypes = extensions.filter(({ types }) => types.length > 0);
  if (withTypes.length === 0) return schema;
  assertNewTypes(schema, withTypes);
  try {
    return resolveFieldThunks(
      makeNexusSchema(schema, { types: withTypes.flatMap(({ types }) => types), plugins: [] }),
    );
  } catch (error) {
    throw createNexusError(schema, withTypes, { key: 'types', error });
  }
}

/** Evaluates all thunks of fields, so that errors in them are found when the schema is built. */
const resolveFieldThunks = (schema: GraphQLSchema): GraphQLSchema => {
  for (const type of Object.values(schema.getTypeMap())) if (isObjectType(type)) type.getFields();
  return schema;
};

/**
 * Returns the schema rebuilt with a project's Nexus plugins, which are called for every type and field.
 *
 * @throws `graphql/invalid-extension`
 */
export function applyPlugins(
  schema: GraphQLSchema,
  extensions: readonly EvaluatedExtension[],
): GraphQLSchema {
  const withPlugins = extensions.filter(({ plugins }) => plugins.length > 0);
  if (withPlugins.length === 0) return schema;
  try {
    return resolveFieldThunks(
      makeNexusSchema(schema, { types: [], plugins: withPlugins.flatMap(({ plugins }) => plugins) }),
    );
  } catch (error) {
    throw createNexusError(
      schema,
      withPlugins.map((extension) => ({ ...extension, types: [] })),
      { key: 'plugins', error },
    );
  }
}
