import { flag, integer, matching, names, oneOf, seconds, section, text } from './checks.js';
import type { Check } from './checks.js';
import type { Config } from './config.js';

/** How people sign up and in; from `plugins['users-permissions'].config`. Lengths of time are seconds. */
export interface PeopleSettings {
  /** `plain`: one long-lived JWT. `refresh`: short-lived ones, and refresh tokens that make new ones. */
  readonly mode: 'plain' | 'refresh';
  readonly jwtLifetime: number;
  readonly sessions: { readonly accessLifetime: number; readonly idleLifetime: number; readonly maxLifetime: number };
  readonly allowRegister: boolean;
  /** What may be sent at sign-up beside username, email and password. */
  readonly registerFields: readonly string[];
  /** Whether an address must be confirmed before its owner may sign in. */
  readonly emailConfirmation: boolean;
  /** Where a browser goes when its address is confirmed; null: it is told in JSON. */
  readonly confirmationRedirect: string | null;
  /** The page of the site on which a new password is chosen; gets `?code=`. Null: the API's own address is sent. */
  readonly resetPage: string | null;
  /** The role, by its type, of those who sign up. */
  readonly defaultRole: string;
  /** Tries per `interval` with one name from one address. */
  readonly rateLimit: { readonly enabled: boolean; readonly max: number; readonly interval: number };
}

const URL_TEXT = matching(/^https?:\/\/[^\s]+$/, 'an address such as https://example.com/reset');

const jwt = section({ expiresIn: seconds });
const sessions = section({ accessTokenLifespan: seconds, idleRefreshTokenLifespan: seconds, maxRefreshTokenLifespan: seconds });
const register = section({ allowedFields: names });
const advanced = section({ allowRegister: flag, emailConfirmation: flag, emailConfirmationRedirection: URL_TEXT, emailResetPassword: URL_TEXT, defaultRole: text });
const ratelimit = section({ enabled: flag, max: integer(1), interval: seconds });

/** The options of the users-permissions plugin, checked where a project sets them. */
export const PEOPLE_OPTIONS: Readonly<Record<string, Check<unknown>>> = {
  jwtSecret: text,
  jwt,
  jwtManagement: oneOf('legacy-support', 'refresh'),
  sessions,
  register,
  advanced,
  ratelimit,
};

/** The options of the email plugin: a nodemailer transport, and the addresses messages come from. */
export const EMAIL_OPTIONS: Readonly<Record<string, Check<unknown>>> = {
  provider: oneOf('nodemailer', 'folder'),
  settings: section({ defaultFrom: text, defaultReplyTo: text }),
};

const DAY = 86_400;

const part = <T>(check: Check<T>, value: unknown, fallback: T): T => (value === undefined ? fallback : check.read(value) ?? fallback);

const sectionOf = (check: Check<Readonly<Record<string, unknown>>>, value: unknown): Readonly<Record<string, unknown>> => part(check, value, {});

/** The settings of a project, with what it leaves out filled in. */
export function peopleSettings({ plugins, rateLimit }: Pick<Config, 'plugins' | 'rateLimit'>): PeopleSettings {
  const config = plugins['users-permissions']?.config ?? {};
  const [lifespans, rules, limits] = [sectionOf(sessions, config['sessions']), sectionOf(advanced, config['advanced']), sectionOf(ratelimit, config['ratelimit'])];
  return Object.freeze({
    mode: config['jwtManagement'] === 'refresh' ? 'refresh' : 'plain',
    jwtLifetime: part(seconds, sectionOf(jwt, config['jwt'])['expiresIn'], 30 * DAY),
    sessions: {
      accessLifetime: part(seconds, lifespans['accessTokenLifespan'], 600),
      idleLifetime: part(seconds, lifespans['idleRefreshTokenLifespan'], 14 * DAY),
      maxLifetime: part(seconds, lifespans['maxRefreshTokenLifespan'], 30 * DAY),
    },
    allowRegister: part(flag, rules['allowRegister'], true),
    registerFields: part(names, sectionOf(register, config['register'])['allowedFields'], []),
    emailConfirmation: part(flag, rules['emailConfirmation'], false),
    confirmationRedirect: part<string | null>(URL_TEXT, rules['emailConfirmationRedirection'], null),
    resetPage: part<string | null>(URL_TEXT, rules['emailResetPassword'], null),
    defaultRole: part(text, rules['defaultRole'], 'authenticated'),
    rateLimit: { enabled: rateLimit && part(flag, limits['enabled'], true), max: part(integer(1), limits['max'], 5), interval: part(seconds, limits['interval'], 300) },
  });
}

/** How messages are sent; from `plugins.email.config`. */
export interface EmailSettings {
  /** `folder`: they are written to .galley/mail and named in the log. `none`: they cannot be sent. */
  readonly transport: 'nodemailer' | 'folder' | 'none';
  /** What nodemailer's createTransport takes. */
  readonly options: unknown;
  readonly from: string;
  readonly replyTo: string | null;
}

/** The mail settings of a project. Without any, messages land in a folder, except in production. */
export function emailSettings({ plugins, environment }: Pick<Config, 'plugins' | 'environment'>): EmailSettings {
  const config = plugins['email']?.config ?? {};
  const addresses = sectionOf(section({ defaultFrom: text, defaultReplyTo: text }), config['settings']);
  const fallback = environment === 'production' ? 'none' : 'folder';
  const wanted = config['provider'] ?? (config['providerOptions'] === undefined ? fallback : 'nodemailer');
  return Object.freeze({
    transport: wanted === 'nodemailer' ? 'nodemailer' : wanted === 'folder' ? 'folder' : 'none',
    options: config['providerOptions'] ?? {},
    from: part(text, addresses['defaultFrom'], 'no-reply@localhost'),
    replyTo: part<string | null>(text, addresses['defaultReplyTo'], null),
  });
}
