import { GraphQLBoolean, GraphQLInputObjectType, GraphQLList } from 'graphql';
import type { GraphQLInputFieldConfigMap, GraphQLScalarType } from 'graphql';

const ONE = ['contains', 'containsi', 'endsWith', 'eq', 'eqi', 'gt', 'gte', 'lt', 'lte', 'ne', 'nei', 'notContains', 'notContainsi', 'startsWith'];
const SEVERAL = ['and', 'between', 'in', 'notIn', 'or'];
const FLAGS = ['notNull', 'null'];

/** `StringFilterInput`: every operator there is on one scalar. */
export function buildScalarFilter(name: string, scalar: GraphQLScalarType): GraphQLInputObjectType {
  const list = new GraphQLList(scalar);
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: (): GraphQLInputFieldConfigMap => ({
      ...Object.fromEntries(ONE.map((operator) => [operator, { type: scalar }])),
      ...Object.fromEntries(SEVERAL.map((operator) => [operator, { type: list }])),
      ...Object.fromEntries(FLAGS.map((operator) => [operator, { type: GraphQLBoolean }])),
      not: { type },
    }),
  });
  return type;
}
