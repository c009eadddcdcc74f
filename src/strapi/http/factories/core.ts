import type { ContentModel, ContentType } from '../../../model/model.js';
import type { Authentication, Context, RouteState } from '../context.js';
import type { RouteConfig, RouteInput, RouterInput } from '../routes.js';

/** A document in the form that project code gets. */
type Entity = Record<string, unknown>;

export type Params = Record<string, unknown>;

interface Documents {
  findMany(params: Params): Promise<Entity[]>;
  findFirst(params: Params): Promise<Entity | null>;
  findOne(params: Params): Promise<Entity | null>;
  count(params: Params): Promise<number>;
  create(params: Params): Promise<Entity>;
  update(params: Params): Promise<Entity | null>;
  delete(params: Params): Promise<{ readonly entries?: readonly unknown[] } | null>;
}

/** The caller of a route without authentication, which may read no relation. */
export const UNKNOWN_CALLER: Partial<Authentication> = {};

/** The caller and the route that values are sanitized and validated for. */
export interface SanitizeOptions {
  readonly auth?: Partial<Authentication> | null | undefined;
  readonly route?: RouteState | undefined;
  /** True: query parameters that neither the API nor the route has are rejected. */
  readonly strictParams?: boolean;
}

type Sanitize = (data: unknown, schema: unknown, options?: SanitizeOptions) => Promise<unknown>;

interface ContentApi {
  readonly sanitize: Readonly<Record<'input' | 'output' | 'query', Sanitize>>;
  readonly validate: Readonly<Record<'input' | 'query', Sanitize>>;
}

/** The part of `strapi` that core controllers and services use, so that a project's replacements apply. */
export interface CoreStrapi {
  readonly documents: (uid: string) => Documents;
  readonly service: (uid: string) => unknown;
  readonly contentType: (uid: string) => ContentType | undefined;
  readonly contentAPI: ContentApi;
  readonly plugin: (name: 'i18n') => {
    readonly service: (name: 'locales') => { readonly getDefaultLocale: () => Promise<string> };
  };
  readonly model: ContentModel;
  readonly requestContext: { readonly get: () => Context | undefined };
  readonly config: {
    readonly api: {
      readonly rest: {
        readonly defaultLimit: number;
        readonly maxLimit: number;
        readonly strictParams: boolean;
      };
    };
  };
}

/** The argument of the functions that `createCoreController` and the other factories return. */
export interface Tools {
  readonly strapi: CoreStrapi;
}

/** The members that a project adds or replaces: an object, or a function that returns one. */
export type Overrides = object | ((tools: Tools) => object);

export type Action = (this: CoreController, context: Context) => Promise<unknown>;

/** The methods that a controller's actions call, which a project may replace. */
export interface CoreController {
  validateQuery(context: Context): Promise<unknown>;
  sanitizeQuery(context: Context): Promise<Params>;
  validateInput(data: unknown, context: Context): Promise<unknown>;
  sanitizeInput(data: unknown, context: Context): Promise<unknown>;
  sanitizeOutput(data: unknown, context: Context): Promise<unknown>;
  transformResponse(data: unknown, meta?: unknown): unknown;
}

/**
 * Makes the core's methods the prototype of the project's object, so that `super.find()` works. Methods that
 * the project does not replace are copied, so that they can be destructured.
 */
export function applyOverrides(base: object, overrides: Overrides | undefined, tools: Tools): object {
  const members: object = (typeof overrides === 'function' ? overrides(tools) : overrides) ?? {};
  for (const [name, method] of Object.entries(base))
    if (Reflect.get(members, name) === undefined) Reflect.set(members, name, method);
  return Object.setPrototypeOf(members, base) as object;
}

/** The mark of functions that `createCoreController` and `createCoreService` provide. */
const CORE = Symbol.for('galley.core');

/** Marks functions as those of the core. */
export function markCore<T extends object>(functions: T): T {
  for (const each of Object.values(functions))
    if (typeof each === 'function') Object.defineProperty(each, CORE, { value: true });
  return functions;
}

/** True if a method is the core's, not replaced by the project. */
export function isCoreMethod(target: unknown, name: string): boolean {
  if (typeof target !== 'object' || target === null) return false;
  const method: unknown = Reflect.get(target, name);
  return typeof method === 'function' && Reflect.get(method, CORE) === true;
}

/** The options with which a project declares the routes of a type. */
interface RouterOptions {
  readonly prefix?: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly config?: Readonly<Record<string, RouteConfig | undefined>>;
  readonly type?: string;
}

interface ActionRoute {
  readonly action: string;
  readonly method: string;
  readonly path: string;
}

const SINGLE_METHODS = { find: 'GET', update: 'PUT', delete: 'DELETE' } as const;

/** Returns the core routes of a type, in Strapi's order. */
export function coreRoutes(
  type: Pick<ContentType, 'kind' | 'singularName' | 'pluralName'>,
): readonly ActionRoute[] {
  if (type.kind === 'singleType')
    return Object.entries(SINGLE_METHODS).map(([action, method]) => ({
      action,
      method,
      path: `/${type.singularName}`,
    }));
  const path = `/${type.pluralName}`;
  return [
    { action: 'find', method: 'GET', path },
    { action: 'findOne', method: 'GET', path: `${path}/:id` },
    { action: 'create', method: 'POST', path },
    { action: 'update', method: 'PUT', path: `${path}/:id` },
    { action: 'delete', method: 'DELETE', path: `${path}/:id` },
  ];
}

/** Returns the running application. Routers created before it is complete look up their type there. */
const runningStrapi = (): CoreStrapi | undefined =>
  Reflect.get(globalThis, 'strapi') as CoreStrapi | undefined;

/**
 * `factories.createCoreRouter`. The routes are created at the first access, since projects wrap routers in
 * others.
 */
export function createCoreRouter(uid: string, options: RouterOptions = {}): RouterInput {
  const { prefix, only, except, config = {}, type = 'content-api' } = options;
  const createRoutes = (): readonly RouteInput[] => {
    const contentType = runningStrapi()?.contentType(uid);
    if (contentType === undefined) throw new Error(`createCoreRouter: there is no content-type ${uid}`);
    return coreRoutes(contentType)
      .filter(({ action }) => (only?.includes(action) ?? true) && !(except?.includes(action) ?? false))
      .map(({ action, method, path }) => ({
        method,
        path,
        handler: `${uid}.${action}`,
        config: config[action] ?? {},
      }));
  };
  let routes: readonly RouteInput[] | undefined;
  return {
    type,
    ...(prefix === undefined ? {} : { prefix }),
    get routes() {
      return (routes ??= createRoutes());
    },
  };
}
