import * as v from 'valibot';
import { createCheck } from '../../checks.js';
import { HELMET_OPTIONS, isConstant } from '../../server-settings.js';
import { applied, differently, fixed, harmless, refused, restricting } from './option.js';
import type { StrapiOptions } from './option.js';

const isPattern = (value: unknown): boolean => {
  try {
    return value instanceof RegExp || (typeof value === 'string' && value !== '' && RegExp(value) !== null);
  } catch {
    return false;
  }
};

const patterns = createCheck(
  'a list of regular expressions',
  v.pipe(v.unknown(), v.array(v.custom(isPattern))),
);

/** Items of a list are often variables that are not set, which match no origin. */
const origin = createCheck(
  'a function, text or a list of texts',
  v.pipe(
    v.unknown(),
    v.union([v.function(), v.string(), v.array(v.nullish(v.union([v.string(), v.literal(false)])))]),
  ),
);

const constant = createCheck('a value without functions', v.custom(isConstant));

const CORS: StrapiOptions = {
  origin: restricting(
    differently('A list, text or function; `*` in `https://*.example.com` also matches subdomains.'),
    origin,
  ),
  credentials: differently('Requires a list or a function as origin, and is true with one, as in Strapi.'),
  headers: applied('Without it, pages may send any header.'),
  expose: applied('`X-Request-Id`, `Retry-After` and `ETag` are always exposed.'),
  methods: applied(),
  maxAge: differently("The default is the browser's instead of a year."),
  keepHeadersOnError: harmless('Errors always have the headers.'),
  enabled: refused('Remove the middleware from the list instead, as in Strapi 5.'),
};

const BODY: StrapiOptions = {
  jsonLimit: applied('The limit of all JSON bodies.'),
  formLimit: applied('The default is `jsonLimit`.'),
  textLimit: applied('The default is `jsonLimit`.'),
  'formidable.maxFileSize': applied('The smaller of it and `sizeLimit` of upload applies.'),
  'formidable.maxTotalFileSize': refused('`upload.maxFiles` and `sizeLimit` bound a request with files.'),
  'formidable.maxFields': refused('A form has at most 1000 fields.'),
  'formidable.maxFieldsSize': refused('A form with files is limited as a whole.'),
  'formidable.*': harmless('Galley uses another parser.'),
  multipart: fixed(true, 'Forms with files are always read.'),
  includeUnparsed: harmless('The text of a body is always available.'),
  patchKoa: harmless('`ctx.request.body` is always set.'),
  patchNode: fixed(false, '`ctx.req.body` is not set.'),
  encoding: fixed('utf-8', 'Bodies are UTF-8.'),
  json: fixed(true, 'JSON is always read.'),
  text: fixed(true, 'Text is always read.'),
  urlencoded: fixed(true, 'Forms are always read.'),
  jsonStrict: fixed(false, 'JSON may be any value.'),
  parsedMethods: refused('Bodies of all methods that allow one are parsed.'),
  queryString: refused('Forms are parsed as Strapi parses them by default.'),
  onError: refused('An invalid body fails with status 400 or 413.'),
  enabled: harmless('Bodies are always read, as in Strapi 5.'),
};

const SESSION: StrapiOptions = {
  key: applied(),
  maxAge: applied(),
  httpOnly: applied(),
  sameSite: applied(),
  secure: applied(),
  domain: applied(),
  path: applied(),
  rolling: applied(),
  renew: fixed(false, 'Use `rolling`.'),
  signed: fixed(true, 'Cookies are always signed.'),
  overwrite: harmless('A cookie replaces one of the same name.'),
  autoCommit: harmless('Changes are always stored.'),
  store: refused('Sessions are stored in their cookie.'),
  externalKey: refused('Sessions are stored in their cookie.'),
  ContextStore: refused('Sessions are stored in their cookie.'),
  genid: refused('Sessions are stored in their cookie.'),
  prefix: refused('Sessions are stored in their cookie.'),
  encode: refused('Cookies are Base64 of JSON, the default.'),
  decode: refused('Cookies are Base64 of JSON, the default.'),
  valid: restricting(refused('Check the session in a middleware.')),
  beforeSave: refused('Change the session in a middleware.'),
};

const SECURITY: StrapiOptions = Object.fromEntries([
  ...HELMET_OPTIONS.map((name) => [
    name,
    restricting(differently('Merged with the defaults of helmet; without functions.'), constant),
  ]),
  ['expectCt', harmless('Browsers no longer know the header.')],
]) as StrapiOptions;

const COMPRESSION: StrapiOptions = {
  '*': refused('Set `server.compression` in cms.config; it applies to responses of a kilobyte or more.'),
};

const QUERY: StrapiOptions = {
  strictNullHandling: fixed(true, 'A name without `=` is null.'),
  arrayLimit: refused('Lists have up to 1000 items.'),
  depth: refused('Names have up to 64 brackets.'),
  parameterLimit: refused('A query string has up to 1000 parameters.'),
  '*': refused('Query strings are parsed as Strapi parses them by default.'),
};

/** The options of Strapi's built-in middlewares. Empty for middlewares without options. */
export const MIDDLEWARE_OPTIONS = {
  'strapi::body': BODY,
  'strapi::compression': COMPRESSION,
  'strapi::cors': CORS,
  'strapi::errors': {},
  'strapi::favicon': {
    path: applied('An icon in the folder of the project.'),
    maxAge: applied(),
  },
  'strapi::ip': {
    whitelist: restricting(applied('Regular expressions, as in Strapi.'), patterns),
    blacklist: restricting(applied('Regular expressions, as in Strapi.'), patterns),
    handler: applied(),
    '*': restricting(refused('Its options are `whitelist`, `blacklist` and `handler`.')),
  },
  'strapi::logger': { '*': refused('Set `logLevel` in cms.config.') },
  'strapi::poweredBy': { poweredBy: differently('The default is no header.') },
  'strapi::public': {
    maxAge: applied(),
    defer: harmless('Routes always come first.'),
    index: fixed(false, 'Folders have no index page.'),
  },
  'strapi::query': QUERY,
  'strapi::responseTime': {},
  'strapi::responses': { handlers: applied() },
  'strapi::security': SECURITY,
  'strapi::session': SESSION,
} as const satisfies Readonly<Record<string, StrapiOptions>>;

/** The name of a built-in middleware of Strapi. */
export type StrapiMiddleware = keyof typeof MIDDLEWARE_OPTIONS;

export function isStrapiMiddleware(name: string): name is StrapiMiddleware {
  return Object.hasOwn(MIDDLEWARE_OPTIONS, name);
}
