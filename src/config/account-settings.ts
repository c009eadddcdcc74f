import { isRecord } from '../lib/records.js';
import {
  createOptionReader,
  flag,
  integer,
  matching,
  names,
  oneOf,
  option,
  seconds,
  section,
  text,
} from './checks.js';
import type { Config } from './config.js';
import { providersCheck } from './provider-settings.js';

/** Settings of sign-up and sign-in, from `plugins['users-permissions'].config`. Durations are in seconds. */
export interface AccountSettings {
  /** `plain`: one long-lived JWT. `refresh`: short-lived JWTs, and refresh tokens to renew them. */
  readonly mode: 'plain' | 'refresh';
  readonly jwtLifetime: number;
  readonly sessions: {
    readonly accessLifetime: number;
    readonly idleLifetime: number;
    readonly maxLifetime: number;
  };
  readonly refreshCookie: RefreshCookie;
  /** True if users may sign in with a name and a password. */
  readonly localSignIn: boolean;
  readonly allowRegister: boolean;
  /** True if the roles of a new database get Strapi's initial grants. */
  readonly defaultGrants: boolean;
  /** Attributes that may be sent at sign-up, besides username, email and password. */
  readonly registerFields: readonly string[];
  /** True if an address must be confirmed before its owner may sign in. */
  readonly emailConfirmation: boolean;
  /** The page shown after an address is confirmed. Null: a JSON response. */
  readonly confirmationRedirect: string | null;
  /**
   * The page on which a new password is chosen; it receives `?code=`. Null: messages contain the address of
   * the API.
   */
  readonly resetPage: string | null;
  /** The type of the role that new users get. */
  readonly defaultRole: string;
  /** The limit of failed attempts with one user name from one IP address, per `interval`. */
  readonly rateLimit: { readonly enabled: boolean; readonly max: number; readonly interval: number };
}

/** The cookie that holds a refresh token. */
export interface RefreshCookie {
  /** True if every sign-in sets the cookie. False: only sign-ins whose request asks for it. */
  readonly always: boolean;
  readonly name: string;
  readonly secure: boolean;
  readonly sameSite: 'strict' | 'lax' | 'none';
  readonly path: string;
  readonly domain: string | null;
  /** Seconds for which browsers keep the cookie. Null: until the browser is closed. */
  readonly maxAge: number | null;
}

const PAGE_URL = matching(/^https?:\/\/[^\s]+$/, 'an address such as https://example.com/reset');
const DAY_SECONDS = 86_400;

/** The options of the users-permissions plugin, by their path below `config`. */
export const ACCOUNT_OPTIONS = {
  jwtSecret: option<string | undefined>(
    text,
    undefined,
    'The secret that signs JWTs. Prefer the variable JWT_SECRET.',
  ),
  jwtManagement: option(
    oneOf('legacy-support', 'refresh'),
    'legacy-support',
    '`legacy-support`: one long-lived JWT. `refresh`: short-lived JWTs and refresh tokens.',
    { example: 'refresh' },
  ),
  'jwt.expiresIn': option(seconds, 30 * DAY_SECONDS, 'Lifetime of a long-lived JWT.'),
  'sessions.accessTokenLifespan': option(seconds, 600, 'Lifetime of a short-lived JWT.'),
  'sessions.idleRefreshTokenLifespan': option(
    seconds,
    14 * DAY_SECONDS,
    'Time after which an unused session ends.',
  ),
  'sessions.maxRefreshTokenLifespan': option(seconds, 30 * DAY_SECONDS, 'Time after which a session ends.'),
  'sessions.httpOnly': option(
    flag,
    false,
    'True: refresh tokens are sent in a cookie that scripts cannot read, not in the response body.',
  ),
  'sessions.cookie': option<Readonly<Record<string, unknown>>>(
    section({
      name: matching(/^[\w.-]+$/, 'a name of letters, digits, _, - and .'),
      secure: flag,
      sameSite: oneOf('strict', 'lax', 'none'),
      path: matching(/^\/[^\s;]*$/, 'a path such as /'),
      domain: matching(/^[\w.-]+$/, 'a domain such as example.com'),
    }),
    {},
    'Attributes of that cookie. Default: `strapi_up_refresh`, `lax`, `/`, and `secure` in production.',
    { example: { name: 'refresh', secure: true } },
  ),
  'register.allowedFields': option(
    names,
    [],
    'Attributes that sign-up accepts besides username, email and password.',
    {
      example: ['nickname'],
    },
  ),
  'advanced.allowRegister': option(flag, true, 'True: people may sign up.', { example: false }),
  'advanced.emailConfirmation': option(flag, false, 'True: an address must be confirmed before sign-in.', {
    example: true,
  }),
  'advanced.emailConfirmationRedirection': option<string | null>(
    PAGE_URL,
    null,
    'The page shown after an address is confirmed.',
    { example: 'https://example.com/welcome' },
  ),
  'advanced.emailResetPassword': option<string | null>(
    PAGE_URL,
    null,
    'The page on which users choose a new password. It receives `?code=`.',
    { example: 'https://example.com/reset' },
  ),
  'advanced.defaultRole': option(text, 'authenticated', 'The type of the role that new users get.'),
  'advanced.defaultGrants': option(
    flag,
    true,
    'True: in a new database, everybody may sign in and sign up, and users may read themselves.',
    { example: false },
  ),
  providers: option<Readonly<Record<string, Readonly<Record<string, unknown>>>>>(
    providersCheck,
    {},
    'Services whose accounts sign users in, by name. Each has the settings of `cms provider set`.',
    { example: { github: { key: '…', callback: 'https://example.com/connect/github' } } },
  ),
  'ratelimit.enabled': option(flag, true, 'True: failed attempts to sign in are limited.'),
  'ratelimit.max': option(
    integer(1),
    5,
    'Maximum number of failed attempts per interval, for one name from one IP address.',
  ),
  'ratelimit.interval': option(seconds, 300, 'Length of the interval.'),
};

