import type { GraphQLResolveInfo } from 'graphql';
import { createError } from '../../../errors/catalogue.js';
import { isRecord } from '../../../lib/records.js';
import { didYouMean, nearest } from '../../../lib/nearest.js';
import type { GraphqlContext } from '../graphql-context.js';
import type { WithApplication } from './configuration.js';
import { createExtensionError, isFunction } from './evaluate-extensions.js';
import type { AnyFunction } from './evaluate-extensions.js';

/** Policies or middlewares by name. */
export interface NamedCode {
  /**
   * Loads the code of a name; undefined: there is none. `is-owner` means `global::is-owner`, otherwise the
   * only policy of an API with that name.
   */
  readonly get: (name: string) => Promise<unknown>;
  readonly names: () => readonly string[];
}

/** Registers policies or middlewares that have no file. */
export interface NamedCodeRegistry<Code> {
  /** A name without `::` is in the namespace `global`. */
  readonly set: (name: string, code: Code) => void;
}

/** The code that `resolversConfig` can refer to. */
export interface ProjectCode {
  readonly policies: NamedCode;
  readonly middlewares: NamedCode;
}

/** Location of a field's configuration, for error messages, and the code that it can refer to. */
export interface ConfigLocation {
  readonly source: string;
  /** `resolversConfig.Query.articles` */
  readonly key: string;
  readonly code: ProjectCode;
}

/** Returns the last part of a name: `is-owner` of `api::article.is-owner`. */
const unqualifiedName = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1);

/**
 * Returns the registered name whose last part is similar to `name`, if no whole name is. For `isOwner` it is
 * `api::note.is-owner`.
 */
const findIntendedName = (name: string, names: readonly string[]): string | undefined => {
  if (nearest(name, names) !== undefined) return undefined;
  const nearestPart = nearest(unqualifiedName(name), names.map(unqualifiedName));
  return names.find((each) => unqualifiedName(each) === nearestPart);
};

/**
 * Returns the policy or middleware of a name.
 *
 * @throws `graphql/invalid-extension` with a suggestion, or the registered names
 */
async function getNamedCode(
  { source, key, code }: ConfigLocation,
  kind: 'policy' | 'middleware',
  name: string,
): Promise<unknown> {
  const registered = kind === 'policy' ? code.policies : code.middlewares;
  const found = await registered.get(name);
  if (found !== undefined) return found;
  const names = registered.names();
  const remedy = didYouMean(
    findIntendedName(name, names) ?? name,
    names,
    `Registered: ${names.length === 0 ? 'none' : names.join(', ')}.`,
  );
  throw createExtensionError(source, key, `there is no ${kind} ${name}. ${remedy}`);
}

/** Throws `request/forbidden` unless the caller may use the field. */
export type Authorise = (context: GraphqlContext) => void;

/** Allows every caller. */
const allowAnyone: Authorise = () => undefined;

/**
 * The rule for root fields of the project without a scope: the caller must be a signed-in user, or a token
 * that grants all actions.
 */
export const requireAuthenticated: Authorise = ({ caller }) => {
  if (caller.kind === 'user' || caller.grants.kind === 'all') return;
  throw createError('request/forbidden');
};

const SCOPE = /^(.+)\.([^.]+)$/;

const requireScopes = (location: ConfigLocation, scopes: readonly unknown[]): Authorise => {
  const permissions = scopes.map((scope) => {
    const [, uid, action] = (typeof scope === 'string' ? SCOPE.exec(scope) : null) ?? [];
    if (uid === undefined || action === undefined)
      throw createExtensionError(
        location.source,
        location.key,
        `${String(scope)} is not a permission. A permission looks like api::article.article.find.`,
      );
    return { uid, action };
  });
  return (context) => {
    for (const { uid, action } of permissions)
      context.dependencies.access.authorise(context.caller, uid, action);
  };
};

/**
 * Compiles a field's `auth`. Null: the default applies.
 *
 * @throws `graphql/invalid-extension`
 */
export function bindAuth(location: ConfigLocation, auth: unknown): Authorise | null {
  if (auth === undefined || auth === null || auth === true) return null;
  if (auth === false) return allowAnyone;
  const scope = isRecord(auth) ? auth['scope'] : null;
  if (scope === undefined) return requireAuthenticated;
  const scopes: unknown = typeof scope === 'string' ? [scope] : scope;
  if (!Array.isArray(scopes))
    throw createExtensionError(
      location.source,
      location.key,
      'auth must be false, or an object whose scope is a list of permissions.',
    );
  return scopes.length === 0 ? requireAuthenticated : requireScopes(location, scopes);
}

/** `(next, parent, args, context, info)` */
export type BoundMiddleware = (next: AnyFunction, ...call: readonly unknown[]) => unknown;

