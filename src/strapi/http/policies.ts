import { referredName } from '../../config/strapi/middleware-config.js';
import { createError } from '../../errors/catalogue.js';
import { PolicyError } from '../../errors/project-errors.js';
import { isRecord } from '../../lib/is-record.js';
import type { Context, Middleware } from './context.js';
import type { HttpHost } from './http-host.js';
import type { RouterOrigin } from './route-config.js';

type Policy = (context: unknown, config: unknown, tools: { readonly strapi: object }) => unknown;

interface ResolvedPolicy {
  readonly policy: Policy;
  readonly config: unknown;
}

const findPolicy = ({ policies }: HttpHost, name: string, { apiName, pluginName }: RouterOrigin): unknown => {
  const known = policies.get(name);
  if (known !== undefined) return known;
  if (pluginName !== undefined) return policies.get(`plugin::${pluginName}.${name}`);
  return apiName === undefined ? undefined : policies.get(`api::${apiName}.${name}`);
};

/** A policy is a function, or what `createPolicy` returns, which checks its configuration. */
const policyFunction = (found: unknown, config: unknown): Policy | undefined => {
  if (typeof found === 'function') return found as Policy;
  if (!isRecord(found)) return undefined;
  const { validator, handler } = found;
  if (typeof validator === 'function') Reflect.apply(validator, found, [config]);
  return typeof handler === 'function' ? (handler as Policy) : undefined;
};

const resolvePolicy = (host: HttpHost, entry: unknown, origin: RouterOrigin): ResolvedPolicy => {
  if (typeof entry === 'function') return { policy: entry as Policy, config: {} };
  const name = referredName(entry);
  const config: unknown = (isRecord(entry) ? entry['config'] : undefined) ?? {};
  const policy = name === undefined ? undefined : policyFunction(findPolicy(host, name, origin), config);
  if (policy === undefined) throw createError('project/unknown-policy', { name: String(name) });
  return { policy, config };
};

/** Returns the context of a policy: the properties of the request's context, and the kind of request. */
const policyContext = (context: Context): unknown =>
  Object.assign({ is: (type: unknown) => type === 'koa', type: 'koa' }, context);

/**
 * Creates the middleware that asks the policies of a route in turn. A policy lets a request pass by returning
 * true or nothing.
 *
 * @throws `project/unknown-policy`
 */
export function createPoliciesMiddleware(
  host: HttpHost,
  entries: readonly unknown[],
  origin: RouterOrigin,
): Middleware {
  const resolved = entries.map((entry) => resolvePolicy(host, entry, origin));
  const { strapi } = host;
  return async (context, next) => {
    if (resolved.length > 0) {
      const asked = policyContext(context);
      for (const { policy, config } of resolved) {
        const result = await policy(asked, config, { strapi });
        if (result !== true && result !== undefined) throw new PolicyError();
      }
    }
    return next();
  };
}
