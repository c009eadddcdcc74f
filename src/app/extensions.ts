import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { evaluateModule } from '../config/evaluate-module.js';
import type { DocumentService } from '../documents/documents.js';
import type { DocumentHooks } from '../documents/hooks.js';
import { fail } from '../errors/catalogue.js';
import type { Application, GraphqlExtensionService, Middleware, MiddlewareFactory, Policy } from '../graphql/extension/configuration.js';
import type { NamedCodeRegistry } from '../graphql/extension/named-code.js';
import type { ContentModel } from '../model/model.js';
import type { Logger } from '../server/logger.js';

/** What `register` gets: before the routes are built. */
export interface RegisterContext {
  readonly config: Config;
  readonly model: ContentModel;
  readonly log: Logger;
  /** For routes, hooks and plugins of one's own. */
  readonly fastify: FastifyInstance;
  /** Middlewares and listeners around the document service, whatever the transport. */
  readonly documents: Pick<DocumentHooks, 'use' | 'before' | 'after'>;
  /** What the GraphQL schema shows of the content-types, and what is added to it. */
  readonly graphql: GraphqlExtensionService;
  /** Policies beside those in src/policies and src/api/<api>/policies. */
  readonly policies: NamedCodeRegistry<Policy>;
  /** Middlewares of resolvers beside those in src/middlewares and src/api/<api>/middlewares. */
  readonly middlewares: NamedCodeRegistry<MiddlewareFactory | Middleware>;
  /** For code written for the peer: `strapi.plugin('graphql').service('extension')`. */
  readonly strapi: Application;
}

/** What `bootstrap` gets: everything works, requests are about to come. */
export interface BootstrapContext {
  readonly config: Config;
  readonly model: ContentModel;
  readonly log: Logger;
  readonly documents: DocumentService;
  /** The project's own generated Prisma Client. */
  readonly prisma: unknown;
}

/**
 * What a project's src/index.ts may export, by name or as its default export.
 *
 * @example
 * import type { RegisterContext } from 'galley';
 * export const register = ({ fastify }: RegisterContext) => { fastify.get('/hello', async () => ({ hello: 'world' })); };
 */
export interface Extensions {
  readonly register?: (context: RegisterContext) => void | Promise<void>;
  readonly bootstrap?: (context: BootstrapContext) => void | Promise<void>;
}

const ENTRY_FILES = ['src/index.ts', 'src/index.js', 'src/index.mjs'] as const;

const phaseOf = (exported: unknown, name: keyof Extensions, file: string): ((context: unknown) => Promise<void>) | undefined => {
  const own: unknown = typeof exported === 'object' && exported !== null ? Reflect.get(exported, name) : undefined;
  if (own === undefined) return undefined;
  if (typeof own !== 'function') throw fail('project/broken-entry', { file, reason: `${name} is no function` });
  return async (context) => {
    await Reflect.apply(own, undefined, [context]);
  };
};

/**
 * Evaluates the project's own entry afresh. A project without one extends nothing.
 *
 * @throws `project/broken-entry`
 */
export async function loadExtensions(root: string): Promise<Extensions> {
  const file = ENTRY_FILES.find((name) => existsSync(join(root, name)));
  if (file === undefined) return {};
  const loaded = await evaluateModule(join(root, file)).catch((cause: unknown) => {
    throw fail('project/broken-entry', { file, reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
  });
  const fallback: unknown = typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'default') : undefined;
  const register = phaseOf(loaded, 'register', file) ?? phaseOf(fallback, 'register', file);
  const bootstrap = phaseOf(loaded, 'bootstrap', file) ?? phaseOf(fallback, 'bootstrap', file);
  return { ...(register === undefined ? {} : { register }), ...(bootstrap === undefined ? {} : { bootstrap }) };
}
