import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify';
import type { PeopleContext } from '../../access/people/people.js';
import { createRateCounter } from '../../access/rate-counter.js';
import { guard, knowCaller } from '../guard.js';
import type { Handler, RestParts } from '../rest-parts.js';
import { authHandlers } from './auth-handlers.js';
import { prepareLimits } from './limit-tries.js';
import { roleHandlers } from './role-handlers.js';
import { PEOPLE_ROUTES, peopleOperations } from './route-facts.js';
import type { PeopleOperation } from './route-facts.js';
import type { PeopleRoute } from './route.js';
import { userHandlers } from './user-handlers.js';

const guardOf = ({ access }: RestParts, { grant }: PeopleRoute): { readonly onRequest?: onRequestAsyncHookHandler } => {
  if (grant === null) return {};
  return { onRequest: grant === 'credential' ? knowCaller(access) : guard(access, grant.uid, grant.action) };
};

/** Registers the endpoints about people. `note` is told of each one. */
export async function registerPeople(fastify: FastifyInstance, parts: RestParts, people: PeopleContext, note: (path: string, method: string) => void): Promise<void> {
  const limitOf = await prepareLimits(fastify, createRateCounter(people.database), people.settings.rateLimit);
  const context = { database: people.database, model: people.model, salt: null };
  const handlers = { ...authHandlers(people), ...userHandlers(parts, people), ...roleHandlers(parts, context) } satisfies Readonly<Record<PeopleOperation, Handler>>;
  for (const name of peopleOperations(people.settings)) {
    const route: PeopleRoute = { ...PEOPLE_ROUTES[name], handler: handlers[name] };
    const path = `${parts.prefix}${route.path}`;
    const limit = limitOf(route);
    note(path, route.method);
    fastify.route({ method: route.method, url: path, ...guardOf(parts, route), ...(limit === null ? {} : { preHandler: limit }), handler: route.handler });
  }
}
