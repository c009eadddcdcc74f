import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Access } from '../access/access.js';
import type { ModuleLoader } from '../config/module-loader.js';
import type { Database } from '../database/database.js';
import type { DocumentService } from '../documents/documents.js';
import { createProjectDocuments } from '../documents/repository/project-documents.js';
import { createDisposer } from '../lib/disposer.js';
import type { MediaLibrary } from '../media/media.js';
import { createShortcuts } from '../http/shortcuts.js';
import { createShortRouting } from '../server/answer-shortly.js';
import { createServer } from '../server/create-server.js';
import { setRouting } from '../server/routing.js';
import type { Logger } from '../server/logger.js';
import { openStrapi } from '../strapi/open-strapi.js';
import type { OpenStrapi } from '../strapi/open-strapi.js';
import { createTransports } from './create-transports.js';
import { loadExtensions } from './extensions.js';
import type { BootstrapContext, Extensions } from './extensions.js';
import { createProjectGraphql } from './graphql-extension.js';
import type { ProjectGraphql } from './graphql-extension.js';
import type { Project } from './open-project.js';
import { openServices } from './open-services.js';
import type { AppOptions, AppServices } from './open-services.js';
import { watchHooks } from './watch-hooks.js';
import type { WatchedHooks } from './watch-hooks.js';

/**
 * A project's HTTP application, which does not listen yet. Closing `fastify` closes all services of the
 * project.
 */
export interface App {
  readonly project: Project;
  readonly fastify: FastifyInstance;
  readonly database: Database;
  readonly access: Access;
  readonly documents: DocumentService;
  readonly media: MediaLibrary;
  /** What the project's own code has in scope. */
  readonly context: BootstrapContext;
  /** Evaluates the project's own code. */
  readonly loader: ModuleLoader;
}

/** Returns a listener that logs errors of closing, so that the first error is the one that is thrown. */
const logCloseError =
  (logger: Logger) =>
  (error: unknown): void =>
    logger.error({ err: error }, 'Something could not be closed');

/** The project's own code, loaded, and what `strapi` is in it. */
interface OpenProjectCode {
  readonly graphql: ProjectGraphql;
  readonly strapi: OpenStrapi;
  readonly extensions: Extensions;
  /** What is known before `register`. */
  readonly context: Omit<BootstrapContext, 'prisma'>;
}

const openProjectCode = async (services: AppServices, logger: Logger): Promise<OpenProjectCode> => {
  const { access, accounts, changes, hooks, media, opened } = services;
  const { root, config, definitions, model } = opened.project;
  const documents = createProjectDocuments({
    model,
    documents: services.documents,
    defaultLocale: access.locales.defaultCode,
    hooks,
  });
  const graphql = createProjectGraphql({ project: opened.project, documents, log: logger });
  const strapi = await openStrapi({
    root,
    config,
    definitions,
    model,
    log: logger,
    database: opened.database,
    access,
    accounts: accounts.context,
    documents: services.documents,
    versions: services.versions,
    hooks,
    media,
    changes,
    projectDocuments: documents,
    graphql: graphql.service,
    strapi: graphql.app,
    ...graphql.created,
  });
  return {
    graphql,
    strapi,
    extensions: await loadExtensions(root, strapi.loader),
    context: { config, model, log: logger, documents, strapi: graphql.app },
  };
};

const createAppServer = async (
  services: AppServices,
  { graphql, strapi, extensions, context }: OpenProjectCode,
  { logger, onClose }: { readonly logger: Logger; readonly onClose: () => Promise<void> },
): Promise<FastifyInstance> => {
  const { opened } = services;
  const { config } = opened.project;
  const { service, policies, middlewares, extension } = graphql;
  let hooks: WatchedHooks | null = null;
  const shortcuts = createShortcuts(() => hooks === null || hooks.seesRequests());
  const register = fastifyPlugin(async (fastify) => {
    hooks = watchHooks(fastify);
    await strapi.register();
    await extensions.register?.({ ...context, fastify, graphql: service, policies, middlewares });
  });
  const runContext = { ...context, prisma: opened.database.client };
  let isBootstrapped = false;
  const close = async (): Promise<void> => {
    if (isBootstrapped) {
      await Promise.resolve(extensions.destroy?.(runContext)).catch(logCloseError(logger));
      await strapi.destroy().catch(logCloseError(logger));
    }
    await onClose();
  };
  const fastify = await createServer({
    config: config.server,
    logger,
    plugins: [
      register,
      ...strapi.routes,
      async () => hooks?.end(),
      ...createTransports(services, extension, {
        sendsText: () => hooks?.seesAnswers() === true,
        shortcuts,
      }),
    ],
    onClose: close,
    readiness: services.schema.readiness,
  });
  setRouting(fastify, createShortRouting(fastify, { shortcuts, logger }));
  try {
    await strapi.bootstrap();
    await extensions.bootstrap?.(runContext);
    strapi.start();
    isBootstrapped = true;
    return fastify;
  } catch (error) {
    await fastify.close().catch(logCloseError(logger));
    throw error;
  }
};

/**
 * Opens a project's app: database, access, documents, the project's own code and routes. If a step fails,
 * everything opened so far is closed in reverse order.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, and what the project's own code throws
 */
export async function openApp(project: Project, options: AppOptions): Promise<App> {
  const { logger } = options;
  const disposer = createDisposer();
  try {
    const services = await openServices(project, options, disposer);
    const code = await openProjectCode(services, logger);
    const fastify = await createAppServer(services, code, { logger, onClose: disposer.close });
    const { opened, access, documents, media } = services;
    return {
      project,
      fastify,
      database: opened.database,
      access,
      documents,
      media,
      context: { ...code.context, prisma: opened.database.client },
      loader: code.strapi.loader,
    };
  } catch (error) {
    await disposer.close().catch(logCloseError(logger));
    throw error;
  }
}
