import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { NamedCodeRegistry } from '../../api/graphql/extension/bind-rules.js';
import type {
  GraphqlExtensionService,
  Middleware,
  MiddlewareFactory,
  Policy,
} from '../../api/graphql/extension/configuration.js';
import type { Config } from '../../config/config.js';
import type { ModuleLoader } from '../../config/module-loader.js';
import type { ProjectDocuments } from '../../documents/create-repository.js';
import type { ProjectPrismaClient } from '../../documents/document-repository.js';
import { createError, locateError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { findSource, messageOf } from '../../lib/caught-errors.js';
import { propertyOf } from '../../lib/records.js';
import { relativePath } from '../../lib/text.js';
import type { ContentModel } from '../../model/model.js';
import type { Logger } from '../../server/logger.js';
import { createCodeFinder, loadProjectModule } from '../../strapi/code/project-code.js';
import type { Strapi } from '../../strapi/strapi.js';

interface ProjectFunction {
  readonly root: string;
  /** `src/index.ts` */
  readonly file: string;
  readonly name: string;
}

/** Creates the error of a project's function that threw, with the file and the line. */
export function projectCodeError({ root, file, name }: ProjectFunction, error: unknown): Error {
  const location = findSource(root, error) ?? file;
  if (!isGalleyError(error))
    return createError('project/code-failed', { name, location, reason: messageOf(error) }, { cause: error });
  // Errors of the GraphQL schema name its file already.
  return error.message.includes(file) ? error : locateError(error, `${name} failed at ${location}`);
}

/** The properties that the contexts of `register` and `bootstrap` share. */
interface ProjectContext {
  readonly config: Config;
  readonly model: ContentModel;
  readonly log: Logger;
  /** `documents(uid)` reads and writes; `documents.use`, `before` and `after` register hooks. */
  readonly documents: ProjectDocuments;
  /** The application for code written for Strapi, such as `strapi.plugin('graphql')`. */
  readonly strapi: Strapi;
}

/**
 * The context of `register`, which runs before the routes are created.
 *
 * @example
 *   export const register = ({ documents }: RegisterContext): void => {
 *     documents.after('delete', ({ type, documentId }) => console.error('deleted', type, documentId));
 *   };
 */
export interface RegisterContext extends ProjectContext {
  /** The server, for routes, hooks and plugins of the project. */
  readonly fastify: FastifyInstance;
  /** Changes the GraphQL schema. */
  readonly graphql: GraphqlExtensionService;
  /** Registers policies, in addition to those in src/policies and src/api/<api>/policies. */
  readonly policies: NamedCodeRegistry<Policy>;
  /** Registers resolver middlewares besides those in src/middlewares and src/api/<api>/middlewares. */
  readonly middlewares: NamedCodeRegistry<MiddlewareFactory | Middleware>;
}

/**
 * The context of `bootstrap`, which runs when all services are open, before the first request.
 *
 * @example
 *   export const bootstrap = async ({ documents, log }: BootstrapContext): Promise<void> => {
 *     log.info({ articles: await documents('api::article.article').count() }, 'ready');
 *   };
 */
export interface BootstrapContext extends ProjectContext {
  /** The Prisma Client generated for the project. */
  readonly prisma: ProjectPrismaClient;
}

/** The context of `destroy`, which runs when the server stops or is replaced, before services are closed. */
export type DestroyContext = BootstrapContext;

/**
 * The functions that a project's src/index.ts may export, by name or in its default export.
 *
 * @example
 *   import type { RegisterContext } from 'galley';
 *   export const register = ({ fastify }: RegisterContext) => {
 *     fastify.get('/hello', async () => ({ hello: 'world' }));
 *   };
 */
export interface Extensions {
  readonly register?: (context: RegisterContext) => void | Promise<void>;
  readonly bootstrap?: (context: BootstrapContext) => void | Promise<void>;
  readonly destroy?: (context: DestroyContext) => void | Promise<void>;
}

const FUNCTION_NAMES: readonly (keyof Extensions)[] = ['register', 'bootstrap', 'destroy'];

const lifecycleFunction = (
  exported: unknown,
  source: ProjectFunction,
): ((context: unknown) => Promise<void>) | undefined => {
  const { file, name } = source;
  const exportedFunction = propertyOf(exported, name);
  if (exportedFunction === undefined) return undefined;
  if (typeof exportedFunction !== 'function')
    throw createError('project/module-load-failed', { file, reason: `${name} is not a function` });
  return async (context) => {
    try {
      await Reflect.apply(exportedFunction, undefined, [context]);
    } catch (error) {
      throw projectCodeError(source, error);
    }
  };
};

/**
 * Loads src/index of a project: TypeScript, or JavaScript in a JavaScript project. Returns no functions if
 * the project has no such file.
 *
 * @throws `project/module-load-failed`
 */
export async function loadExtensions(root: string, loader: ModuleLoader): Promise<Extensions> {
  const entry = createCodeFinder(root).findModule(join(root, 'src'), 'index');
  if (entry === undefined) return {};
  const file = relativePath(root, entry.file);
  const loaded = await loadProjectModule({ root, loader }, entry.file);
  const entries = FUNCTION_NAMES.flatMap((name) => {
    const found = lifecycleFunction(loaded, { root, file, name });
    return found === undefined ? [] : [[name, found] as const];
  });
  return Object.fromEntries(entries);
}
