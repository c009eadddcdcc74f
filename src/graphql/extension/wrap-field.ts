import { isDeepStrictEqual } from 'node:util';
import { defaultFieldResolver, getNamedType, isCompositeType } from 'graphql';
import type { GraphQLField, GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { GraphqlContext } from '../graphql-parts.js';
import { adopt, notePlanned } from '../resolvers/foreign-records.js';
import { readSignedIn } from '../resolvers/me.js';
import { argumentsOf } from '../selection/plan-read.js';
import { isGenerated, markProjectCode, permissionMarked } from '../schema/field-marks.js';
import type { Authorise } from './bind-auth.js';
import { authenticated } from './bind-auth.js';
import type { BoundMiddleware } from './bind-middlewares.js';
import type { BoundPolicy, Call } from './bind-policies.js';
import { withCacheControl } from './cache-control.js';
import { asPublicError } from './public-error.js';

/** What stands around one field. */
export interface FieldRules {
  readonly authorise: Authorise | null;
  readonly policies: readonly BoundPolicy[];
  readonly middlewares: readonly BoundMiddleware[];
}

type Field = GraphQLField<unknown, GraphqlContext>;
type Resolve = GraphQLFieldResolver<unknown, GraphqlContext>;
type Finish = (call: Call) => unknown;

/** Reads the user who asks when the first project code of an operation runs; nobody else pays for it. */
const identify = (context: GraphqlContext): Promise<void> | null => {
  const { caller, state, project } = context;
  if (caller.kind !== 'user' || state.user !== undefined) return null;
  project.identity ??= readSignedIn(context, caller.documentId).then((user) => {
    state.user = (user ?? undefined) as typeof state.user;
    state.auth.credentials = user;
  });
  return project.identity;
};

/** A generated field asks for its own right and reads its arguments from the document, unless it is told otherwise here. */
const finishGenerated = (field: Field, resolve: Resolve, isWaived: boolean): Finish => {
  const finish: Finish = ({ parent, args, context, info }) => {
    const hasOtherArgs = Object.keys(args).length > 0 && !isDeepStrictEqual(args, argumentsOf(info));
    context.project.calls.set(info.path, { args, hasOtherArgs, isWaived });
    return resolve(parent, args, context, info);
  };
  if (!isCompositeType(getNamedType(field.type))) return finish;
  return async (call) => {
    const value = await finish(call);
    notePlanned(value, call.context);
    return value;
  };
};

const finishOwn = (resolve: Resolve): Finish => ({ parent, args, context, info }) => resolve(parent, args, context, info);

const chain = ({ policies, middlewares }: FieldRules, finish: Finish): Finish => {
  const asked: Finish = async (call) => {
    for (const policy of policies) await policy(call);
    return finish(call);
  };
  return middlewares.reduceRight<Finish>((rest, middleware) => (call) => {
    const { parent, args, context, info } = call;
    // Whatever a middleware hands on takes the place of what it was given; it may leave things out.
    const next = (...given: readonly unknown[]): unknown =>
      rest({ parent: given.length > 0 ? given[0] : parent, args: (given[1] ?? args) as Call['args'], context: (given[2] ?? context) as GraphqlContext, info: (given[3] ?? info) as GraphQLResolveInfo });
    return middleware(next, parent, args, context, info);
  }, policies.length === 0 ? finish : asked);
};

const ROOTS: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

const guardOf = (field: Field, parentName: string, rules: FieldRules): Authorise | null => {
  const { authorise } = rules;
  if (authorise !== null) return authorise;
  const permission = isGenerated(field) ? permissionMarked(field) : undefined;
  // The field asks by itself, too; but nothing of the project's may run before it is known that it may.
  if (permission !== undefined && runs(field, rules)) return ({ parts, caller }) => parts.access.authorise(caller, permission.uid, permission.action);
  return ROOTS.has(parentName) && !isGenerated(field) ? authenticated : null;
};

const runs = (field: Field, { policies, middlewares }: FieldRules): boolean => !isGenerated(field) || policies.length > 0 || middlewares.length > 0;

/** A field of the project's own that answers a part of what project code has answered. */
const passOn: Resolve = (parent, args, context, info) => {
  const value: unknown = defaultFieldResolver(parent, args, context, info);
  adopt(value, context);
  return value;
};

/**
 * Puts rights, middlewares and policies around a field, in that order from outside. Fields that are as they were made stay untouched.
 *
 * @param parentName the type that has the field
 */
export function wrapField(field: Field, parentName: string, rules: FieldRules): void {
  const guard = guardOf(field, parentName, rules);
  if (!runs(field, rules) && guard === null) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  const { policies, middlewares } = rules;
  if (runs(field, rules)) markProjectCode(field);
  if (guard === null && policies.length + middlewares.length === 0 && field.resolve === undefined) {
    if (isCompositeType(getNamedType(field.type))) field.resolve = passOn;
    return;
  }
  const finish = isGenerated(field) ? finishGenerated(field, resolve, rules.authorise !== null) : finishOwn(resolve);
  const run = chain(rules, finish);
  const adopts = runs(field, rules) && isCompositeType(getNamedType(field.type));
  const hasArguments = field.args.length > 0;
  const { subscribe } = field;
  if (subscribe !== undefined && guard !== null) {
    field.subscribe = (parent, args, context, info) => {
      guard(context);
      return subscribe(parent, args, context, info);
    };
  }
  field.resolve = async (parent, given, context, info) => {
    guard?.(context);
    const identity = identify(context);
    if (identity !== null) await identity;
    try {
      const value = await run({ parent, args: hasArguments ? argumentsOf(info) : (given as Call['args']), context, info: withCacheControl(info) });
      if (adopts) adopt(value, context);
      return value;
    } catch (error) {
      throw asPublicError(error);
    }
  };
}
