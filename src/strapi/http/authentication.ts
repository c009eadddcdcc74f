import type { Access, Caller } from '../../access/access.js';
import { isGranted } from '../../access/permissions/authorise.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { ForbiddenError, UnauthorizedError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/records.js';
import { withKnownProperties } from '../unavailable.js';
import type { Authentication, Context, Middleware } from './context.js';
import type { HttpHost } from './http-host.js';
import type { RouteConfig } from './routes.js';

const USER_STRATEGY = 'users-permissions';
const TOKEN_STRATEGY = 'api-token';

/** A way to authenticate callers that a route of the project defines. */
interface ProjectStrategy {
  readonly name: string;
  readonly authenticate: (context: Context) => unknown;
  readonly verify?: (auth: unknown, config: unknown) => unknown;
}

const isStrategy = (value: unknown): value is ProjectStrategy =>
  isRecord(value) && typeof value['authenticate'] === 'function';

/** True if a caller has a permission such as `api::article.article.find`. */
const mayDo = (caller: Caller, action: string): boolean => {
  const dot = action.lastIndexOf('.');
  return isGranted(caller.grants, action.slice(0, dot), action.slice(dot + 1));
};

const credentialsOf = async (caller: Caller, host: HttpHost): Promise<unknown> => {
  if (caller.kind === 'anonymous') return null;
  if (caller.kind === 'token') return { id: caller.tokenId };
  return (
    (await host.loadUser(caller.userId)) ?? {
      ...caller.attributes,
      id: caller.userId,
      documentId: caller.documentId,
    }
  );
};

const scopesOf = (config: RouteConfig['auth']): readonly string[] | null => {
  const scope = isRecord(config) ? config['scope'] : undefined;
  if (scope === undefined) return null;
  return Array.isArray(scope) ? (scope as readonly string[]) : [String(scope)];
};

/**
 * Throws if a caller may not do something, as Strapi's strategies do. If no permission is required, a
 * credential is enough.
 */
const verifyCaller = (caller: Caller, scopes: readonly string[] | null): void => {
  if (scopes === null) {
    if (caller.kind === 'anonymous') throw new UnauthorizedError();
    if (caller.kind === 'token' && caller.grants.kind !== 'all') throw new ForbiddenError();
  } else if (!scopes.every((scope) => mayDo(caller, scope))) throw new ForbiddenError();
};

/** Returns `ctx.state.auth` for a caller that the server itself authenticates. */
function authenticationOf(caller: Caller, credentials: unknown): Authentication {
  const name = caller.kind === 'token' ? TOKEN_STRATEGY : USER_STRATEGY;
  return {
    strategy: {
      name,
      verify: (_auth, config) => verifyCaller(caller, scopesOf(config as RouteConfig['auth'])),
    },
    credentials,
    ability: { can: (action) => mayDo(caller, action) },
    caller,
  };
}

/**
 * Authenticates a caller. If permissions are missing, refreshes them first, since another process may have
 * changed them.
 */
const authenticateCaller = async (
  access: Access,
  header: string | undefined,
  scopes: readonly string[] | null,
): Promise<Caller> => {
  const caller = await access.authenticate(header);
  if (scopes === null || scopes.every((scope) => mayDo(caller, scope))) return caller;
  await access.refresh();
  return access.authenticate(header);
};

const authenticateWith = async (strategy: ProjectStrategy, context: Context): Promise<boolean> => {
  const result: unknown = await strategy.authenticate(context);
  if (!isRecord(result)) return false;
  const { authenticated, credentials = null, ability = null, error = null } = result;
  if (error !== null)
    throw new UnauthorizedError(error instanceof Error ? error.message : JSON.stringify(error));
  if (authenticated !== true) return false;
  context.state.auth = { strategy, credentials, ability: ability as Authentication['ability'] };
  return true;
};

const isAllowedStrategy = (caller: Caller, strategies: readonly unknown[]): boolean =>
  strategies.includes(caller.kind === 'token' ? TOKEN_STRATEGY : USER_STRATEGY) ||
  (caller.kind === 'token' && strategies.includes('content-api-token'));

const authenticate = async (context: Context, config: RouteConfig['auth'], host: HttpHost): Promise<void> => {
  const strategies = isRecord(config) && Array.isArray(config['strategies']) ? config['strategies'] : null;
  for (const strategy of strategies ?? [])
    if (isStrategy(strategy) && (await authenticateWith(strategy, context))) return;
  const caller = await authenticateCaller(host.access, context.req.headers.authorization, scopesOf(config));
  if (strategies !== null && !isAllowedStrategy(caller, strategies))
    throw new UnauthorizedError('Missing or invalid credentials');
  const credentials = await credentialsOf(caller, host);
  if (caller.kind === 'user') context.state.user = credentials;
  context.state.auth = authenticationOf(caller, credentials);
};

/** Sends the response to a caller that is not authorized, with no more details than Strapi sends. */
const sendRefusal = (context: Context, error: unknown): false => {
  const name = error instanceof Error ? error.name : '';
  const kind = isGalleyError(error) ? error.kind : '';
  if (kind === 'unauthorized') context.unauthorized('Missing or invalid credentials');
  else if (name === 'UnauthorizedError') context.unauthorized((error as Error).message || undefined);
  else if (name === 'ForbiddenError' || kind === 'forbidden') context.forbidden();
  else throw error;
  return false;
};

/**
 * Sends the response to an error without its text: as in Strapi, clients only read the text of a policy's
 * refusal.
 */
const refuseWithoutText = (context: Context, error: unknown): void => {
  const name = error instanceof Error && !isGalleyError(error) ? error.name : '';
  if (name === 'UnauthorizedError') return context.unauthorized();
  if (name === 'ForbiddenError') return context.forbidden();
  throw error;
};

/** True if the caller may call the route. Otherwise sends the error. */
const isAuthorized = async (
  context: Context,
  config: Exclude<RouteConfig['auth'], false>,
  host: HttpHost,
): Promise<boolean> => {
  try {
    await authenticate(context, config, host);
    context.state.isAuthenticated = true;
    const { auth } = context.state;
    await auth?.strategy.verify?.(auth, config ?? {});
    return true;
  } catch (error) {
    return sendRefusal(context, error);
  }
};

/**
 * `strapi.auth`, whose `verify` throws if a caller lacks permission for the `auth` of a route, such as `{
 * scope }`.
 */
export const AUTH_SERVICE = withKnownProperties('strapi.auth', {
  verify: async (auth: Authentication | null | undefined, config: RouteConfig['auth'] = {}) => {
    if (config === false) return;
    if (auth === null || auth === undefined) throw new UnauthorizedError();
    await auth.strategy.verify?.(auth, config);
  },
});

/** Creates the middleware that authenticates the caller and checks its permissions. */
export function createAuthMiddleware(config: RouteConfig['auth'], host: HttpHost): Middleware {
  return async (context, next) => {
    if (config !== false && !(await isAuthorized(context, config, host))) return undefined;
    try {
      return await next();
    } catch (error) {
      return refuseWithoutText(context, error);
    }
  };
}
