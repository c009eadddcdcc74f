import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../graphql-parts.js';

const pathOf = ({ path }: GraphQLResolveInfo): readonly (string | number)[] => {
  const keys: (string | number)[] = [];
  for (let at: GraphQLResolveInfo['path'] | undefined = path; at !== undefined; at = at.prev) keys.unshift(at.key);
  return keys;
};

const note = ({ trace }: GraphqlContext, info: GraphQLResolveInfo, startedAt: bigint): void => {
  if (trace === null) return;
  trace.resolvers.push({
    path: pathOf(info),
    parentType: info.parentType.name,
    fieldName: info.fieldName,
    returnType: String(info.returnType),
    startOffset: Number(startedAt - trace.startedAt),
    duration: Number(process.hrtime.bigint() - startedAt),
  });
};

const traceField = (field: GraphQLField<unknown, GraphqlContext>): void => {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (source, args, context, info) => {
    const startedAt = process.hrtime.bigint();
    const value: unknown = resolve(source, args as Record<string, unknown>, context, info);
    if (!(value instanceof Promise)) {
      note(context, info, startedAt);
      return value;
    }
    return value.finally(() => note(context, info, startedAt));
  };
};

/** Has every field of the schema note how long it took. */
export function traceSchema(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) traceField(field as GraphQLField<unknown, GraphqlContext>);
  }
}

/** The `tracing` extension of an answer. */
export function printTrace({ startedAt, resolvers }: NonNullable<GraphqlContext['trace']>, startTime: Date): Readonly<Record<string, unknown>> {
  return { version: 1, startTime: startTime.toISOString(), endTime: new Date().toISOString(), duration: Number(process.hrtime.bigint() - startedAt), execution: { resolvers } };
}
