/**
 * The room project is the composition root. This file opens the app of a project, from open-project.ts
 * (files), open-database.ts and open-services.ts.
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Access } from '../../access/access.js';
import type { ModuleLoader } from '../../config/module-loader.js';
import type { Database } from '../../database/database.js';
import { createProjectDocuments } from '../../documents/create-repository.js';
import type { DocumentService } from '../../documents/documents.js';
import { createDueReleases } from '../../documents/releases/releases.js';
import { startScheduleRunner } from '../../documents/schedules/schedule-documents.js';
import type { ScheduleEntry } from '../../documents/schedules/schedule-store.js';
import { createError } from '../../errors/catalogue.js';
import { createDisposer } from '../../lib/resources.js';
import type { MediaLibrary } from '../../media/media.js';
import { NO_LOCALE } from '../../model/model.js';
import type { McpServices } from '../../api/mcp/mcp-services.js';
import { createServer } from '../../server/create-server.js';
import type { Logger } from '../../server/logger.js';
import { openStrapi } from '../../strapi/open-strapi.js';
import type { OpenStrapi } from '../../strapi/open-strapi.js';
import { loadExtensions } from './extensions.js';
import type { BootstrapContext, Extensions } from './extensions.js';
import { createProjectGraphql } from './graphql-extension.js';
import type { ProjectGraphql } from './graphql-extension.js';
import type { Project } from './open-project.js';
import { trackRequests } from './track-requests.js';
import { openServices } from './open-services.js';
import type { AppOptions, AppServices } from './open-services.js';

const describe = ({ type, documentId, locale }: ScheduleEntry): string =>
  `${type} ${documentId}${locale === NO_LOCALE ? '' : ` in ${locale}`}`;

/** Starts publishing and unpublishing documents at scheduled times. Returns a function that stops it. */
function openSchedules(
  { opened, documents, access }: Pick<AppServices, 'opened' | 'documents' | 'access'>,
  logger: Logger,
): () => Promise<void> {
  const { database, project } = opened;
  const runner = startScheduleRunner({
    database,
    model: project.model,
    documents,
    actors: opened.log.actors,
    onDone: (entry) =>
      logger.info(
        `${entry.action === 'publish' ? 'Published' : 'Unpublished'} ${describe(entry)} as scheduled`,
      ),
    onFailed: (entry, message, error) =>
      logger.warn({ err: error }, `Could not ${entry.action} ${describe(entry)} as scheduled: ${message}`),
    releases: createDueReleases({
      database,
      model: project.model,
      documents,
      locales: access.locales,
      log: opened.log,
    }),
    onRelease: (name, failure) => {
      if (failure === null) logger.info(`Published the release ${name} as scheduled`);
      else
        logger.warn(
          { err: failure.error },
          `Could not publish the release ${name} as scheduled: ${failure.message}`,
        );
    },
    onError: (error) => logger.error({ err: error }, 'The scheduled actions could not be run'),
  });
  return runner.stop;
}

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
  /** Creates the services of clients of the Model Context Protocol. */
  readonly createMcp: () => Promise<McpServices>;
  /** Returns the context of project code. Reading `prisma` loads Prisma Client. */
  readonly openContext: () => Promise<BootstrapContext>;
  /** Loads and evaluates project code. */
  readonly loader: ModuleLoader;
}

/** Returns a listener that logs errors of closing, so that they do not replace the first error. */
const logCloseError =
  (logger: Logger) =>
  (error: unknown): void =>
    logger.error({ err: error }, 'A service could not be closed');

/** The loaded project code, and its `strapi` object. */
interface OpenProjectCode {
  readonly graphql: ProjectGraphql;
  readonly strapi: OpenStrapi;
  readonly extensions: Extensions;
  /** The part of the context that exists before `register` runs. */
  readonly context: Omit<BootstrapContext, 'prisma'>;
  readonly openContext: App['openContext'];
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
    objects: services.objects,
    hooks,
    media,
    changes,
    webhooks: services.webhooks.registry,
    projectDocuments: documents,
    graphql: graphql.service,
    strapi: graphql.app,
    ...graphql.created,
  });
  const context = { config, model, log: logger, documents, strapi: graphql.app };
  return {
    graphql,
    strapi,
    extensions: await loadExtensions(root, strapi.loader),
    context,
    openContext: async () => {
      const loadClient = await opened.database.prepareClient();
      return {
        ...context,
        get prisma() {
          return loadClient();
        },
      };
    },
  };
};

