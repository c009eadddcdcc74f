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

/** What a controller passes on where a route has no authentication: no relation is visible then. */
export const UNKNOWN_CALLER: Partial<Authentication> = {};

/** Who asks, on which route: what cleans and checks by. */
export interface SanitizeOptions {
  readonly auth?: Partial<Authentication> | null | undefined;
  readonly route?: unknown;
}

type Sanitize = (data: unknown, schema: unknown, options?: SanitizeOptions) => Promise<unknown>;

interface ContentApi {
  readonly sanitize: Readonly<Record<'input' | 'output' | 'query', Sanitize>>;
  readonly validate: Readonly<Record<'input' | 'query', Sanitize>>;
}

/** What controllers and services of the core use of `strapi`, so that whatever a project replaces is used. */
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

/** What `createCoreController` and the others return calls with. */
export interface Tools {
  readonly strapi: CoreStrapi;
}

/** What a project adds or replaces: an object, or a function that returns one. */
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
