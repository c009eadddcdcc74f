import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire } from 'node:module';
import type Koa from 'koa';
import type * as KoaSession from 'koa-session';
import type { Caller } from '../../access/access.js';
import { middlewareConfig } from '../../config/strapi/config-values.js';
import { createError } from '../../errors/catalogue.js';
import { withoutUndefined } from '../../lib/records.js';
import { DAY_MS } from '../../lib/units.js';
import type { Logger } from '../../server/logger.js';
import type { RouteConfig } from './routes.js';

/** The authenticated caller of a request, `ctx.state.auth`. */
export interface Authentication {
  readonly strategy: {
    readonly name: string;
    readonly verify?: (auth: unknown, config: unknown) => unknown;
  };
  /** The user, the token, or null for a caller without a credential. */
  readonly credentials: unknown;
  readonly ability: { readonly can: (action: string) => boolean } | null;
  /** Absent if a strategy of the project has authenticated the caller. */
  readonly caller?: Caller;
}

/** The route that handles a request, in `ctx.state.route`. */
export interface RouteState {
  readonly method: string;
  readonly path: string;
  readonly handler: unknown;
  readonly info: Readonly<Record<string, unknown>>;
  readonly config: RouteConfig;
  /** The schemas of its parameters, as declared. */
  readonly request?: unknown;
}

interface State {
  user?: unknown;
  auth?: Authentication;
  isAuthenticated?: boolean;
  route?: RouteState;
  [key: string]: unknown;
}

/** An uploaded file in a temporary folder, removed after the response. */
export interface UploadedFile {
  readonly filepath: string;
  readonly originalFilename: string;
  readonly newFilename: string;
  readonly mimetype: string;
  readonly size: number;
  /** The names that older code uses for these properties. */
  readonly path: string;
  readonly name: string;
  readonly type: string;
}

/** Methods for responses that Strapi adds to Koa's context. Each other error status has one, too. */
interface Responses {
  send(data: unknown, status?: number): void;
  created(data?: unknown): void;
  deleted(data?: unknown): void;
  badRequest(message?: unknown, details?: unknown): void;
  unauthorized(message?: unknown, details?: unknown): void;
  forbidden(message?: unknown, details?: unknown): void;
  notFound(message?: unknown, details?: unknown): void;
  methodNotAllowed(message?: unknown, details?: unknown): void;
  payloadTooLarge(message?: unknown, details?: unknown): void;
  internalServerError(message?: unknown, details?: unknown): void;
}

interface Additions extends Responses {
  params: Record<string, string>;
  /** The path of the route, with its parameters. */
  routerPath?: string;
  query: Record<string, unknown>;
  log: Logger;
  request: Koa.Request & {
    body?: unknown;
    files?: Record<string, UploadedFile | UploadedFile[]>;
    params?: Record<string, string>;
    query: Record<string, unknown>;
    route?: RouteState;
  };
}

/** Koa's context with what Strapi adds to it. */
export type Context = Omit<Koa.ExtendableContext, 'request' | 'query'> &
  Additions & { state: State; body: unknown; response: { body: unknown } };

/** A middleware or handler in Koa's style. */
export type Middleware = (context: Context, next: () => Promise<unknown>) => unknown;

type ContextSource = Context | (() => Context);

/** Provides the context of the current request to any code. */
export interface RequestContext {
  readonly get: () => Context | undefined;
  readonly run: <Result>(context: ContextSource, run: () => Result) => Result;
  /** Stops tracking contexts. Otherwise each later promise of the process costs more. */
  readonly close: () => void;
}

/** Creates `strapi.requestContext`. If the context is a function, it is called at the first use. */
export function createRequestContext(): RequestContext {
  const storage = new AsyncLocalStorage<{ context: ContextSource }>();
  return {
    get: () => {
      const store = storage.getStore();
      if (store === undefined) return undefined;
      const { context } = store;
      if (typeof context !== 'function') return context;
      const created = context();
      store.context = created;
      return created;
    },
    run: (context, run) => storage.run({ context }, run),
    close: () => storage.disable(),
  };
}

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

const textAt = (values: Readonly<Record<string, unknown>>, key: string): string | undefined =>
  typeof values[key] === 'string' ? values[key] : undefined;

const flagAt = (values: Readonly<Record<string, unknown>>, key: string): boolean | undefined =>
  typeof values[key] === 'boolean' ? values[key] : undefined;

const SAME_SITE = ['strict', 'lax', 'none'] as const;

/** Returns the settings of `strapi::session` in config/middlewares. */
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
    maxAge: typeof maxAge === 'number' ? maxAge : DAY_MS,
    httpOnly: flagAt(config, 'httpOnly') ?? true,
    rolling: flagAt(config, 'rolling') ?? false,
    ...withoutUndefined(optional),
  };
}

const require = createRequire(import.meta.url);

const pass: Middleware = (_context, next) => next();

/**
 * Adds `session` to contexts: an object in a cookie, signed with `app.keys`. Returns the middleware that
 * writes the cookie if code has changed the session.
 */
export function addSessions(app: Koa, settings: SessionSettings): Middleware {
  if (app.keys !== undefined) {
    const { createSession } = require('./koa-session.cjs') as typeof KoaSession;
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
