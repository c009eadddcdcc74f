import { GraphQLUnionType } from 'graphql';
import type { GraphQLScalarType } from 'graphql';
import { isRecord } from '../../../lib/is-record.js';
import { componentOf } from '../../../model/lookup.js';
import type { ContentSchema, DynamicZoneAttribute } from '../../../model/model.js';
import { zoneNameOf } from '../names.js';
import { zoneInputScalar } from '../scalars/zone-input.js';
import { findDisabledKey } from './find-disabled-key.js';
import { ERROR } from './fixed-types.js';
import { LOCALE_TYPE } from './locale-type.js';
import type { OwnedAttribute } from './owned-attribute.js';
import type { ClaimTypeName } from './type-names.js';
import type { TypeRegistry } from './type-registry.js';

type OwnedZone = OwnedAttribute<DynamicZoneAttribute>;

/** The GraphQL type of a value that names its own type or component under `key`. */
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

/** `ArticleSectionsDynamicZone`: the components of a dynamic zone, and `Error`. */
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

/** `ArticleSectionsDynamicZoneInput`: an entry of a dynamic zone as input. */
export function buildZoneInputType(
  registry: TypeRegistry,
  { contentSchema, attribute }: OwnedZone,
  claimName: ClaimTypeName,
): GraphQLScalarType {
  const { model, switches } = registry;
  const components = () => componentsOf(registry, attribute);
  return zoneInputScalar(claimName(`${zoneNameOf(contentSchema, attribute.name)}Input`), {
    uids: () => new Map(components().map((component) => [registry.object(component).name, component.uid])),
    findDisabledKey: (uid, entry) => findDisabledKey(model, switches, componentOf(model, uid), entry),
  });
}

/** `GenericMorph`: every type and component, for relations whose target is not fixed. */
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
