import { isDeepStrictEqual } from 'node:util';
import type Koa from 'koa';
import { middlewareConfig } from '../../config/strapi/middleware-config.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { Context } from './context.js';

/** The settings of `strapi::session` in config/middlewares. */
export interface SessionSettings {
  readonly key: string;
  /** Milliseconds. */
  readonly maxAge: number;
  readonly httpOnly: boolean;
  readonly sameSite?: 'strict' | 'lax' | 'none';
  readonly secure?: boolean;
  readonly domain?: string;
  readonly path?: string;
  readonly rolling: boolean;
}

type Values = Record<string, unknown>;

/** The session of a request, once code has asked for it. */
interface OpenSession {
  readonly before: Values;
  readonly isNew: boolean;
  values: Values | null;
}

const SESSION = Symbol('session');

const DAY = 86_400_000;

const textAt = (values: Readonly<Values>, key: string): string | undefined =>
  typeof values[key] === 'string' ? values[key] : undefined;

const flagAt = (values: Readonly<Values>, key: string): boolean | undefined =>
  typeof values[key] === 'boolean' ? values[key] : undefined;

const SAME_SITE = ['strict', 'lax', 'none'] as const;

/** Returns the settings that the entry of config/middlewares gives. */
export function sessionSettings(middlewares: readonly unknown[]): SessionSettings {
  const config = middlewareConfig(middlewares, 'strapi::session');
  const { maxAge } = config;
  const sameSite = SAME_SITE.find((each) => each === config['sameSite']);
  const optional = {
    sameSite,
    secure: flagAt(config, 'secure'),
    domain: textAt(config, 'domain'),
    path: textAt(config, 'path'),
  };
  return {
    key: textAt(config, 'key') ?? 'koa.sess',
    maxAge: typeof maxAge === 'number' ? maxAge : DAY,
    httpOnly: flagAt(config, 'httpOnly') ?? true,
    rolling: flagAt(config, 'rolling') ?? false,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

const decode = (text: string): Values | null => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString());
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
};

/** Null: there is none, or it is over. */
const readCookie = (context: Context, { key }: SessionSettings): Values | null => {
  const text = context.cookies.get(key, { signed: true });
  const stored = text === undefined ? null : decode(text);
  if (stored === null || (typeof stored['_expire'] === 'number' && stored['_expire'] < Date.now()))
    return null;
  const { _expire, _maxAge, ...values } = stored;
  return values;
};

type SessionContext = Context & { [SESSION]?: OpenSession };

const openSession = (context: SessionContext, settings: SessionSettings): OpenSession => {
  if (context.app.keys === undefined)
    throw createError('strapi/unavailable-call', {
      call: 'ctx.session',
      remedy: 'Its cookie is signed: set app.keys in config/server.',
    });
  const known = context[SESSION];
  if (known !== undefined) return known;
  const stored = readCookie(context, settings);
  const values = stored ?? {};
  Object.defineProperty(values, 'isNew', { value: stored === null });
  const opened = { before: structuredClone(values), isNew: stored === null, values };
  context[SESSION] = opened;
  return opened;
};

/**
 * Gives contexts `session`: an object in a cookie, signed with `app.keys`. Nothing is read or written for
 * requests whose code does not ask for it.
 */
export function addSessions(app: Koa, settings: SessionSettings): void {
  Object.defineProperty(app.context, 'session', {
    configurable: true,
    get(this: SessionContext) {
      return openSession(this, settings).values;
    },
    set(this: SessionContext, values: unknown) {
      openSession(this, settings).values = isRecord(values) ? values : null;
    },
  });
  Object.defineProperty(app.context, 'commitSession', {
    value(this: SessionContext) {
      commit(this, settings);
    },
  });
}

const commit = (context: SessionContext, { key, maxAge, rolling, ...settings }: SessionSettings): void => {
  const opened = context[SESSION];
  if (opened === undefined) return;
  const { before, values, isNew } = opened;
  const secure = context.secure && settings.secure !== false;
  const options = { ...settings, secure, maxAge, signed: true, overwrite: true };
  if (values === null) {
    if (!isNew) context.cookies.set(key, '', { ...options, maxAge: 0 });
    return;
  }
  const isChanged = !isDeepStrictEqual({ ...values }, before);
  if (!isChanged && (!rolling || isNew)) return;
  const stored = { ...values, _expire: Date.now() + maxAge, _maxAge: maxAge };
  context.cookies.set(key, Buffer.from(JSON.stringify(stored)).toString('base64'), options);
};

/** Puts the session of a request into its cookie, if code has changed it. */
export function commitSession(context: Context): void {
  (context as unknown as { readonly commitSession?: () => void }).commitSession?.();
}
