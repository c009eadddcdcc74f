import { isDeepStrictEqual } from 'node:util';
import { defaultFieldResolver, getNamedType, isCompositeType } from 'graphql';
import type { GraphQLField, GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { toPublicError } from '../../../errors/project-errors.js';
import type { GraphqlContext } from '../graphql-context.js';
import { markProjectRecords, markReadRecords } from '../fields/populated-field.js';
import { readUserWithRole } from '../fields/account-resolvers.js';
import { argumentsOf } from '../selection/plan-read.js';
import { isGenerated, markProjectCode, fieldPermission } from '../schema/field-marks.js';
import { requireAuthenticated } from './bind-rules.js';
import type { Authorise, BoundMiddleware, BoundPolicy, ResolverCall } from './bind-rules.js';
import { withCacheControl } from './configuration.js';

/** The rules of one field. */
export interface FieldRules {
  readonly authorise: Authorise | null;
  readonly policies: readonly BoundPolicy[];
  readonly middlewares: readonly BoundMiddleware[];
}

type Field = GraphQLField<unknown, GraphqlContext>;
type Resolve = GraphQLFieldResolver<unknown, GraphqlContext>;
type Handler = (call: ResolverCall) => unknown;

/** Reads the signed-in user before the first project code of an operation runs. Null: no read is needed. */
const loadUser = (context: GraphqlContext): Promise<void> | null => {
  const { caller, state, project } = context;
  if (caller.kind !== 'user' || state.user !== undefined) return null;
  project.userLoading ??= readUserWithRole(context, caller.documentId).then((user) => {
    state.user = (user ?? undefined) as typeof state.user;
    state.auth.credentials = user;
  });
  return project.userLoading;
};

/**
 * Calls a generated resolver. By default it checks the caller's permission and reads its arguments from the
 * document.
 */
const createGeneratedHandler = (field: Field, resolve: Resolve, isAuthorisationSkipped: boolean): Handler => {
  const handler: Handler = ({ parent, args, context, info }) => {
    const hasOverriddenArgs = Object.keys(args).length > 0 && !isDeepStrictEqual(args, argumentsOf(info));
    context.project.calls.set(info.path, { args, hasOverriddenArgs, isAuthorisationSkipped });
    return resolve(parent, args, context, info);
  };
  if (!isCompositeType(getNamedType(field.type))) return handler;
  return async (call) => {
    const value = await handler(call);
    markReadRecords(value, call.context);
    return value;
  };
};

const createProjectHandler =
  (resolve: Resolve): Handler =>
  ({ parent, args, context, info }) =>
    resolve(parent, args, context, info);

const composeHandler = ({ policies, middlewares }: FieldRules, handler: Handler): Handler => {
  const withPolicies: Handler = async (call) => {
    for (const policy of policies) await policy(call);
    return handler(call);
  };
  return middlewares.reduceRight<Handler>(
    (rest, middleware) => (call) => {
      const { parent, args, context, info } = call;
      // Parameters that a middleware passes replace the original ones. It may omit them.
      const next = (...overrides: readonly unknown[]): unknown =>
        rest({
          parent: overrides.length > 0 ? overrides[0] : parent,
          args: (overrides[1] ?? args) as ResolverCall['args'],
          context: (overrides[2] ?? context) as GraphqlContext,
          info: (overrides[3] ?? info) as GraphQLResolveInfo,
        });
      return middleware(next, parent, args, context, info);
    },
    policies.length === 0 ? handler : withPolicies,
  );
};

const ROOT_TYPE_NAMES: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

const guardOf = (field: Field, parentName: string, rules: FieldRules): Authorise | null => {
  const { authorise } = rules;
  if (authorise !== null) return authorise;
  const permission = isGenerated(field) ? fieldPermission(field) : undefined;
  // The resolver checks the permission itself, but project code must not run before the check.
  if (permission !== undefined && runsProjectCode(field, rules))
    return ({ dependencies, caller }) =>
      dependencies.access.authorise(caller, permission.uid, permission.action);
  return ROOT_TYPE_NAMES.has(parentName) && !isGenerated(field) ? requireAuthenticated : null;
};

const runsProjectCode = (field: Field, { policies, middlewares }: FieldRules): boolean =>
  !isGenerated(field) || policies.length > 0 || middlewares.length > 0;

/** Resolves a field without a resolver from a value that project code has returned. */
const resolveReturned: Resolve = (parent, args, context, info) => {
  const value: unknown = defaultFieldResolver(parent, args, context, info);
  markProjectRecords(value, context);
  return value;
};

/**
 * Wraps a field's resolver in authorisation, middlewares and policies, in that order from outside. Generated
 * fields without rules are not changed.
 *
 * @param parentName the type that has the field
 */
export function wrapField(field: Field, parentName: string, rules: FieldRules): void {
  const guard = guardOf(field, parentName, rules);
  if (!runsProjectCode(field, rules) && guard === null) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  const { policies, middlewares } = rules;
  if (runsProjectCode(field, rules)) markProjectCode(field);
  if (guard === null && policies.length + middlewares.length === 0 && field.resolve === undefined) {
    if (isCompositeType(getNamedType(field.type))) field.resolve = resolveReturned;
    return;
  }
  const handler = isGenerated(field)
    ? createGeneratedHandler(field, resolve, rules.authorise !== null)
    : createProjectHandler(resolve);
  const run = composeHandler(rules, handler);
  const returnsProjectRecords = runsProjectCode(field, rules) && isCompositeType(getNamedType(field.type));
  const hasArguments = field.args.length > 0;
  const { subscribe } = field;
  if (subscribe !== undefined && guard !== null) {
    field.subscribe = (parent, args, context, info) => {
      guard(context);
      return subscribe(parent, args, context, info);
    };
  }
  field.resolve = async (parent, executorArgs, context, info) => {
    guard?.(context);
    const userLoading = loadUser(context);
    if (userLoading !== null) await userLoading;
    try {
      const value = await run({
        parent,
        args: hasArguments ? argumentsOf(info) : (executorArgs as ResolverCall['args']),
        context,
        info: withCacheControl(info),
      });
      if (returnsProjectRecords) markProjectRecords(value, context);
      return value;
    } catch (error) {
      throw toPublicError(error) ?? error;
    }
  };
}
