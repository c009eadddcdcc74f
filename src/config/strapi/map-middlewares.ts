import { isRecord } from '../../lib/is-record.js';
import { isOrigin } from '../server-checks.js';
import { byteCount } from './byte-count.js';
import { middlewareConfig, listsMiddleware } from './middleware-config.js';
import type { StatedSetting, Values } from './values.js';
import { valueAt } from './values.js';

const textsOf = (value: unknown): unknown =>
  typeof value === 'string' ? value.split(',').map((each) => each.trim()) : value;

/** Texts that no request has as its origin allow nobody, in Strapi as well as here. */
const originsOf = (origin: unknown): unknown => {
  const origins = textsOf(origin);
  if (!Array.isArray(origins)) return origins;
  const texts = origins.filter((each) => typeof each === 'string').map((each) => each.trim());
  return texts.includes('*') ? '*' : texts.filter(isOrigin);
};

/**
 * Returns the setting of credentials. If any origin is allowed, it is not set: every page would act in the
 * user's name.
 */
const credentialsOf = (origin: unknown, credentials: unknown): unknown =>
  Array.isArray(origin) ? credentials !== false : undefined;

/** A list without the middleware leaves its headers out, and so does one whose middleware runs in Koa. */
const corsSettings = (entries: readonly unknown[]): readonly StatedSetting[] => {
  const place = (key: string): readonly string[] => ['middlewares', 'strapi::cors', key];
  const { origin, credentials, headers, expose, methods, maxAge } = middlewareConfig(entries, 'strapi::cors');
  if (!listsMiddleware(entries, 'strapi::cors') || typeof origin === 'function')
    return [['server.cors.origin', place('origin'), false]];
  const origins = originsOf(origin);
  return [
    ['server.cors.origin', place('origin'), origins],
    ['server.cors.credentials', place('credentials'), credentialsOf(origins, credentials)],
    ['server.cors.headers', place('headers'), textsOf(headers)],
    ['server.cors.expose', place('expose'), textsOf(expose)],
    ['server.cors.methods', place('methods'), textsOf(methods)],
    ['server.cors.maxAge', place('maxAge'), maxAge],
  ];
};

/** `expectCt` has no header any more. */
const helmetOptions = ({ expectCt: _expectCt, ...options }: Values): Values | undefined =>
  Object.keys(options).length === 0 ? undefined : options;

/** Returns the settings of Galley that the middlewares of config/middlewares state. */
export function middlewareSettings(middlewares: unknown): readonly StatedSetting[] {
  if (!Array.isArray(middlewares)) return [];
  const entries: readonly unknown[] = middlewares;
  const body = middlewareConfig(entries, 'strapi::body');
  const security = middlewareConfig(entries, 'strapi::security');
  const { poweredBy } = middlewareConfig(entries, 'strapi::poweredBy');
  const BODY = ['middlewares', 'strapi::body'];
  return [
    ['server.bodyLimit', [...BODY, 'jsonLimit'], byteCount(valueAt(body, 'jsonLimit'))],
    ...corsSettings(entries),
    ['server.security', ['middlewares', 'strapi::security'], helmetOptions(security)],
    [
      'server.headers',
      ['middlewares', 'strapi::poweredBy', 'poweredBy'],
      poweredBy === undefined ? undefined : { 'x-powered-by': poweredBy },
    ],
  ];
}

/** Returns the bytes of one file that `strapi::body` lets in. Infinity where it states no limit. */
export function fileSizeLimit(middlewares: unknown): number {
  const body = middlewareConfig(middlewares, 'strapi::body');
  const limit = isRecord(body['formidable']) ? byteCount(body['formidable']['maxFileSize']) : undefined;
  return typeof limit === 'number' ? limit : Infinity;
}
