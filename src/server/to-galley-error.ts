import { fail } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { GalleyError } from '../errors/galley-error.js';
import { isRecord } from '../lib/is-record.js';

/** What Fastify itself refuses. */
const FRAMEWORK_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request/too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request/unsupported-media-type',
  FST_ERR_NOT_FOUND: 'request/not-found',
};

const propertyOf = (error: unknown, key: string): unknown => (typeof error === 'object' && error !== null ? Reflect.get(error, key) : undefined);

const contentTypeOf = (headers: unknown): string => {
  const value = isRecord(headers) ? headers['content-type'] : undefined;
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : 'of the body';
};

/**
 * Whatever was thrown while a request was answered, as a catalogue error.
 * What nobody foresaw is an internal error, which says nothing to the client; the cause is for the log.
 */
export function toGalleyError(error: unknown, headers: unknown = {}): GalleyError {
  if (isGalleyError(error)) return error;
  const code = propertyOf(error, 'code');
  const known = typeof code === 'string' ? FRAMEWORK_CODES[code] : undefined;
  if (known !== undefined) return fail(known, { type: contentTypeOf(headers) }, { cause: error });
  const status = propertyOf(error, 'statusCode');
  const isClientFault = typeof status === 'number' && status >= 400 && status < 500;
  return fail(isClientFault ? 'request/malformed' : 'server/internal', {}, { cause: error });
}
