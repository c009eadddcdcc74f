import { GraphQLError, GraphQLScalarType, GraphQLUnionType, valueFromASTUntyped } from 'graphql';
import { isRecord } from '../../../lib/records.js';
import { getOrCreate } from '../../../lib/collections.js';
import { componentOf } from '../../../model/lookup.js';
import type {
  Attribute,
  ContentModel,
  ContentSchema,
  DynamicZoneAttribute,
  Uid,
} from '../../../model/model.js';
import { attributeOfField, zoneNameOf } from '../field-names.js';
import { ERROR, LOCALE_TYPE } from './fixed-types.js';
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
export interface OwnedAttribute<OneAttribute extends Attribute> {
  readonly contentSchema: ContentSchema;
  readonly attribute: OneAttribute;
}

/** Memoizes by the attribute alone: attribute objects are unique in a model. */
export function memoizeByAttribute<OneAttribute extends Attribute, Value>(
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
export function buildZoneType(
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
export function buildZoneInputType(
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
export function buildGenericMorphType(registry: TypeRegistry): GraphQLUnionType {
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