/** A function with at least this number of parameters is a middleware, not a factory. */
const MIDDLEWARE_PARAMETERS = 3;

/** Returns the middleware of a registered function, which is a factory, or a middleware without options. */
const createMiddleware = async (
  code: AnyFunction,
  options: unknown,
  tools: WithApplication,
): Promise<AnyFunction> => {
  if (code.length >= MIDDLEWARE_PARAMETERS) return code;
  try {
    const middleware = await code(options, tools);
    return isFunction(middleware) ? middleware : code;
  } catch (error) {
    // A middleware such as `(next, ...call) => next(...call)` is recognised only by calling it.
    if (error instanceof TypeError && code.length === 1) return code;
    throw error;
  }
};

const bindMiddleware = async (
  location: ConfigLocation,
  entry: unknown,
  tools: WithApplication,
): Promise<BoundMiddleware> => {
  if (isFunction(entry)) return entry;
  const { name, options = {} } = isRecord(entry) ? entry : { name: entry };
  if (typeof name !== 'string')
    throw createExtensionError(
      location.source,
      location.key,
      'a middleware must be a function, a name, or an object with a name and options.',
    );
  const code = await getNamedCode(location, 'middleware', name);
  if (!isFunction(code))
    throw createExtensionError(location.source, location.key, `the middleware ${name} is not a function.`);
  try {
    return await createMiddleware(code, options, tools);
  } catch (error) {
    throw createExtensionError(location.source, location.key, error);
  }
};

/**
 * Returns the middlewares of one field, the outermost first.
 *
 * @throws `graphql/invalid-extension` for names that are not registered
 */
export async function bindMiddlewares(
  location: ConfigLocation,
  entries: unknown,
  tools: WithApplication,
): Promise<readonly BoundMiddleware[]> {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries))
    throw createExtensionError(location.source, location.key, 'middlewares must be a list.');
  return Promise.all(entries.map((entry) => bindMiddleware(location, entry, tools)));
}

type UnknownRecord = Readonly<Record<string, unknown>>;

/** One call of a resolver. */
export interface ResolverCall {
  readonly parent: unknown;
  readonly args: UnknownRecord;
  readonly context: GraphqlContext;
  readonly info: GraphQLResolveInfo;
}

/** Throws `graphql/policy-failed` unless the policy allows the call. */
export type BoundPolicy = (call: ResolverCall) => Promise<void>;

const contextOf = ({ parent, args, context, info }: ResolverCall): UnknownRecord => ({
  type: 'graphql',
  is: (type: string) => type === 'graphql',
  parent,
  args,
  context,
  info,
  http: context.http,
  state: context.state,
});

const createPolicy =
  (handler: AnyFunction, rest: readonly unknown[]): BoundPolicy =>
  async (call) => {
    if (!(await handler(contextOf(call), ...rest))) throw createError('graphql/policy-failed');
  };

/**
 * Returns the function of a policy file. The file exports the function, or an object with the function as
 * `handler` and optionally a `validator` of its configuration.
 */
const handlerOf = (
  location: ConfigLocation,
  name: string,
  { code, config }: { readonly code: unknown; readonly config: UnknownRecord },
): AnyFunction => {
  if (isFunction(code)) return code;
  const { handler, validator } = isRecord(code) ? code : {};
  if (!isFunction(handler))
    throw createExtensionError(location.source, location.key, `the policy ${name} is not a function.`);
  try {
    if (isFunction(validator)) validator(config);
  } catch (error) {
    throw createExtensionError(location.source, location.key, error);
  }
  return handler;
};

const bindPolicy = async (
  location: ConfigLocation,
  entry: unknown,
  tools: WithApplication,
): Promise<BoundPolicy> => {
  if (isFunction(entry)) return createPolicy(entry, [tools, tools]);
  const { name, config = {} } = isRecord(entry) ? entry : { name: entry };
  if (typeof name !== 'string' || !isRecord(config))
    throw createExtensionError(
      location.source,
      location.key,
      'a policy must be a function, a name, or an object with a name and a config.',
    );
  const code = await getNamedCode(location, 'policy', name);
  return createPolicy(handlerOf(location, name, { code, config }), [config, tools]);
};

/**
 * Returns the policies of one field, in the order in which they are evaluated.
 *
 * @throws `graphql/invalid-extension` for names that are not registered
 */
export async function bindPolicies(
  location: ConfigLocation,
  entries: unknown,
  tools: WithApplication,
): Promise<readonly BoundPolicy[]> {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries))
    throw createExtensionError(location.source, location.key, 'policies must be a list.');
  return Promise.all(entries.map((entry) => bindPolicy(location, entry, tools)));
}
