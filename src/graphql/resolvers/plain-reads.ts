import type { GraphQLField } from 'graphql';
import type { ContentType } from '../../model/model.js';

/** What a generated root field reads. */
export interface PlainRead {
  readonly type: ContentType;
  readonly form: 'one' | 'list' | 'connection';
}

const plainReads = new WeakMap<object, PlainRead>();
const plainResolvers = new WeakSet<object>();

/** Records what the resolver of a root field reads and returns as it is. Returns the resolver. */
export function withPlainRead<Resolver extends object>(read: PlainRead, resolver: Resolver): Resolver {
  plainReads.set(resolver, read);
  return resolver;
}

/** What a root field reads. Undefined: its value is not simply what a statement reads. */
export function plainReadOf({
  resolve,
}: Pick<GraphQLField<unknown, unknown>, 'resolve'>): PlainRead | undefined {
  return resolve === undefined ? undefined : plainReads.get(resolve);
}

/** Records that a resolver only takes its value out of the record. Returns the resolver. */
export function plainResolver<Resolver extends object>(resolver: Resolver): Resolver {
  plainResolvers.add(resolver);
  return resolver;
}

/** Whether the value of a field is simply what a statement reads. */
export function isPlain({ resolve }: Pick<GraphQLField<unknown, unknown>, 'resolve'>): boolean {
  return resolve === undefined || plainResolvers.has(resolve);
}
