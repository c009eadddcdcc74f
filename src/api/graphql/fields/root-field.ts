import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { permissionOf } from '../../../access/permissions/actions.js';
import type { DocumentAction } from '../../../access/permissions/actions.js';
import { createError } from '../../../errors/catalogue.js';
import type { ContentType } from '../../../model/model.js';
import type { GraphqlContext } from '../graphql-context.js';
import { argumentsOf } from '../selection/plan-read.js';
import type { Args } from '../selection/plan-read.js';
import { withRequiredPermission } from '../schema/field-marks.js';

/** One call of a root field by an authorised caller. */
export interface RootCall {
  readonly type: ContentType;
  readonly args: Args;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

export type RootResolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** Returns a resolver that authorises the caller before it does anything else. */
export function createAuthorisedResolver(
  type: ContentType,
  action: DocumentAction,
  resolve: (call: RootCall) => Promise<unknown>,
): RootResolver {
  const { uid, action: permittedAction } = permissionOf(type, action);
  return withRequiredPermission({ uid, action: permittedAction }, async (_source, _args, context, info) => {
    const call = context.project.calls.get(info.path);
    if (call?.isAuthorisationSkipped !== true)
      context.dependencies.access.authorise(context.caller, uid, permittedAction);
    return resolve({ type, args: call?.args ?? argumentsOf(info), context, info });
  });
}

/** Returns the locale in the arguments of a write, or the default locale. */
export function localeOf({ args, context }: RootCall): string {
  const { locale } = args;
  return typeof locale === 'string' ? locale : context.dependencies.access.locales.defaultCode();
}

/**
 * Parses the JSON of one record.
 *
 * @throws `server/internal` if it is not JSON
 */
export function parseRecord(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw createError('server/internal', {}, { cause });
  }
}
