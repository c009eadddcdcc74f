import {
  GraphQLEnumType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLError,
  GraphQLScalarType,
  GraphQLUnionType,
  valueFromASTUntyped,
} from 'graphql';
import type { GraphQLFieldConfig } from 'graphql';
import { defined } from '../../../lib/assert.js';
import { memoize, getOrCreate } from '../../../lib/collections.js';
import type {
  ContentModel,
  ContentType,
  ScalarAttribute,
  Attribute,
  ContentSchema,
  DynamicZoneAttribute,
  Uid,
} from '../../../model/model.js';
import { isRecord } from '../../../lib/records.js';
import { componentOf } from '../../../model/lookup.js';
import {
  enumNameOf,
  enumValueNameOf,
  enumValuesByName,
  attributeOfField,
  zoneNameOf,
} from '../field-names.js';
import { buildFiltersInputType, buildInputType, buildScalarFilter } from './build-input-types.js';
import { buildObjectType } from './build-object-type.js';
import {
  PAGINATION,
  PAGINATION_ARG,
  PUBLICATION_FILTER,
  PUBLICATION_STATUS,
  SCALARS,
  ERROR,
} from './fixed-types.js';
import { LOCALE_TYPE } from './locale-type.js';
import { createTypeNames } from './type-registry.js';
import type { ClaimTypeName, SchemaSwitches, TypeRegistry } from './type-registry.js';

const TYPE_KEY = '__typename';

interface ZoneComponents {
  /** The uids of the zone's components by their GraphQL names. */
  readonly uids: () => ReadonlyMap<string, Uid>;
  /** Returns the first key of an entry whose input is disabled; null: none is. */
  readonly findDisabledKey: (component: Uid, entry: Readonly<Record<string, unknown>>) => string | null;
}

/**
 * Creates the scalar of an entry of a dynamic zone: an object whose `__typename` names its component. It is
 * parsed into the form of the REST API, which names the component in `__component`.
 */
function zoneInputScalar(name: string, { uids, findDisabledKey }: ZoneComponents): GraphQLScalarType {
  const parse = (value: unknown): unknown => {
    if (!isRecord(value)) throw new GraphQLError(`A ${name} must be an object with ${TYPE_KEY}.`);
    const { [TYPE_KEY]: typeName, ...rest } = value;
    const component = typeof typeName === 'string' ? uids().get(typeName) : undefined;
    if (component === undefined)
      throw new GraphQLError(`${TYPE_KEY} must be one of ${[...uids().keys()].join(', ')}.`);
    const disabledKey = findDisabledKey(component, rest);
    if (disabledKey !== null) throw new GraphQLError(`${name} has no field ${disabledKey}.`);
    return { ...rest, __component: component };
  };
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node, variables) => parse(valueFromASTUntyped(node, variables)),
  });
}

/**
 * Returns the first key of a component's value, or of a nested value, whose input is disabled. The validation
 * of the write checks unknown keys.
 */
function findDisabledInput(
  model: ContentModel,
  switches: SchemaSwitches,
  contentSchema: ContentSchema,
  value: unknown,
): string | null {
  if (Array.isArray(value))
    return (
      value
        .map((item) => findDisabledInput(model, switches, contentSchema, item))
        .find((key) => key !== null) ?? null
    );
  if (!isRecord(value)) return null;
  for (const [key, attributeValue] of Object.entries(value)) {
    const attribute = attributeOfField(contentSchema, key);
    if (attribute === undefined) continue;
    const componentSchema =
      attribute.family === 'component' ? model.componentsByUid[attribute.component] : undefined;
    if (
      !switches.hasInput(contentSchema, attribute.name) ||
      (componentSchema !== undefined && !switches.hasType(componentSchema))
    )
      return key;
    const disabledKey =
      componentSchema === undefined
        ? null
        : findDisabledInput(model, switches, componentSchema, attributeValue);
    if (disabledKey !== null) return disabledKey;
  }
  return null;
}

/** An attribute with the type or component that has it. */
interface OwnedAttribute<OneAttribute extends Attribute> {
  readonly contentSchema: ContentSchema;
  readonly attribute: OneAttribute;
}

/** Memoizes by the attribute alone: attribute objects are unique in a model. */
function memoizeByAttribute<OneAttribute extends Attribute, Value>(
  create: (ownedAttribute: OwnedAttribute<OneAttribute>) => Value,
): (contentSchema: ContentSchema, attribute: OneAttribute) => Value {
  const cache = new Map<OneAttribute, Value>();
  return (contentSchema, attribute) =>
    getOrCreate(cache, attribute, () => create({ contentSchema, attribute }));
}

type OwnedZone = OwnedAttribute<DynamicZoneAttribute>;

/** Returns the GraphQL type of a value that names its type or component under `key`. */
const typeNameOf = (registry: TypeRegistry, value: unknown, key: string): string | undefined => {
  const uid = isRecord(value) ? value[key] : undefined;
  if (typeof uid !== 'string') return undefined;
  const { componentsByUid, typesByUid } = registry.model;
  const contentSchema = componentsByUid[uid] ?? typesByUid[uid];
  return contentSchema === undefined ? undefined : registry.object(contentSchema).name;
};

const componentsOf = (
  { model, switches }: TypeRegistry,
  { components }: DynamicZoneAttribute,
): readonly ContentSchema[] => components.map((uid) => componentOf(model, uid)).filter(switches.hasType);