const refreshCookie = (
  always: boolean,
  cookie: Readonly<Record<string, unknown>>,
  environment: string,
  maxAge: number,
): RefreshCookie => ({
  always,
  name: 'strapi_up_refresh',
  secure: environment === 'production',
  sameSite: 'lax',
  path: '/',
  domain: null,
  maxAge,
  ...cookie,
});

/** The part of the configuration that concerns accounts. */
export type AccountConfig = Pick<Config, 'plugins' | 'rateLimit' | 'environment'>;

/** Returns a project's account settings, with defaults. */
export function accountSettings({ plugins, rateLimit, environment }: AccountConfig): AccountSettings {
  const read = createOptionReader(ACCOUNT_OPTIONS, plugins['users-permissions']?.config);
  const sessions = {
    accessLifetime: read('sessions.accessTokenLifespan'),
    idleLifetime: read('sessions.idleRefreshTokenLifespan'),
    maxLifetime: read('sessions.maxRefreshTokenLifespan'),
  };
  const cookieLifetime = Math.min(sessions.idleLifetime, sessions.maxLifetime);
  return Object.freeze({
    mode: read('jwtManagement') === 'refresh' ? 'refresh' : 'plain',
    jwtLifetime: read('jwt.expiresIn'),
    sessions,
    refreshCookie: refreshCookie(
      read('sessions.httpOnly'),
      read('sessions.cookie'),
      environment,
      cookieLifetime,
    ),
    localSignIn: true,
    allowRegister: read('advanced.allowRegister'),
    defaultGrants: read('advanced.defaultGrants'),
    registerFields: read('register.allowedFields'),
    emailConfirmation: read('advanced.emailConfirmation'),
    confirmationRedirect: read('advanced.emailConfirmationRedirection'),
    resetPage: read('advanced.emailResetPassword'),
    defaultRole: read('advanced.defaultRole'),
    rateLimit: {
      enabled: rateLimit && read('ratelimit.enabled'),
      max: read('ratelimit.max'),
      interval: read('ratelimit.interval'),
    },
  });
}

/** Account settings that Strapi stores in its database: the stored name, the option, and the setting. */
const STORED_OPTIONS = [
  ['allow_register', 'allowRegister', 'allowRegister'],
  ['email_confirmation', 'emailConfirmation', 'emailConfirmation'],
  ['email_confirmation_redirection', 'emailConfirmationRedirection', 'confirmationRedirect'],
  ['email_reset_password', 'emailResetPassword', 'resetPage'],
  ['default_role', 'defaultRole', 'defaultRole'],
] as const satisfies readonly (readonly [string, string, keyof AccountSettings])[];

/** The settings `advanced` and `grant` of users-permissions, as Strapi stores them. */
export interface StoredAccountSettings {
  readonly advanced: unknown;
  readonly grant: unknown;
}

const isConfigured = ({ plugins }: AccountConfig, name: string): boolean => {
  const advanced = plugins['users-permissions']?.config['advanced'];
  return isRecord(advanced) && advanced[name] !== undefined;
};

/** Strapi stores empty text and null alike. */
const emptyToNull = (value: unknown): unknown => (value === '' ? null : value);

/** True if the setting `grant` disables sign-in with a name and a password. */
const forbidsLocalSignIn = (grant: unknown): boolean =>
  isRecord(grant) && isRecord(grant['email']) && grant['email']['enabled'] === false;

/**
 * Returns the effective account settings: those of the configuration, then the stored ones, then the
 * defaults. Stored values that are not valid are ignored.
 */
export function currentAccountSettings(
  config: AccountConfig,
  { advanced, grant }: StoredAccountSettings,
): AccountSettings {
  const stored = isRecord(advanced) ? advanced : {};
  const applied = STORED_OPTIONS.flatMap(([name, key, setting]) => {
    const value = emptyToNull(stored[name]);
    if (value === undefined || isConfigured(config, key)) return [];
    const { check, fallback } = ACCOUNT_OPTIONS[`advanced.${key}`];
    const parsed = value === null ? fallback : check.read(value);
    return parsed === undefined ? [] : [[setting, parsed] as const];
  });
  return Object.freeze({
    ...accountSettings(config),
    ...Object.fromEntries(applied),
    localSignIn: !forbidsLocalSignIn(grant),
  });
}

/** Returns the account settings in the form of Strapi's setting `advanced`. */
export function printAdvancedSettings(settings: AccountSettings): Readonly<Record<string, unknown>> {
  return Object.fromEntries([
    ['unique_email', true],
    ...STORED_OPTIONS.map(([name, , setting]) => [name, settings[setting]] as const),
  ]);
}

/** Returns the options whose value in the configuration differs from the one in the setting `advanced`. */
export function contradictedOptions(config: AccountConfig, advanced: unknown): readonly string[] {
  const stored = isRecord(advanced) ? advanced : {};
  const current = accountSettings(config);
  return STORED_OPTIONS.filter(
    ([name, key, setting]) =>
      isConfigured(config, key) &&
      stored[name] !== undefined &&
      emptyToNull(stored[name]) !== current[setting],
  ).map(([, key]) => key);
}
