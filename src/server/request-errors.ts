import type { FastifyInstance, HTTPMethods } from 'fastify';
import { toUnavailableError } from '../database/database-error.js';
import { createError } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { GalleyError } from '../errors/galley-error.js';
import { toPublicError } from '../errors/project-errors.js';
import { isRecord, propertyOf } from '../lib/records.js';
import { getOrCreate } from '../lib/collections.js';

const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];

interface PathMethods {
  readonly url: string;
  readonly methods: Set<string>;
}

/**
 * Returns the same key for paths that the router does not distinguish: a trailing slash and the names of
 * parameters do not count.
 */
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
    // Runs before the body is read and the caller is authenticated.
    onRequest: async (_request, reply) => {
      reply.header('allow', allow);
      return throwMethodNotAllowed();
    },
    handler: throwMethodNotAllowed,
  });
};

/**
 * Watches the routes that are registered after this call.
 *
 * @returns a function that registers 405 responses for all other methods of their paths
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

/** Errors that Fastify itself throws. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request/too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request/unsupported-media-type',
  FST_ERR_MAX_PARAM_LENGTH: 'request/path-too-long',
  FST_ERR_NOT_FOUND: 'request/not-found',
};

const contentTypeOf = (headers: unknown): string => {
  const value = isRecord(headers) ? headers['content-type'] : undefined;
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : 'of the body';
};

/**
 * Converts any error of a request handler to a catalogue error. An unexpected error becomes an internal
 * error, which reveals nothing to the client. Its cause is logged.
 */
export function toGalleyError(error: unknown, headers: unknown = {}): GalleyError {
  if (isGalleyError(error)) return error;
  const publicError = toPublicError(error);
  if (publicError !== null) return publicError;
  const unavailable = toUnavailableError(error);
  if (unavailable !== null) return unavailable;
  const code = propertyOf(error, 'code');
  const frameworkCode = typeof code === 'string' ? FRAMEWORK_CODES[code] : undefined;
  if (frameworkCode !== undefined)
    return createError(frameworkCode, { type: contentTypeOf(headers) }, { cause: error });
  const status = propertyOf(error, 'statusCode');
  const isClientError = typeof status === 'number' && status >= 400 && status < 500;
  return createError(isClientError ? 'request/malformed' : 'server/internal', {}, { cause: error });
}
