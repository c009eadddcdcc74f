import * as v from 'valibot';
import { MEGABYTE } from '../lib/units.js';
import { CACHE_SETTINGS } from './cache-settings.js';
import { createCheck, flag, integer, matching, names, oneOf, option, text, plainObject } from './checks.js';
import type { Check, Option } from './checks.js';
import { databaseUrl, directUrl, replicaUrls } from './database-url.js';
import { RESPONSE_SETTINGS, cacheSize, metrics, proxies, publicUrl } from './server-settings.js';
import { UPLOAD_SETTINGS } from './upload-settings.js';
import { webhooks } from './webhook-settings.js';

/** The effect of a rule of `cms content check`. */
export type CheckLevel = 'off' | 'warning' | 'error';

const levels: Check<Readonly<Record<string, CheckLevel>>> = createCheck(
  'an object with off, warning or error by the names of rules',
  v.pipe(plainObject, v.record(v.string(), v.picklist(['off', 'warning', 'error']))),
);

const links: Check<Readonly<Record<string, string>>> = createCheck(
  'an object with addresses such as /articles/:slug by the uids of content-types',
  v.pipe(
    plainObject,
    v.record(
      v.pipe(v.string(), v.regex(/^(api|plugin)::/)),
      v.pipe(v.string(), v.regex(/^(https?:\/\/[^/]+)?\/[^?#]*$/)),
    ),
  ),
);

/** The keys of `content` in cms.config.*. */
const CONTENT_SETTINGS = {
  'content.checks': option(
    levels,
    {},
    'The levels of rules of `cms content check`. A rule without an entry has its default level.',
    { example: { 'missing-alt-text': 'error', 'unused-file': 'off' } },
  ),
  'content.links': option(
    links,
    {},
    'The addresses of documents in the front end, with attributes such as `:slug`, `:documentId` and ' +
      '`:locale`. `cms content check` finds links to missing documents by them.',
    { example: { 'api::article.article': '/articles/:slug' } },
  ),
} as const;

const limit = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(10_000));

/** The setting `history.types`. */
const limitsByType: Check<Readonly<Record<string, number>>> = createCheck(
  'an object with whole numbers from 0 to 10000 by the uids of content-types',
  v.pipe(v.unknown(), v.record(v.pipe(v.string(), v.regex(/^(api|plugin)::/)), limit)),
);

const LOCALE_CODE = matching(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'a locale code such as en or pt-BR');
const LOG_LEVEL = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent');

/** All keys of cms.config.* except `plugins`. */
export const SETTINGS = {
  'server.host': option(text, '127.0.0.1', 'The address to listen on.', {
    variable: 'HOST',
    example: '0.0.0.0',
  }),
  'server.port': option(integer(0, 65_535), 1337, 'The port to listen on; 0 selects a free port.', {
    variable: 'PORT',
    example: 8080,
  }),
  'server.bodyLimit': option(integer(1024), MEGABYTE, 'Maximum size of a JSON body, in bytes.'),
  'server.url': option(
    publicUrl,
    '',
    'The public URL, for links in messages. Its path also precedes the URLs of files. ' +
      'Empty: host and port.',
    { variable: 'PUBLIC_URL', example: 'https://api.example.com' },
  ),
  'server.proxy': option(
    proxies,
    false,
    'The proxies whose `X-Forwarded-*` headers are trusted: their number or their addresses; true: one.',
    { example: 1 },
  ),
  ...RESPONSE_SETTINGS,
  'server.compression': option(
    flag,
    true,
    'True: responses of a kilobyte or more are compressed for clients that accept it.',
  ),
  'database.url': option(databaseUrl, 'file:./data.db', 'The database; its scheme selects the kind.', {
    variable: 'DATABASE_URL',
    example: 'postgresql://user@localhost/site',
  }),
  'database.directUrl': option(
    directUrl,
    '',
    'If `database.url` is a pooler: the URL of the database itself, for migrations, cached responses and ' +
      'notifications of changes.',
    { variable: 'DIRECT_URL', example: 'postgresql://user@db.internal/site' },
  ),
  'database.replicas': option(
    replicaUrls,
    [],
    'Copies of the PostgreSQL database, kept current by streaming replication. Content is read from them.',
    { variable: 'DATABASE_REPLICAS', example: ['postgresql://user@replica.internal/site'] },
  ),
  'database.readTimeout': option(
    integer(0),
    10_000,
    'Milliseconds after which a read is canceled and fails with status 503; 0: never.',
    { example: 30_000 },
  ),
  'database.readThreads': option(
    integer(0, 16),
    2,
    'Threads of this process for slow reads of SQLite; 0: a slow read blocks all other requests.',
  ),
  'api.rest.prefix': option(
    matching(/^\/[\w-]+(\/[\w-]+)*$/, 'a path such as /api'),
    '/api',
    'The path before all REST routes.',
  ),
  'api.rest.defaultLimit': option(integer(1), 25, 'Documents on a page, if the request sets no page size.'),
  'api.rest.maxLimit': option(integer(1), 100, 'Maximum number of documents on a page.', { example: 500 }),
  'api.rest.populateDepth': option(integer(1, 50), 10, 'Maximum depth of nested `populate`.'),
  'api.rest.maxNodes': option(
    integer(1, 10_000),
    500,
    'Maximum number of attributes that one request populates, filters and sorts by.',
  ),
  'api.rest.maxRecords': option(
    integer(1),
    50_000,
    'Maximum number of records in one response, including populated ones. Each kilobyte of text counts as ' +
      'one record.',
  ),
  'api.rest.maxBulk': option(
    integer(1, 10_000),
    1000,
    'Maximum number of items that one bulk request writes.',
  ),
  'api.rest.strictParams': option(
    flag,
    false,
    'True: reads of content reject unknown query parameters, as writes always do. False: they ignore them.',
  ),
  'api.cache': option(
    cacheSize,
    64,
    'Megabytes of cached responses; a response is evicted when its content changes. 0: no cache; strict: ' +
      '64, and each request asks PostgreSQL for changes.',
    { variable: 'API_CACHE', example: 256 },
  ),
  'api.cachesDrafts': option(flag, false, 'True: responses to `status=draft` are cached, too.'),
  ...CACHE_SETTINGS,
  'api.findIncludesDrafts': option(
    flag,
    false,
    'True: the permissions `find` and `findOne` cover drafts, as in Strapi. False: drafts require ' +
      '`findDrafts`.',
  ),
  'api.validation': option(
    oneOf('strict', 'strapi'),
    'strict',
    'The validation rules of documents. strapi: required relations and files may be missing, and the ' +
      'uniqueness of enumerations and booleans is not checked.',
  ),
  'api.strictRelations': option(
    flag,
    false,
    'True: required relations and files must be set even with `api.validation: strapi`.',
  ),
  'api.privateAttributes': option(
    names,
    [],
    'Names that are private in all content-types and components, including built-in ones such as ' +
      '`createdAt`.',
    { example: ['createdAt', 'internalNote'] },
  ),
  'i18n.defaultLocale': option(LOCALE_CODE, 'en', 'The locale of a new project.', { example: 'pt-BR' }),
  'i18n.defaultLocaleName': option(
    text,
    '',
    'The name of that locale. Empty: the English name of its code.',
    {
      example: 'Portuguese (Brazil)',
    },
  ),
  ...CONTENT_SETTINGS,
  ...UPLOAD_SETTINGS,
  'transfer.enabled': option(
    flag,
    false,
    'True: tokens with full access may download all content as an archive, and import one.',
    { variable: 'TRANSFER_ENABLED', example: true },
  ),
  'transfer.users': option(
    flag,
    false,
    'True: these archives contain users, with the hashes of their passwords.',
    { variable: 'TRANSFER_USERS' },
  ),
  'history.limit': option(
    integer(0, 10_000),
    20,
    'Number of published versions of a document that are kept, for each locale. 0: none.',
  ),
  'history.types': option(limitsByType, {}, 'Different limits for some content-types.', {
    example: { 'api::article.article': 100 },
  }),
  'events.hours': option(
    integer(1, 720),
    24,
    'Hours for which changes are kept for `/api/events`, so that a client that reconnects misses none.',
    { example: 72 },
  ),
  'events.maxStreams': option(
    integer(1),
    5000,
    'Maximum number of clients that receive events from one process.',
  ),
  'events.maxStreamsPerAddress': option(
    integer(1),
    200,
    'Maximum number of clients with one IP address that receive events from one process. Behind a proxy, ' +
      'set `server.proxy`, so that the addresses of clients count.',
  ),
  'trash.days': option(
    integer(0, 3650),
    30,
    'Days after which deleted documents and files are deleted for good. 0: immediately, without a trash.',
    { variable: 'TRASH_DAYS', example: 90 },
  ),
  'log.days': option(
    integer(0, 36_500),
    90,
    'Number of days for which the log of writes and sign-ins is kept. 0: nothing is logged.',
    { example: 365 },
  ),
  'log.rows': option(
    integer(0),
    1_000_000,
    'Maximum number of rows of that log; the oldest are deleted first. 0: nothing is logged.',
  ),
  'log.addresses': option(flag, true, 'True: the log contains the IP addresses of clients.', {
    example: false,
  }),
  webhooks: option(
    webhooks,
    [],
    'Receivers of events, in addition to those that `cms webhook add` keeps in the database.',
    { example: [{ name: 'build', url: 'https://example.com/hook', events: ['entry.publish'] }] },
  ),
  docs: option(
    oneOf('development', 'always', 'never'),
    'development',
    'The environments that serve the API reference: `/docs`, and `openapi.json` below the prefix.',
    { example: 'always' },
  ),
  'mcp.enabled': option(
    oneOf('development', 'always', 'never'),
    'development',
    'The environments that serve the Model Context Protocol at `/mcp`, behind API tokens.',
    { variable: 'MCP_ENABLED', example: 'always' },
  ),
  'mcp.allowDelete': option(flag, false, 'True: clients of `/mcp` may delete documents.'),
  'mcp.maxTokens': option(
    integer(1000, 100_000),
    8000,
    'Maximum size of a response of a tool, in tokens of four characters. Longer texts are cut.',
  ),
  metrics: option(
    metrics,
    false,
    'True: the server serves Prometheus metrics at `/metrics`. An object sets the path and the token.',
    { variable: 'METRICS', example: { path: '/metrics', token: 'from the environment' } },
  ),
  logLevel: option(LOG_LEVEL, 'info', 'The lowest level of messages that are logged.', {
    variable: 'LOG_LEVEL',
    example: 'warn',
  }),
} as const;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValue<K extends SettingKey> =
  (typeof SETTINGS)[K] extends Option<infer Value> ? Value : never;
