import { callbackify } from 'node:util';
import rateLimit, { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import type { RateCounter } from '../../access/rate-counter.js';
import type { PeopleSettings } from '../../config/people.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { knownCallerOf } from '../guard.js';
import type { PeopleRoute } from './route.js';

const SECOND = 1000;
/** From one address, whatever names are tried: enough for an office, not for guessing. */
const ADDRESS_FACTOR = 10;
const KEY_LENGTH = 200;

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

/** Who is tried to be, in one spelling: only the key the operation itself reads, so that no other varies the count. */
const identifierOf = (request: FastifyRequest, key: string | null): string | null => {
  if (key === null) return null;
  const value = isRecord(request.body) ? request.body[key] : undefined;
  return typeof value === 'string' ? value.normalize('NFKC').trim().toLowerCase().slice(0, KEY_LENGTH) : '';
};

/** A signed-in caller is counted as itself, from wherever it comes. */
const personOf = (request: FastifyRequest, identifier: string | null): string => {
  const caller = knownCallerOf(request);
  return caller?.kind === 'user' ? `user ${caller.userId}` : (identifierOf(request, identifier) ?? '');
};

/** Registers the plugin for these routes and answers the hook that counts the tries of one of them. */
export async function prepareLimits(fastify: FastifyInstance, counter: RateCounter, settings: PeopleSettings['rateLimit']): Promise<(route: PeopleRoute) => preHandlerAsyncHookHandler | null> {
  if (!settings.enabled) return () => null;
  const timeWindow = settings.interval * SECOND;
  await fastify.register(rateLimit, { global: false, store: createStore(counter) });
  return ({ path, limit }) => {
    if (limit === null) return null;
    const { identifier } = limit;
    const addressOf = (request: FastifyRequest): string => `${path} from ${normalizeIP(request.ip)}`;
    const checks = [fastify.createRateLimit({ max: settings.max * (identifier === null ? 1 : ADDRESS_FACTOR), timeWindow, keyGenerator: addressOf })];
    if (identifier !== null) checks.push(fastify.createRateLimit({ max: settings.max, timeWindow, keyGenerator: (request: FastifyRequest) => `${addressOf(request)} as ${personOf(request, identifier)}` }));
    return async (request, reply) => {
      for (const check of checks) {
        const result = await check(request);
        if (result.isAllowed || !result.isExceeded) continue;
        reply.header('retry-after', result.ttlInSeconds);
        throw fail('request/rate-limited', { seconds: result.ttlInSeconds });
      }
    };
  };
}
