import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';
import { isRecord } from '../../lib/is-record.js';
import type { Uid } from '../../model/model.js';

const TYPE_KEY = '__typename';

export interface ZoneEntries {
  /** The zone's components by their GraphQL names. */
  readonly uids: () => ReadonlyMap<string, Uid>;
  /** The first key of an entry that may not be written; null: all may. */
  readonly refusedKey: (component: Uid, entry: Readonly<Record<string, unknown>>) => string | null;
}

/** An entry of a dynamic zone as input: an object whose `__typename` says which component it is. Read as the REST form, with `__component`. */
export function zoneInputScalar(name: string, { uids, refusedKey }: ZoneEntries): GraphQLScalarType {
  const parse = (value: unknown): unknown => {
    if (!isRecord(value)) throw new GraphQLError(`A ${name} is an object with ${TYPE_KEY}.`);
    const { [TYPE_KEY]: typeName, ...rest } = value;
    const component = typeof typeName === 'string' ? uids().get(typeName) : undefined;
    if (component === undefined) throw new GraphQLError(`${TYPE_KEY} must be one of ${[...uids().keys()].join(', ')}.`);
    const refused = refusedKey(component, rest);
    if (refused !== null) throw new GraphQLError(`${refused} is no field of ${name} here.`);
    return { ...rest, __component: component };
  };
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node, variables) => parse(valueFromASTUntyped(node, variables)),
  });
}
