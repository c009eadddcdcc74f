import { flag, flagOr, integer, matching, oneOf, origins, section, text } from './checks.js';
import type { Check } from './checks.js';
import { UPLOAD_SETTINGS } from './upload-settings.js';
import { EMAIL_OPTIONS, PEOPLE_OPTIONS } from './people.js';

interface Setting<T> {
  readonly check: Check<T>;
  readonly fallback: T;
  /** The environment variable that beats the file. */
  readonly variable?: string;
}

const setting = <T>(check: Check<T>, fallback: T, variable?: string): Setting<T> =>
  variable === undefined ? { check, fallback } : { check, fallback, variable };

const MEGABYTE = 1024 * 1024;
const DATABASE_URL = matching(/^(file:.|postgres(ql)?:\/\/.)/, 'file:./data.db for SQLite, or postgresql://user:password@host:5432/name');
const LOCALE_CODE = matching(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'a locale code such as en or pt-BR');

/** Every key of cms.config.* outside `plugins`, with what it may be. Adding a setting is one line here and its place in `Config`. */
export const SETTINGS = {
  'server.host': setting(text, '127.0.0.1', 'HOST'),
  'server.port': setting(integer(0, 65_535), 1337, 'PORT'),
  'server.bodyLimit': setting(integer(1024), MEGABYTE),
  'server.url': setting(matching(/^(https?:\/\/[^\s/?#]+)?$/, 'the address people reach the server at, such as https://api.example.com'), '', 'PUBLIC_URL'),
  'server.proxy': setting(flag, false),
  'server.cors.origin': setting(origins, '*'),
  'server.cors.credentials': setting(flag, false),
  'database.url': setting(DATABASE_URL, 'file:./data.db', 'DATABASE_URL'),
  'api.rest.prefix': setting(matching(/^\/[\w-]+(\/[\w-]+)*$/, 'a path such as /api'), '/api'),
  'api.rest.defaultLimit': setting(integer(1), 25),
  'api.rest.maxLimit': setting(integer(1), 100),
  'api.rest.populateDepth': setting(integer(1, 50), 10),
  'api.rest.maxNodes': setting(integer(1, 10_000), 500),
  'i18n.defaultLocale': setting(LOCALE_CODE, 'en'),
  'i18n.defaultLocaleName': setting(text, ''),
  ...UPLOAD_SETTINGS,
  logLevel: setting(oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info', 'LOG_LEVEL'),
} as const;

export type SettingKey = keyof typeof SETTINGS;
export type SettingValue<K extends SettingKey> = (typeof SETTINGS)[K]['fallback'];

/** The options of known plugins, checked where a project sets them; what is not listed passes through to the plugin. */
export const PLUGIN_OPTIONS: Readonly<Record<string, Readonly<Record<string, Check<unknown>>>>> = {
  graphql: {
    endpoint: matching(/^\/[\w/-]+$/, 'a path such as /graphql'),
    shadowCRUD: flag,
    playgroundAlways: flag,
    depthLimit: integer(1),
    amountLimit: integer(1),
    defaultLimit: integer(1),
    maxLimit: integer(-1),
    complexityLimit: integer(1),
    aliasLimit: integer(0),
    tokenLimit: integer(1),
    batchLimit: integer(0),
    persistedQueries: flagOr(section({ automatic: flag, from: text, only: flag })),
    subscriptions: flagOr(section({ maxConnections: integer(1), maxPerConnection: integer(1), keepAlive: integer(1, 3600) })),
    introspection: flag,
  },
  'users-permissions': PEOPLE_OPTIONS,
  email: EMAIL_OPTIONS,
};
