import { isIP } from 'node:net';
import * as v from 'valibot';
import {
  createCheck,
  flag,
  flagOr,
  integer,
  matching,
  names,
  option,
  plainObject,
  section,
  text,
} from './checks.js';
import type { Check } from './checks.js';

const MAX_HOPS = 32;
const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** Named networks: loopback, link-local and private addresses. */
const NETWORK_NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/** True if the text is an IP address, a network such as `10.0.0.0/8`, or the name of a network. */
const isNetwork = (value: string): boolean => {
  if (NETWORK_NAMES.has(value)) return true;
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(value) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 0) <= (version === 4 ? IPV4_BITS : IPV6_BITS);
};

const hops = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_HOPS));
const networks = v.pipe(v.array(v.pipe(v.string(), v.check(isNetwork))), v.minLength(1));

export const proxies: Check<boolean | number | readonly string[]> = createCheck(
  "true or false, a number of proxies, or a list of addresses and networks such as '10.0.0.0/8'",
  v.pipe(v.unknown(), v.union([hops, networks, flag.schema])),
);

const list = (item: v.GenericSchema<string>) => {
  const items = v.array(item);
  return v.union([
    items,
    v.pipe(
      v.string(),
      v.transform((line) => line.split(',').map((part) => part.trim())),
      items,
    ),
  ]);
};

/** A `*` stands for subdomains or for a port. Apps have custom schemes; `null` is the origin of files. */
const ORIGIN = /^(?:[a-z][a-z\d+.-]*:\/\/(?:\*\.)?[^/\s*]*(?::\*)?|null)$/;

/** True if requests can have an origin of this form. */
export function isOrigin(origin: string): boolean {
  return ORIGIN.test(origin);
}

const origins: Check<readonly string[] | '*' | false> = createCheck(
  "'*', false, or a list of origins such as 'https://example.com', 'https://*.example.com', " +
    "'http://localhost:*' or 'capacitor://localhost'",
  v.pipe(v.unknown(), v.union([v.literal('*'), v.literal(false), list(v.pipe(v.string(), v.regex(ORIGIN)))])),
);

export const publicUrl: Check<string> = createCheck(
  'the public address of the server, such as https://api.example.com or https://example.com/cms',
  v.pipe(
    v.unknown(),
    v.string(),
    v.regex(/^(?:https?:\/\/[^\s/?#]+(?:\/[\w.~%-]+)*\/?)?$/),
    v.transform((url) => url.replace(/\/$/, '')),
  ),
);

/** Pages of other origins that may call the API, and what they may send and read. */
export interface CorsConfig {
  readonly origin: readonly string[] | '*' | false;
  readonly credentials: boolean;
  /** Request headers that pages may send. Empty: all. */
  readonly headers?: readonly string[];
  /** Response headers that pages may read, besides those that Galley exposes itself. */
  readonly expose?: readonly string[];
  readonly methods?: readonly string[];
  /** Seconds for which browsers cache a permission. 0: the default of the browser. */
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
  /** The response headers that pages may read, besides `X-Request-Id`, `Retry-After` and `ETag`. */
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

/** True if a value contains no function. */
export function isConstant(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  return Object.values(value).every(isConstant);
}

/** Headers are computed once, so the options cannot contain functions of the request. */
const helmetOptions: Check<Readonly<Record<string, unknown>>> = createCheck(
  `an object of options of helmet without functions: ${HELMET_OPTIONS.join(', ')}`,
  v.pipe(
    plainObject,
    v.record(v.picklist(HELMET_OPTIONS), v.unknown()),
    v.check((options) => isConstant(options)),
  ),
);

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

const headerNames: Check<readonly string[]> = createCheck(
  'a list of names of headers',
  v.pipe(v.unknown(), v.array(v.pipe(v.string(), v.regex(HEADER_NAME)))),
);

/** Names in lower case, as headers are compared. */
const headerValues: Check<Readonly<Record<string, string>>> = createCheck(
  "an object of headers and their texts, such as { 'X-Powered-By': 'Us' }",
  v.pipe(
    plainObject,
    v.record(v.pipe(v.string(), v.regex(HEADER_NAME)), v.pipe(v.string(), v.regex(/^[\x20-\x7e]*$/))),
    v.transform((headers) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    ),
  ),
);

/** Settings of the response headers. */
export const RESPONSE_SETTINGS = {
  'server.cors.origin': option(origins, '*', 'Origins whose pages may call the API; false: none.', {
    example: ['https://example.com', 'https://*.example.com'],
  }),
  'server.cors.credentials': option(flag, false, 'True: browsers send cookies; requires a list of origins.'),
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
    'Seconds for which browsers cache a permission; 0: the default of the browser.',
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

/** True: metrics are served. An object sets the path and the token of the endpoint. */
type MetricsSetting = boolean | { readonly path?: string; readonly token?: string };

/** The endpoint of the metrics. If the token is empty, anybody can read them. */
export interface MetricsConfig {
  readonly path: string;
  readonly token: string;
}

const metricsEndpoint = section({
  path: matching(/^(?:\/[\w-]+)+$/, 'a path such as /metrics'),
  token: text,
});

/** The check of the setting `metrics`. */
export const metrics = flagOr(metricsEndpoint) as Check<MetricsSetting>;

export function metricsOf(setting: MetricsSetting): MetricsConfig | null {
  if (setting === false) return null;
  const { path = '/metrics', token = '' } = setting === true ? {} : setting;
  return { path, token };
}

const STRICT_MEGABYTES = 64;
/** Node.js processes rarely have more memory. */
const MAX_MEGABYTES = 65_536;

/**
 * The megabytes of cached responses. `strict`: the default size, and each request asks the database for
 * changes.
 */
type CacheSetting = number | 'strict';

/** The values that `api.cache` allows. */
export const cacheSize = createCheck<CacheSetting>(
  `a whole number of megabytes from 0 to ${MAX_MEGABYTES}, or strict`,
  v.pipe(
    v.unknown(),
    v.union([v.literal('strict'), v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]),
    v.check(
      (value) => value === 'strict' || (Number.isInteger(value) && value >= 0 && value <= MAX_MEGABYTES),
    ),
  ),
);

export function cacheOf(setting: CacheSetting): { readonly megabytes: number; readonly isStrict: boolean } {
  const isStrict = setting === 'strict';
  return { megabytes: isStrict ? STRICT_MEGABYTES : setting, isStrict };
}
