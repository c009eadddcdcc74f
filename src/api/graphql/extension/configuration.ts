import type { FastifyBaseLogger } from 'fastify';
import type { DocumentNode, GraphQLResolveInfo } from 'graphql';
import type { Config } from '../../../config/config.js';
import type { ProjectDocuments } from '../../../documents/create-repository.js';
import type { ContentModel, ContentType, Uid } from '../../../model/model.js';
import type { HttpContext, OperationState } from '../graphql-context.js';
import type { TypeSwitches } from './shadow-crud.js';

/** Maximum age in seconds, and scope, of a cached response. */
interface CacheHint {
  readonly maxAge?: number;
  readonly scope?: 'PUBLIC' | 'PRIVATE';
}

/** The `info` of a resolver, with cache hints. */
interface ResolverInfo extends GraphQLResolveInfo {
  /**
   * Cache hints of code that is written for Strapi. They have no effect, because responses depend on the
   * caller.
   */
  readonly cacheControl: { readonly cacheHint: CacheHint; readonly setCacheHint: (hint: CacheHint) => void };
}

/** Adds `cacheControl` to the info of a call. */
export function withCacheControl(info: GraphQLResolveInfo): ResolverInfo {
  const cacheHint: CacheHint = {};
  return Object.assign(info, {
    cacheControl: { cacheHint, setCacheHint: (hint: CacheHint) => void Object.assign(cacheHint, hint) },
  });
}

type UnknownRecord = Readonly<Record<string, unknown>>;

/** The running project, as resolvers, policies and middlewares get it. */
export interface Application {
  readonly config: Config;
  readonly model: ContentModel;
  readonly log: FastifyBaseLogger;
  /** Returns the document service of one type. It does not check the permissions of the caller. */
  readonly documents: ProjectDocuments;
  readonly contentType: (uid: Uid) => ContentType | undefined;
  readonly contentTypes: Readonly<Record<Uid, ContentType>>;
  /** `plugin('graphql').service('extension')` is where code written for Strapi finds this service. */
  readonly plugin: (name: string) => { readonly service: (name: string) => GraphqlExtensionService };
}

/** The application, for project code. Both names refer to the same object. */
export interface WithApplication {
  readonly app: Application;
  /** The same as `app`, under the name that Strapi uses. */
  readonly strapi: Application;
}

/** The context of resolvers, policies and middlewares: one object per operation. */
export interface ResolverContext {
  readonly state: OperationState;
  readonly http: HttpContext;
  /** The same as `http`, under the name that Strapi uses. */
  readonly koaContext: HttpContext;
}

interface ProjectFunctions {
  resolver(parent: unknown, args: UnknownRecord, context: ResolverContext, info: ResolverInfo): unknown;
  middleware(
    next: Next,
    parent: unknown,
    args: UnknownRecord,
    context: ResolverContext,
    info: ResolverInfo,
  ): unknown;
}

/**
 * The resolver of a field. It may return documents of the document service; their relations are read when the
 * operation selects them. A project may declare more exact types for its parameters, because parameters of
 * methods are bivariant.
 *
 * @example
 *   const articleCount: Resolver = () => strapi.documents('api::article.article').count();
 *   graphql.use({
 *     typeDefs: 'type Query { articleCount: Int }',
 *     resolvers: { Query: { articleCount } },
 *   });
 */
export type Resolver = ProjectFunctions['resolver'];

/** A resolver, or an object with a resolver and a `subscribe` function. */
export type ResolverEntry = Resolver | { readonly resolve?: Resolver; readonly subscribe?: Resolver };

/** Resolvers by type (`Query`, `Mutation`, `Article`), then by field. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>> | object>>;

/** The call about which a policy decides. */
export interface PolicyContext {
  readonly type: 'graphql';
  /** True if the policy runs for that transport. */
  readonly is: (type: string) => boolean;
  readonly parent: unknown;
  readonly args: UnknownRecord;
  readonly context: ResolverContext;
  readonly info: ResolverInfo;
  readonly http: HttpContext;
  readonly state: OperationState;
}

