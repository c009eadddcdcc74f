import { toUnavailableError } from '../database/unavailable-error.js';
import { createError } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { GalleyError } from '../errors/galley-error.js';
import { toPublicError } from '../errors/to-public-error.js';
import { isRecord } from '../lib/is-record.js';

/** Errors that Fastify itself throws. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request/too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request/unsupported-media-type',
  FST_ERR_MAX_PARAM_LENGTH: 'request/path-too-long',
  FST_ERR_NOT_FOUND: 'request/not-found',
};

const propertyOf = (error: unknown, key: string): unknown =>
  typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined;

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
