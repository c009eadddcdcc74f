import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { populateKeyOf } from '../holder-fields.js';
import { loadPopulated } from './foreign-records.js';

const windowed = (value: unknown, { windows }: GraphqlContext, info: GraphQLResolveInfo): unknown => {
  if (windows.size === 0 || !Array.isArray(value)) return value;
  const window = windows.get(info.fieldNodes[0]?.loc?.start ?? -1);
  return window === undefined ? value : window(value);
};

type Form = 'one' | 'list' | 'connection';

const shape = (value: unknown, form: Form, context: GraphqlContext, info: GraphQLResolveInfo): unknown => {
  if (form === 'one') return value;
  const items = windowed(value, context, info);
  if (Array.isArray(items)) context.allowList(items.length);
  return form === 'list' ? items : { nodes: items };
};

/**
 * Takes what the one statement of the root field has read already. What it has not read, because project code answered the record or asks with other
 * arguments, is read now. A relation whose target the caller may not find was not read either: that is an error of its field.
 */
export function resolvePopulated(attribute: string, form: Form): GraphQLFieldResolver<unknown, GraphqlContext> {
  return (record, _args, context, info) => {
    const value: unknown = Reflect.get(record as object, populateKeyOf(attribute, String(info.path.key)));
    const call = context.project.calls.get(info.path);
    const isPlanned = call?.hasOtherArgs !== true && !context.project.foreign.has(record as object);
    if (isPlanned && value === undefined) throw fail('request/forbidden');
    if (isPlanned) return shape(value, form, context, info);
    return loadPopulated({ record: record as object, attribute, form, context, info }).then((loaded) => shape(loaded, form, context, info));
  };
}
