import * as v from 'valibot';
import { check, flag, integer, names, plainObject } from './checks.js';
import type { Check } from './checks.js';
import { option } from './option.js';
import { origins } from './server-checks.js';

/** Pages of other origins that may call the API, and what they may send and read. */
export interface CorsConfig {
  readonly origin: readonly string[] | '*' | false;
  readonly credentials: boolean;
  /** Request headers that pages may send. Empty: all. */
  readonly headers?: readonly string[];
  /** Response headers that pages may read, besides those that Galley exposes itself. */
  readonly expose?: readonly string[];
  readonly methods?: readonly string[];
  /** Seconds for which browsers cache a permission. 0: their own default. */
  readonly maxAge?: number;
}

/** The `server.cors` section of cms.config.*. */
export interface CorsInput {
  /**
   * The origins whose pages may call the API, such as `https://example.com`, `https://*.example.com`,
   * `http://localhost:*` and `capacitor://localhost`. `*`: all. False: none.
   */
  readonly origin?: readonly string[] | '*' | false;
  /** True if browsers send cookies. Requires a list of origins. */
  readonly credentials?: boolean;
  /** The request headers that pages may send. Default: all. */
  readonly headers?: readonly string[];
  /** The response headers that pages may read, besides `X-Request-Id` and `Retry-After`. */
  readonly expose?: readonly string[];
  /** The methods that pages may use. */
  readonly methods?: readonly string[];
  /** The seconds for which browsers cache a permission. */
  readonly maxAge?: number;
}

export const DEFAULT_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The options of helmet, without those of packages around it. Some have two names. */
export const HELMET_OPTIONS = [
  'contentSecurityPolicy',
  'crossOriginEmbedderPolicy',
  'crossOriginOpenerPolicy',
  'crossOriginResourcePolicy',
  'originAgentCluster',
  'referrerPolicy',
  'strictTransportSecurity',
  'hsts',
  'xContentTypeOptions',
  'noSniff',
  'xDnsPrefetchControl',
  'dnsPrefetchControl',
  'xDownloadOptions',
  'ieNoOpen',
  'xFrameOptions',
  'frameguard',
  'xPermittedCrossDomainPolicies',
  'permittedCrossDomainPolicies',
  'xPoweredBy',
  'hidePoweredBy',
  'xXssProtection',
  'xssFilter',
] as const;

/** True if no function is in a value. */
export function isConstant(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return Object.values(value).every(isConstant);
}

/** Headers are computed once, so that no function of the request can be among the options. */
const helmetOptions: Check<Readonly<Record<string, unknown>>> = check(
  `an object of options of helmet without functions: ${HELMET_OPTIONS.join(', ')}`,
  v.pipe(
    plainObject,
    v.record(v.picklist(HELMET_OPTIONS), v.unknown()),
    v.check((options) => isConstant(options)),
  ),
);

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const headerNames: Check<readonly string[]> = check(
  'a list of names of headers',
  v.pipe(v.unknown(), v.array(v.pipe(v.string(), v.regex(HEADER_NAME)))),
);

/** Names in lower case, as headers are compared. */
const headerValues: Check<Readonly<Record<string, string>>> = check(
  "an object of headers and their texts, such as { 'X-Powered-By': 'Us' }",
  v.pipe(
    plainObject,
    v.record(v.pipe(v.string(), v.regex(HEADER_NAME)), v.pipe(v.string(), v.regex(/^[\x20-\x7e]*$/))),
    v.transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  ),
);

/** The settings of what responses tell browsers. */
export const RESPONSE_SETTINGS = {
  'server.cors.origin': option(origins, '*', 'Origins whose pages may call the API; false: none.', {
    example: ['https://example.com', 'https://*.example.com'],
  }),
  'server.cors.credentials': option(flag, false, 'Whether browsers send cookies; needs a list of origins.'),
  'server.cors.headers': option(headerNames, [], 'Request headers that pages may send. Empty: all.', {
    example: ['Authorization', 'Content-Type'],
  }),
  'server.cors.expose': option(
    headerNames,
    [],
    'Response headers that pages may read, besides `X-Request-Id` and `Retry-After`.',
    { example: ['X-Total'] },
  ),
  'server.cors.methods': option(names, DEFAULT_METHODS, 'Methods that pages may use.'),
  'server.cors.maxAge': option(
    integer(0),
    0,
    "Seconds for which browsers cache a permission; 0: the browser's own default.",
    { example: 600 },
  ),
  'server.security': option(
    helmetOptions,
    {},
    'Options of [helmet](https://helmetjs.github.io) for the security headers of every response.',
    { example: { frameguard: { action: 'deny' } } },
  ),
  'server.headers': option(headerValues, {}, 'Headers that every response has.', {
    example: { 'x-powered-by': 'Us' },
  }),
} as const;
