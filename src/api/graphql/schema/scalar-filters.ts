import { GraphQLBoolean, GraphQLInputObjectType, GraphQLList } from 'graphql';
import type { GraphQLInputFieldConfigMap, GraphQLScalarType } from 'graphql';

const SINGLE_VALUE_OPERATORS = [
  'contains',
  'containsi',
  'endsWith',
  'eq',
  'eqi',
  'gt',
  'gte',
  'lt',
  'lte',
  'ne',
  'nei',
  'notContains',
  'notContainsi',
  'startsWith',
];
const LIST_OPERATORS = ['and', 'between', 'in', 'notIn', 'or'];
const BOOLEAN_OPERATORS = ['notNull', 'null'];

/** Builds `StringFilterInput` and the like: all operators on one scalar. */
export function buildScalarFilter(name: string, scalar: GraphQLScalarType): GraphQLInputObjectType {
  const list = new GraphQLList(scalar);
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name,
    fields: (): GraphQLInputFieldConfigMap => ({
      ...Object.fromEntries(SINGLE_VALUE_OPERATORS.map((operator) => [operator, { type: scalar }])),
      ...Object.fromEntries(LIST_OPERATORS.map((operator) => [operator, { type: list }])),
      ...Object.fromEntries(BOOLEAN_OPERATORS.map((operator) => [operator, { type: GraphQLBoolean }])),
      not: { type },
    }),
  });
  return type;
}
