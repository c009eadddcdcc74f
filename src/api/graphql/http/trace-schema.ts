import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLResolveInfo, GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../graphql-context.js';

const pathOf = ({ path }: GraphQLResolveInfo): readonly (string | number)[] => {
  const keys: (string | number)[] = [];
  for (
    let segment: GraphQLResolveInfo['path'] | undefined = path;
    segment !== undefined;
    segment = segment.prev
  )
    keys.unshift(segment.key);
  return keys;
};

const recordTrace = ({ trace }: GraphqlContext, info: GraphQLResolveInfo, startedAt: bigint): void => {
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
      recordTrace(context, info, startedAt);
      return value;
    }
    return value.finally(() => recordTrace(context, info, startedAt));
  };
};

/** Wraps the resolvers of all fields of a schema, so that they record their durations in the context. */
export function traceSchema(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()))
      traceField(field as GraphQLField<unknown, GraphqlContext>);
  }
}

/** Prints the `tracing` extension of a response. */
export function printTrace(
  { startedAt, resolvers }: NonNullable<GraphqlContext['trace']>,
  startTime: Date,
): Readonly<Record<string, unknown>> {
  return {
    version: 1,
    startTime: startTime.toISOString(),
    endTime: new Date().toISOString(),
    duration: Number(process.hrtime.bigint() - startedAt),
    execution: { resolvers },
  };
}
