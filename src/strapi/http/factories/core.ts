import type { ContentModel, ContentType } from '../../../model/model.js';
import type { Authentication, Context } from '../context.js';

/** A document as project code has it. */
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

/** The caller that a controller passes on if a route has no authentication: it sees no relation. */
export const UNKNOWN_CALLER: Partial<Authentication> = {};

/** The caller and the route that values are sanitized and validated for. */
export interface SanitizeOptions {
  readonly auth?: Partial<Authentication> | null | undefined;
  readonly route?: unknown;
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
    readonly api: { readonly rest: { readonly defaultLimit: number; readonly maxLimit: number } };
  };
}

/** The argument of the functions that `createCoreController` and the other factories return. */
export interface Tools {
  readonly strapi: CoreStrapi;
}

/** The members that a project adds or replaces: an object, or a function that returns one. */
export type Overrides = object | ((tools: Tools) => object);

export type Action = (this: CoreController, context: Context) => Promise<unknown>;

/** The methods that actions of a controller use, which a project may replace. */
export interface CoreController {
  validateQuery(context: Context): Promise<unknown>;
  sanitizeQuery(context: Context): Promise<Params>;
  validateInput(data: unknown, context: Context): Promise<unknown>;
  sanitizeInput(data: unknown, context: Context): Promise<unknown>;
  sanitizeOutput(data: unknown, context: Context): Promise<unknown>;
  transformResponse(data: unknown, meta?: unknown): unknown;
}

/**
 * Puts what a project wrote in front of the core's methods: they are its prototype, so that `super.find()`
 * calls them, and its own where it has none, so that they can be taken from it.
 */
export function applyOverrides(base: object, overrides: Overrides | undefined, tools: Tools): object {
  const own: object = (typeof overrides === 'function' ? overrides(tools) : overrides) ?? {};
  for (const [name, method] of Object.entries(base))
    if (Reflect.get(own, name) === undefined) Reflect.set(own, name, method);
  return Object.setPrototypeOf(own, base) as object;
}

/** Marks the functions that `createCoreController` and `createCoreService` provide themselves. */
const CORE = Symbol.for('galley.core');

/** Marks functions as those of the core. */
export function markCore<T extends object>(functions: T): T {
  for (const each of Object.values(functions))
    if (typeof each === 'function') Object.defineProperty(each, CORE, { value: true });
  return functions;
}

/** True if a method is the one of the core, which the project has not replaced. */
export function isCoreMethod(target: unknown, name: string): boolean {
  if (typeof target !== 'object' || target === null) return false;
  const method: unknown = Reflect.get(target, name);
  return typeof method === 'function' && Reflect.get(method, CORE) === true;
}
