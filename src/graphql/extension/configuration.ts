import type { FastifyBaseLogger } from 'fastify';
import type { DocumentNode } from 'graphql';
import type { Config } from '../../config/config.js';
import type { ContentModel, ContentType, Uid } from '../../model/model.js';
import type { HttpContext } from '../http-context.js';
import type { OperationState } from '../project-context.js';
import type { ResolverInfo } from './cache-control.js';
import type { TypeSwitches } from './shadow-crud.js';
import type { TypeDocuments } from './type-documents.js';

type Values = Readonly<Record<string, unknown>>;

/** The running project, as its own GraphQL code knows it. */
export interface Application {
  readonly config: Config;
  readonly model: ContentModel;
  readonly log: FastifyBaseLogger;
  /** The document service of one type, with the server's own rights: whoever asks is not asked for permissions. */
  readonly documents: (uid: Uid) => TypeDocuments;
  readonly contentType: (uid: Uid) => ContentType | undefined;
  readonly contentTypes: Readonly<Record<Uid, ContentType>>;
  /** `plugin('graphql').service('extension')`, where code written for the peer looks for the extension service. */
  readonly plugin: (name: string) => { readonly service: (name: string) => GraphqlExtensionService };
}

/** What code is handed that may work with the application; both names mean the same. */
export interface WithApplication {
  readonly app: Application;
  /** As `app`, under the name that code written for the peer uses. */
  readonly strapi: Application;
}

/** The context that resolvers, policies and middlewares get: one per operation. */
export interface ResolverContext {
  readonly state: OperationState;
  readonly http: HttpContext;
  /** As `http`, under the name that code written for the peer uses. */
  readonly koaContext: HttpContext;
}

interface ProjectFunctions {
  resolver(parent: unknown, args: Values, context: ResolverContext, info: ResolverInfo): unknown;
  middleware(next: Next, parent: unknown, args: Values, context: ResolverContext, info: ResolverInfo): unknown;
}

/**
 * A field's resolver. What it answers may be documents as the document service answers them: what they refer to is read when it is asked for.
 * A project knows what its parents and arguments are, and may say so of its parameters: as a method's, they are taken at their word.
 */
export type Resolver = ProjectFunctions['resolver'];

/** A resolver, or one with what a subscription listens to. */
export type ResolverEntry = Resolver | { readonly resolve?: Resolver; readonly subscribe?: Resolver };

/** By type (`Query`, `Mutation`, `Article`), then by field. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>> | object>>;

/** What a policy decides upon. */
export interface PolicyContext {
  readonly type: 'graphql';
  /** Whether the policy runs for that transport. */
  readonly is: (type: string) => boolean;
  readonly parent: unknown;
  readonly args: Values;
  readonly context: ResolverContext;
  readonly info: ResolverInfo;
  readonly http: HttpContext;
  readonly state: OperationState;
}

/** Decides whether a field is answered; whatever is falsy says no. A registered policy gets the configuration that stands beside its name. */
export type Policy = (context: PolicyContext, config: Values, tools: WithApplication) => unknown;

/** A policy written where it is used: it has no configuration, and gets the application in its place, and once more where registered policies get it. */
export type InlinePolicy = (context: PolicyContext, tools: WithApplication, again: WithApplication) => unknown;

/** The rest of a field's way: further middlewares, the policies, the resolver. What is left out is as it was. */
export type Next = (parent?: unknown, args?: Values, context?: ResolverContext, info?: ResolverInfo) => Promise<unknown>;

/** Stands around a field's resolver. Of its parameters a project may say more, as of a resolver's. */
export type Middleware = ProjectFunctions['middleware'];

/** A registered middleware: makes one for the options that stand beside its name. */
export type MiddlewareFactory = (options: Values, tools: WithApplication) => Middleware;

/** What is said of one field, `Query.articles` or `Article.title`. */
export interface ResolverConfig {
  /** False: nothing needs to be granted. `scope`: what must be, in the place of what would have to be. */
  readonly auth?: false | { readonly scope?: readonly string[] };
  readonly policies?: readonly (string | InlinePolicy | { readonly name: string; readonly config?: Values })[];
  /** The first is the outermost. */
  readonly middlewares?: readonly (string | Middleware | { readonly name: string; readonly options?: Values })[];
}

type TypeDefs = string | DocumentNode | readonly TypeDefs[];

/** What one `use` adds. */
export interface ExtensionConfiguration {
  /** Made with Nexus. They may name generated types, extend them and override their fields. */
  readonly types?: readonly unknown[];
  /** SDL. */
  readonly typeDefs?: TypeDefs;
  /** Nexus plugins; they act on the whole schema. */
  readonly plugins?: readonly unknown[];
  readonly resolvers?: Resolvers;
  readonly resolversConfig?: Readonly<Record<string, ResolverConfig>>;
}

/** What the function given to `use` is handed. */
export interface ExtensionTools extends WithApplication {
  /** The schema builder, loaded when it is first looked at. */
  readonly nexus: typeof import('nexus');
}

export type ExtensionFactory = (tools: ExtensionTools) => ExtensionConfiguration;

/**
 * What a project makes of its GraphQL schema; handed to `register`.
 *
 * @example
 * graphql.shadowCRUD('api::article.article').disableAction('delete').field('notes').disableOutput();
 * graphql.use({ typeDefs: 'type Query { now: String }', resolvers: { Query: { now: () => new Date().toISOString() } } });
 */
export interface GraphqlExtensionService {
  /** The switches of a content-type (`api::article.article`) or component (`shared.seo`). Throws `graphql/unknown-type`. */
  readonly shadowCRUD: (uid: Uid) => TypeSwitches;
  /** Adds to the schema. A function is called when the schema is built. */
  readonly use: (extension: ExtensionConfiguration | ExtensionFactory) => GraphqlExtensionService;
}
