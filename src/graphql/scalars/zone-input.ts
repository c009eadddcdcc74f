import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { isRecord } from '../../lib/is-record.js';
import type { Uid } from '../../model/model.js';

const TYPE_KEY = '__typename';

/**
 * An entry of a dynamic zone as input: an object whose `__typename` says which component it is. Read as the REST form, with `__component`.
 *
 * @param uids of the zone's components by their GraphQL names
 */
export function zoneInputScalar(name: string, uids: () => ReadonlyMap<string, Uid>): GraphQLScalarType {
  const parse = (value: unknown): unknown => {
    if (!isRecord(value)) throw new GraphQLError(`A ${name} is an object with ${TYPE_KEY}.`);
    const { [TYPE_KEY]: typeName, ...rest } = value;
    const component = typeof typeName === 'string' ? uids().get(typeName) : undefined;
    if (component === undefined) throw new GraphQLError(`${TYPE_KEY} must be one of ${[...uids().keys()].join(', ')}.`);
    return { ...rest, __component: component };
  };
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node, variables) => parse(valueFromASTUntyped(node, variables)),
  });
}
