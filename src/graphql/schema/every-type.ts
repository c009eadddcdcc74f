import type { GraphQLNamedType } from 'graphql';
import { ERROR, PAGINATION, SCALARS } from './fixed-types.js';
import type { TypeBook } from './type-book.js';

/** The types of a model's schema that a project's own types may refer to by name, whether or not its own queries need them. */
export function everyType(book: TypeBook): readonly GraphQLNamedType[] {
  const { model, switches } = book;
  const types = model.types.filter(switches.hasHolder);
  const components = model.components.filter(switches.hasHolder);
  return [
    ...SCALARS, ...SCALARS.map(({ name }) => book.scalarFilter(`${name}FilterInput`)),
    ERROR, PAGINATION, book.paginationArg, book.publicationStatus, book.publicationFilter,
    ...[...components, ...types].flatMap((holder) => [book.object(holder), book.filters(holder), book.input(holder)]),
    ...types.flatMap((type) => [book.connection(type), book.relationConnection(type)]),
    book.genericMorph(),
  ];
}
