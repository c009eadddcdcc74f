import type { FastifyInstance, HTTPMethods } from 'fastify';
import { createError } from '../errors/catalogue.js';
import { getOrCreate } from '../lib/memoize.js';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

interface PathMethods {
  readonly url: string;
  readonly methods: Set<string>;
}

/** Paths that differ in a slash at the end or in the names of their parameters are one path to the router. */
const pathKey = (url: string): string => url.replace(/\/$/, '').replaceAll(/:[A-Za-z_]\w*/g, ':');

const registerPath = (fastify: FastifyInstance, { url, methods }: PathMethods): void => {
  const missingMethods = METHODS.filter((method) => !methods.has(method));
  if (missingMethods.length === 0) return;
  const allow = [...methods].toSorted().join(', ');
  const throwMethodNotAllowed = async (): Promise<never> => {
    throw createError('request/method-not-allowed');
  };
  fastify.route({
    method: [...missingMethods],
    url,
    // Before the body is read and whoever asks.
    onRequest: async (_request, reply) => {
      reply.header('allow', allow);
      return throwMethodNotAllowed();
    },
    handler: throwMethodNotAllowed,
  });
};

/**
 * Watches the routes that are registered from now on.
 *
 * @returns a function that registers 405 for the methods that their paths do not take
 */
export function watchMethods(fastify: FastifyInstance): () => void {
  const paths = new Map<string, PathMethods>();
  let isWatching = true;
  fastify.addHook('onRoute', ({ url, method }) => {
    if (!isWatching || url === '*') return;
    const { methods } = getOrCreate(paths, pathKey(url), () => ({ url, methods: new Set<string>() }));
    for (const each of [method].flat()) methods.add(each);
  });
  return () => {
    isWatching = false;
    for (const path of paths.values()) registerPath(fastify, path);
  };
}