const createMcp = async (services: AppServices, { strapi }: OpenProjectCode): Promise<McpServices> => {
  const { createMcpServices } = await import('./create-mcp.js');
  const { loader, registrations, routes } = strapi;
  return createMcpServices(services, { routes: routes.list, loader, registrations });
};

/**
 * Yields the plugins that run the project's `register` and serve requests. Modules of transports are loaded
 * only if requests are served.
 */
async function* createPlugins(
  services: AppServices,
  code: OpenProjectCode,
  { logger, schemaEditor, serves = true }: AppOptions,
): AsyncIterable<FastifyPluginAsync> {
  const { graphql, strapi, extensions, context } = code;
  const { service, policies, middlewares } = graphql;
  let isServing = serves;
  yield fastifyPlugin(async (fastify) => {
    // Fastify closes only a listening server. The timer of an open one would keep the whole app in memory.
    fastify.addHook('onClose', async ({ server }) => void server.close());
    strapi.routes.connect(fastify);
    await strapi.register();
    await extensions.register?.({
      ...context,
      get fastify() {
        isServing = true;
        return fastify;
      },
      graphql: service,
      policies,
      middlewares,
    });
  });
  yield* strapi.routes.plugins;
  if (!isServing) return;
  const { createTransports } = await import('./create-transports.js');
  const { createMcpPlugins } = await import('./create-mcp.js');
  yield* createTransports(services, await graphql.createExtension(), strapi.routes.list);
  const schemas = schemaEditor ?? null;
  yield* createMcpPlugins(services, await createMcp(services, code), { logger, schemas });
}

const createAppServer = async (
  services: AppServices,
  code: OpenProjectCode,
  { onClose, ...options }: AppOptions & { readonly onClose: () => Promise<void> },
): Promise<FastifyInstance> => {
  const { strapi, extensions, openContext } = code;
  const { opened, access, metrics, tracing } = services;
  const { config } = opened.project;
  const { logger } = options;
  const onError = (error: unknown): void =>
    logger.error({ err: error }, 'A rejected request could not be logged');
  const destroy = async (): Promise<void> => extensions.destroy?.(await openContext());
  let isBootstrapped = false;
  const close = async (): Promise<void> => {
    if (isBootstrapped) {
      await destroy().catch(logCloseError(logger));
      await strapi.destroy().catch(logCloseError(logger));
    }
    await onClose();
  };
  const fastify = await createServer({
    // Without requests, the modules of compression need not load.
    config: options.serves === false ? { ...config.server, compression: false } : config.server,
    logger,
    plugins: createPlugins(services, code, options),
    onDone: metrics?.observeRequest,
    trace: tracing?.traceRequests,
    track: (tracked) => trackRequests(tracked, { project: opened.project, log: opened.log, access, onError }),
    onClose: close,
    readiness: services.schema.readiness,
  });
  try {
    await strapi.bootstrap();
    await extensions.bootstrap?.(await openContext());
    strapi.start();
    isBootstrapped = true;
    return fastify;
  } catch (error) {
    await fastify.close().catch(logCloseError(logger));
    throw error;
  }
};

/** Throws if config/ restricts access with an option that has no effect in Galley. */
const assertApplied = ({ strapiConfig: { refused } }: Project): void => {
  if (refused.length === 0) return;
  const options = refused.map(({ place, path, reason }) => `${place} ${path} ${reason}`).join('\n');
  throw createError('strapi/unapplied-options', { options });
};

/**
 * Opens a project's app: database, access, documents, project code and routes. If a step fails, everything
 * opened so far is closed in reverse order.
 *
 * @throws `strapi/unapplied-options`, `project/pending-migrations`, `project/module-load-failed`, and the
 *   errors of project code
 */
export async function openApp(project: Project, options: AppOptions): Promise<App> {
  const { logger } = options;
  assertApplied(project);
  const disposer = createDisposer();
  try {
    const services = await openServices(project, options, disposer);
    const code = await openProjectCode(services, logger);
    const fastify = await createAppServer(services, code, { ...options, onClose: disposer.close });
    // The hooks of project code are registered now.
    if (options.runsSchedules === true) disposer.add(openSchedules(services, logger));
    const { opened, access, documents, media } = services;
    return {
      project,
      fastify,
      database: opened.database,
      access,
      documents,
      media,
      createMcp: () => createMcp(services, code),
      openContext: code.openContext,
      loader: code.strapi.loader,
    };
  } catch (error) {
    await disposer.close().catch(logCloseError(logger));
    throw error;
  }
}
