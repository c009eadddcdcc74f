import { GraphQLEnumType, GraphQLList, GraphQLNonNull, GraphQLObjectType } from 'graphql';
import type { GraphQLFieldConfig, GraphQLUnionType } from 'graphql';
import { defined } from '../../../lib/assert.js';
import { memoize } from '../../../lib/collections.js';
import type { ContentModel, ContentType, ScalarAttribute } from '../../../model/model.js';
import { enumNameOf, enumValueNameOf, enumValuesByName } from '../field-names.js';
import { buildFiltersInputType, buildInputType, buildScalarFilter } from './build-input-types.js';
import { buildObjectType } from './build-object-type.js';
import {
  LOCALE_TYPE,
  PAGINATION,
  PAGINATION_ARG,
  PUBLICATION_FILTER,
  PUBLICATION_STATUS,
  SCALARS,
} from './fixed-types.js';
import {
  buildGenericMorphType,
  buildZoneInputType,
  buildZoneType,
  memoizeByAttribute,
} from './polymorphic-types.js';
import type { OwnedAttribute } from './polymorphic-types.js';
import { createTypeNames } from './type-registry.js';
import type { ClaimTypeName, SchemaSwitches, TypeRegistry } from './type-registry.js';

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
