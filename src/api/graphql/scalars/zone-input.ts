import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { isRecord } from '../../../lib/is-record.js';
import type { Uid } from '../../../model/model.js';

const TYPE_KEY = '__typename';

export interface ZoneComponents {
  /** The uids of the zone's components by their GraphQL names. */
  readonly uids: () => ReadonlyMap<string, Uid>;
  /** Returns the first key of an entry that may not be written; null: all may. */
  readonly findDisabledKey: (component: Uid, entry: Readonly<Record<string, unknown>>) => string | null;
}

/**
 * Creates the scalar of an entry of a dynamic zone: an object whose `__typename` names its component. It is
 * parsed into the form of the REST API, which names the component in `__component`.
 */
export function zoneInputScalar(name: string, { uids, findDisabledKey }: ZoneComponents): GraphQLScalarType {
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
