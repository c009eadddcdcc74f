import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { permissionOf } from '../../../access/permissions/actions.js';
import type { DocumentAction, Permission } from '../../../access/permissions/actions.js';
import { createError } from '../../../errors/catalogue.js';
import type { ContentType } from '../../../model/model.js';
import type { GraphqlContext } from '../graphql-context.js';
import { argumentsOf } from '../selection/plan-read.js';
import type { Args } from '../selection/plan-read.js';
import { permissionExtensions } from '../schema/field-marks.js';
import type { FieldExtensions } from '../schema/field-marks.js';

/** One call of a root field by an authorised caller. */
export interface AuthorisedCall {
  readonly args: Args;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** One call of a root field for documents of a type. */
export interface RootCall extends AuthorisedCall {
  readonly type: ContentType;
}

export type RootResolver = GraphQLFieldResolver<unknown, GraphqlContext>;

/** The resolver of a root field, and the field's extensions, which contain the required permission. */
export interface AuthorisedResolver {
  readonly resolve: RootResolver;
  readonly extensions: FieldExtensions;
}

/** Creates a resolver that authorises the caller before it does anything else. */
export function createAuthorisedResolver(
  permission: Permission,
  resolve: (call: AuthorisedCall) => Promise<unknown>,
): AuthorisedResolver {
  const { uid, action } = permission;
  return {
    resolve: async (_source, _args, context, info) => {
      const call = context.project.calls.get(info.path);
      if (call?.isAuthorisationSkipped !== true)
        context.dependencies.access.authorise(context.caller, uid, action);
      return resolve({ args: call?.args ?? argumentsOf(info), context, info });
    },
    extensions: permissionExtensions(permission),
  };
}

/** Creates a resolver that requires the permission for an action on documents of a type. */
export function createDocumentResolver(
  type: ContentType,
  action: DocumentAction,
  resolve: (call: RootCall) => Promise<unknown>,
): AuthorisedResolver {
  return createAuthorisedResolver(permissionOf(type, action), (call) => resolve({ ...call, type }));
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
