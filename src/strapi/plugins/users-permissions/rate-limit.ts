import type { LimitedOperation } from '../../../access/accounts/attempts.js';
import { accountRoutes } from '../../../api/rest/routes/account-routes.js';
import type { PluginHost } from '../plugin-host.js';
import { ACTIONS } from './controllers.js';
import type { BridgedContext } from './handler-bridge.js';

type Next = () => Promise<unknown>;

const FIRST_ERROR = 400;

/** The action of `auth.register` and the like, in the context's route. */
const handlerOf = (context: BridgedContext): string => {
  const route: unknown = Reflect.get(context.state, 'route');
  const handler: unknown = typeof route === 'object' && route !== null ? Reflect.get(route, 'handler') : '';
  return typeof handler === 'string' ? handler : '';
};

const limitedOperations = (host: PluginHost): ReadonlyMap<string, LimitedOperation> => {
  const operations = new Map(
    accountRoutes('', host.accounts.settings).map((route) => [route.operation, route.limitedOperation]),
  );
  const entries = Object.entries(ACTIONS.auth).flatMap(([action, operation]) => {
    const limited = operations.get(operation);
    return limited === undefined ? [] : [[`auth.${action}`, limited] as const];
  });
  return new Map(entries);
};

/**
 * Creates the middleware that limits attempts, as they are limited on our own routes. On other routes,
 * requests count as attempts to sign in.
 */
export function createRateLimit(host: PluginHost) {
  const operations = limitedOperations(host);
  return () =>
    async (context: BridgedContext, next: Next): Promise<unknown> => {
      const attempt = await host.accounts.attempts.begin(
        {
          operation: operations.get(handlerOf(context)) ?? 'login',
          ip: context.request.ip,
          values: context.request.body,
          caller: context.state.auth?.caller ?? null,
        },
        (seconds) => context.set('Retry-After', String(seconds)),
      );
      const result = await next();
      if (context.status < FIRST_ERROR) await attempt.succeeded();
      return result;
    };
}
