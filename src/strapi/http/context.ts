import type Koa from 'koa';
import type { Caller } from '../../access/access.js';
import type { Logger } from '../../server/logger.js';
import type { RouteConfig } from './route-config.js';

/** The authenticated caller of a request, `ctx.state.auth`. */
export interface Authentication {
  readonly strategy: {
    readonly name: string;
    readonly verify?: (auth: unknown, config: unknown) => unknown;
  };
  /** The user, the token, or null for a caller without a credential. */
  readonly credentials: unknown;
  readonly ability: { readonly can: (action: string) => boolean } | null;
  /** Absent if the credential was recognised by a strategy of the project. */
  readonly caller?: Caller;
}

/** The route that handles a request, as `ctx.state.route` tells it. */
interface RouteState {
  readonly method: string;
  readonly path: string;
  readonly handler: unknown;
  readonly info: Readonly<Record<string, unknown>>;
  readonly config: RouteConfig;
}

interface State {
  user?: unknown;
  auth?: Authentication;
  isAuthenticated?: boolean;
  route?: RouteState;
  [key: string]: unknown;
}

/** An uploaded file in a temporary folder, removed once the request is answered. */
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

/** The responses that Strapi adds to Koa's context; there is one for each error status besides. */
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