/** Builds `ArticleSectionsDynamicZone`: the components of a dynamic zone, and `Error`. */
function buildZoneType(
  registry: TypeRegistry,
  { contentSchema, attribute }: OwnedZone,
  claimName: ClaimTypeName,
): GraphQLUnionType {
  return new GraphQLUnionType({
    name: claimName(zoneNameOf(contentSchema, attribute.name)),
    types: () => [...componentsOf(registry, attribute).map((component) => registry.object(component)), ERROR],
    resolveType: (value) => typeNameOf(registry, value, '__component'),
  });
}

/** Builds `ArticleSectionsDynamicZoneInput`: an entry of a dynamic zone as input. */
function buildZoneInputType(
  registry: TypeRegistry,
  { contentSchema, attribute }: OwnedZone,
  claimName: ClaimTypeName,
): GraphQLScalarType {
  const { model, switches } = registry;
  const components = () => componentsOf(registry, attribute);
  return zoneInputScalar(claimName(`${zoneNameOf(contentSchema, attribute.name)}Input`), {
    uids: () => new Map(components().map((component) => [registry.object(component).name, component.uid])),
    findDisabledKey: (uid, entry) => findDisabledInput(model, switches, componentOf(model, uid), entry),
  });
}

/** Builds `GenericMorph`: every type and component, for polymorphic relations. */
function buildGenericMorphType(registry: TypeRegistry): GraphQLUnionType {
  const { model, switches } = registry;
  return new GraphQLUnionType({
    name: 'GenericMorph',
    types: () =>
      [...model.components, LOCALE_TYPE, ...model.types]
        .filter(switches.hasType)
        .map((contentSchema) => registry.object(contentSchema)),
    resolveType: (value) => typeNameOf(registry, value, '__type'),
  });
}

const scalarNamed = (name: string): (typeof SCALARS)[number] => {
  const scalar = SCALARS.find((candidate) => candidate.name === name);
  if (scalar === undefined) throw new TypeError(`There is no scalar ${name}.`);
  return scalar;
};

const buildScalarFilterNamed = (name: string): ReturnType<typeof buildScalarFilter> =>
  buildScalarFilter(name, scalarNamed(name.replace(/FilterInput$/, '')));

/** An enumeration of stored values. Values that it lacks are printed by the same rule. */
class StoredEnumType extends GraphQLEnumType {
  override serialize(value: unknown): string | null | undefined {
    const isOther = typeof value === 'string' && !this.getValues().some((each) => each.value === value);
    return isOther ? enumValueNameOf(value) : super.serialize(value);
  }
}

const buildEnumeration = (
  { contentSchema, attribute }: OwnedAttribute<ScalarAttribute>,
  claimName: ClaimTypeName,
): GraphQLEnumType => {
  const values = enumValuesByName(defined(attribute.constraints.enum, 'the values of an enumeration'));
  return new StoredEnumType({
    name: claimName(enumNameOf(contentSchema, attribute.name)),
    values: Object.fromEntries([...values].map(([name, value]) => [name, { value }])),
  });
};

/** Returns the field `nodes` of a connection. */
const nodesField = (registry: TypeRegistry, type: ContentType): GraphQLFieldConfig<unknown, unknown> => ({
  type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(registry.object(type)))),
});

const buildConnectionType = (
  registry: TypeRegistry,
  type: ContentType,
  claimName: ClaimTypeName,
): GraphQLObjectType =>
  new GraphQLObjectType({
    name: claimName(`${type.typeName}EntityResponseCollection`),
    fields: () => ({ nodes: nodesField(registry, type), pageInfo: { type: new GraphQLNonNull(PAGINATION) } }),
  });

const buildRelationConnectionType = (
  registry: TypeRegistry,
  type: ContentType,
  claimName: ClaimTypeName,
): GraphQLObjectType =>
  new GraphQLObjectType({
    name: claimName(`${type.typeName}RelationResponseCollection`),
    fields: () => ({ nodes: nodesField(registry, type) }),
  });

/**
 * Creates the registry of a model's types. Types are built on first use. Underscores are appended to a
 * name that another type has.
 */
export function createTypeRegistry(model: ContentModel, switches: SchemaSwitches): TypeRegistry {
  const claimName = createTypeNames();
  let genericMorph: GraphQLUnionType | undefined;
  const registry: TypeRegistry = {
    model,
    switches,
    claimName,
    scalar: scalarNamed,
    publicationStatus: PUBLICATION_STATUS,
    publicationFilter: PUBLICATION_FILTER,
    paginationArg: PAGINATION_ARG,
    object: memoize((contentSchema) =>
      buildObjectType(registry, contentSchema, claimName(contentSchema.typeName)),
    ),
    filters: memoize((contentSchema) =>
      buildFiltersInputType(registry, contentSchema, claimName(`${contentSchema.typeName}FiltersInput`)),
    ),
    input: memoize((contentSchema) =>
      buildInputType(registry, contentSchema, claimName(`${contentSchema.typeName}Input`)),
    ),
    scalarFilter: memoize(buildScalarFilterNamed),
    enumeration: memoizeByAttribute((ownedEnumeration) => buildEnumeration(ownedEnumeration, claimName)),
    zone: memoizeByAttribute((ownedZone) => buildZoneType(registry, ownedZone, claimName)),
    zoneInput: memoizeByAttribute((ownedZone) => buildZoneInputType(registry, ownedZone, claimName)),
    connection: memoize((type) => buildConnectionType(registry, type, claimName)),
    relationConnection: memoize((type) => buildRelationConnectionType(registry, type, claimName)),
    genericMorph: () => (genericMorph ??= buildGenericMorphType(registry)),
    localeType: LOCALE_TYPE,
  };
  return registry;
}
