import { callbackify } from 'node:util';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { RateCounter } from '../../access/rate-counter.js';
import { addressKey, personKey, tryLimits } from '../../access/tries.js';
import type { Try, TriedOperation } from '../../access/tries.js';
import type { PeopleSettings } from '../../config/people.js';
import { fail } from '../../errors/catalogue.js';
import { knownCallerOf } from '../guard.js';
import type { PeopleRoute } from './route.js';

const SECOND = 1000;

type StoreCallback = Parameters<FastifyRateLimitStore['incr']>[1];

/** The plugin's store over the counter that all processes share. */
const createStore = (counter: RateCounter): new () => FastifyRateLimitStore => {
  const hit = callbackify(async (key: string, window: number) => {
    const { hits, ttl } = await counter.hit(key, window);
    return { current: hits, ttl };
  });
  class SharedStore implements FastifyRateLimitStore {
    incr(key: string, callback: StoreCallback, timeWindow?: number): void {
      hit(key, timeWindow ?? 0, callback);
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  }
  return SharedStore;
};

const tryOf = (operation: TriedOperation, request: FastifyRequest): Try =>
  ({ operation, address: normalizeIP(request.ip), values: request.body, caller: knownCallerOf(request) });

/** Registers the plugin for these routes and answers the hook that counts the tries of one of them. */
export async function prepareLimits(fastify: FastifyInstance, counter: RateCounter, settings: PeopleSettings['rateLimit']): Promise<(route: PeopleRoute) => preHandlerAsyncHookHandler | null> {
  if (!settings.enabled) return () => null;
  const timeWindow = settings.interval * SECOND;
  await fastify.register(rateLimit, { global: false, store: createStore(counter) });
  return ({ limit: operation }) => {
    if (operation === null) return null;
    const limits = tryLimits(operation, settings.max);
    const byAddress = fastify.createRateLimit({ max: limits.address, timeWindow, keyGenerator: (request: FastifyRequest) => addressKey(tryOf(operation, request)) });
    const byPerson = fastify.createRateLimit({ max: limits.person, timeWindow, keyGenerator: (request: FastifyRequest) => personKey(tryOf(operation, request)) ?? '' });
    return async (request, reply) => {
      const checks = personKey(tryOf(operation, request)) === null ? [byAddress] : [byAddress, byPerson];
      for (const check of checks) {
        const result = await check(request);
        if (result.isAllowed || !result.isExceeded) continue;
        reply.header('retry-after', result.ttlInSeconds);
        throw fail('request/rate-limited', { seconds: result.ttlInSeconds });
      }
    };
  };
}
