import { createRequire } from 'node:module';
import type Koa from 'koa';
import type * as KoaSession from 'koa-session';
import { middlewareConfig } from '../../config/strapi/middleware-config.js';
import { createError } from '../../errors/catalogue.js';
import type { Middleware } from './context.js';

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

const DAY = 86_400_000;

const textAt = (values: Readonly<Record<string, unknown>>, key: string): string | undefined =>
  typeof values[key] === 'string' ? values[key] : undefined;

const flagAt = (values: Readonly<Record<string, unknown>>, key: string): boolean | undefined =>
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

const require = createRequire(import.meta.url);

const pass: Middleware = (_context, next) => next();

/**
 * Gives contexts `session`: an object in a cookie, signed with `app.keys`. Returns the middleware that writes
 * the cookie, if code has changed the session.
 */
export function addSessions(app: Koa, settings: SessionSettings): Middleware {
  if (app.keys !== undefined) {
    const { createSession } = require('koa-session') as typeof KoaSession;
    return createSession({ ...settings }, app);
  }
  Object.defineProperty(app.context, 'session', {
    get() {
      throw createError('strapi/unavailable-call', {
        call: 'ctx.session',
        remedy: 'Its cookie is signed: set app.keys in config/server.',
      });
    },
  });
  return pass;
}