/**
 * Allows or rejects the call of a field: a falsy result rejects it. A registered policy also receives the
 * configuration that is given with its name.
 *
 * @example
 *   // src/policies/is-signed-in.ts
 *   const isSignedIn: Policy = ({ state }) => state.user !== undefined;
 *   export default isSignedIn;
 */
export type Policy = (context: PolicyContext, config: UnknownRecord, tools: WithApplication) => unknown;

/**
 * A policy that is given as a function instead of a name. It has no configuration, so the tools are passed as
 * the second parameter. They are also the third one, as for registered policies.
 */
export type InlinePolicy = (
  context: PolicyContext,
  tools: WithApplication,
  repeatedTools: WithApplication,
) => unknown;

/** Runs the inner middlewares, the policies and the resolver. Arguments left out keep their values. */
export type Next = (
  parent?: unknown,
  args?: UnknownRecord,
  context?: ResolverContext,
  info?: ResolverInfo,
) => Promise<unknown>;

/**
 * Wraps the resolver of a field. A project may declare more exact types for its parameters.
 *
 * @example
 *   const logDuration: Middleware = async (next, parent, args, context, info) => {
 *     const startedAt = performance.now();
 *     const result = await next(parent, args, context, info);
 *     console.error(info.fieldName, performance.now() - startedAt);
 *     return result;
 *   };
 */
export type Middleware = ProjectFunctions['middleware'];

/**
 * A registered middleware. Returns a middleware for the options that are given with its name.
 *
 * @example
 *   // src/middlewares/limit-results.ts
 *   const limitResults: MiddlewareFactory =
 *     ({ max }) =>
 *     async (next, parent, args) =>
 *       next(parent, { ...args, pagination: { limit: Number(max) } });
 *   export default limitResults;
 */
export type MiddlewareFactory = (options: UnknownRecord, tools: WithApplication) => Middleware;

/** The configuration of one field, such as `Query.articles` or `Article.title`. */
export interface ResolverConfig {
  /** False: the field is public. `scope`: the required permissions, instead of the default ones. */
  readonly auth?: false | { readonly scope?: readonly string[] };
  readonly policies?: readonly (
    | string
    | InlinePolicy
    | { readonly name: string; readonly config?: UnknownRecord }
  )[];
  /** Run in this order: the first one is the outermost. */
  readonly middlewares?: readonly (
    | string
    | Middleware
    | { readonly name: string; readonly options?: UnknownRecord }
  )[];
}

type TypeDefs = string | DocumentNode | readonly TypeDefs[];

/** The parameter of `use`: additions to the GraphQL schema. */
export interface ExtensionConfiguration {
  /** Nexus types. They may refer to generated types, extend them and override their fields. */
  readonly types?: readonly unknown[];
  /** SDL text or parsed documents. */
  readonly typeDefs?: TypeDefs;
  /** Nexus plugins. They apply to the whole schema. */
  readonly plugins?: readonly unknown[];
  readonly resolvers?: Resolvers;
  readonly resolversConfig?: Readonly<Record<string, ResolverConfig>>;
}

/** The parameter of a function that is passed to `use`. */
export interface ExtensionTools extends WithApplication {
  /** Nexus, which is loaded on first access. */
  readonly nexus: typeof import('nexus');
}

/** Returns the additions to the schema. Called when the schema is built. */
export type ExtensionFactory = (tools: ExtensionTools) => ExtensionConfiguration;

/**
 * Extends the GraphQL schema of a project. Passed to `register`.
 *
 * @example
 *   graphql.shadowCRUD('api::article.article').disableAction('delete').field('notes').disableOutput();
 *   graphql.use({
 *     typeDefs: 'type Query { now: String }',
 *     resolvers: { Query: { now: () => new Date().toISOString() } },
 *   });
 */
export interface GraphqlExtensionService {
  /**
   * Returns the switches of a content-type (`api::article.article`) or component (`shared.seo`).
   *
   * @throws `graphql/unknown-type`
   */
  readonly shadowCRUD: (uid: Uid) => TypeSwitches;
  /** Adds to the schema. Functions are called when the schema is built. */
  readonly use: (extension: ExtensionConfiguration | ExtensionFactory) => GraphqlExtensionService;
}
