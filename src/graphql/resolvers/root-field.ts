import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import { isStorableText } from '../../fields/text-value.js';
import type { ContentType } from '../../model/model.js';
import type { GraphqlContext } from '../graphql-parts.js';
import { argumentsOf } from '../selection/plan-read.js';
import type { Args } from '../selection/plan-read.js';
import { asks, permissionOf } from './granted.js';
import type { Action } from './granted.js';

/** One call of a root field, whose caller may do what it does. */
export interface RootCall {
  readonly type: ContentType;
  readonly args: Args;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

export type RootResolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** A resolver that first asks for the right, and only then does anything else. */
export function guarded(type: ContentType, action: Action, resolve: (call: RootCall) => Promise<unknown>): RootResolver {
  const { uid, action: granted } = permissionOf(type, action);
  return asks({ uid, action: granted }, async (_source, _args, context, info) => {
    const call = context.project.calls.get(info.path);
    if (call?.isWaived !== true) context.parts.access.authorise(context.caller, uid, granted);
    return resolve({ type, args: call?.args ?? argumentsOf(info), context, info });
  });
}

/** A document id argument; null for text that no database could hold, and so no document has. */
export function documentIdOf({ documentId }: Args): string | null {
  return typeof documentId === 'string' && isStorableText(documentId) ? documentId : null;
}

/** The locale a write names; the default one otherwise. */
export function localeOf({ args, context }: RootCall): string {
  const { locale } = args;
  return typeof locale === 'string' ? locale : context.parts.access.locales.defaultCode();
}

/** Records of a statement as values; the text of each is read once. */
export function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw fail('server/internal', {}, { cause });
  }
}
