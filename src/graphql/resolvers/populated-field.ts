import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import type { GraphqlContext } from '../graphql-parts.js';

/** The key under which a populated field is read: the attribute's, or one of its own where the answer is named otherwise. */
export function populateKeyOf(attribute: string, responseKey: string): string {
  return responseKey === attribute ? attribute : `@${responseKey}`;
}

const windowed = (value: unknown, { windows }: GraphqlContext, info: GraphQLResolveInfo): unknown => {
  if (windows.size === 0 || !Array.isArray(value)) return value;
  const window = windows.get(info.fieldNodes[0]?.loc?.start ?? -1);
  return window === undefined ? value : window(value);
};

/**
 * Takes what the one statement of the root field has read already. A relation whose target the caller may not find was not read: that is
 * an error of its field.
 */
export function resolvePopulated(attribute: string, form: 'one' | 'list' | 'connection'): GraphQLFieldResolver<unknown, GraphqlContext> {
  return (record, _args, context, info) => {
    const value: unknown = Reflect.get(record as object, populateKeyOf(attribute, String(info.path.key)));
    if (value === undefined) throw fail('request/forbidden');
    if (form === 'one') return value;
    const items = windowed(value, context, info);
    return form === 'list' ? items : { nodes: items };
  };
}
