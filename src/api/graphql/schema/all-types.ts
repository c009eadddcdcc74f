import type { GraphQLNamedType } from 'graphql';
import { ERROR, PAGINATION, SCALARS } from './fixed-types.js';
import type { TypeRegistry } from './type-registry.js';

/**
 * Returns the types of a model's schema that a project's own types may refer to, whether or not the generated
 * queries use them.
 */
export function allTypes(registry: TypeRegistry): readonly GraphQLNamedType[] {
  const { model, switches } = registry;
  const types = model.types.filter(switches.hasType);
  const components = model.components.filter(switches.hasType);
  return [
    ...SCALARS,
    ...SCALARS.map(({ name }) => registry.scalarFilter(`${name}FilterInput`)),
    ERROR,
    PAGINATION,
    registry.paginationArg,
    registry.publicationStatus,
    registry.publicationFilter,
    ...[...components, ...types].flatMap((contentSchema) => [
      registry.object(contentSchema),
      registry.filters(contentSchema),
      registry.input(contentSchema),
    ]),
    ...types.flatMap((type) => [registry.connection(type), registry.relationConnection(type)]),
    registry.genericMorph(),
  ];
}
