/**
 * The room project is the composition root. This file opens the app of a project, from open-project.ts
 * (files), open-database.ts and open-services.ts.
 */
import type { FastifyInstance } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Access } from '../../access/access.js';
import type { ModuleLoader } from '../../config/module-loader.js';
import type { Database } from '../../database/database.js';
import { createProjectDocuments } from '../../documents/create-repository.js';
import type { DocumentService } from '../../documents/documents.js';
import { startScheduleRunner } from '../../documents/schedules/schedule-documents.js';
import type { ScheduleEntry } from '../../documents/schedules/schedule-store.js';
import { createError } from '../../errors/catalogue.js';
import { createDisposer } from '../../lib/resources.js';
import type { MediaLibrary } from '../../media/media.js';
import { NO_LOCALE } from '../../model/model.js';
import type { McpServices, SchemaEditor } from '../../api/mcp/mcp-services.js';
import { createServer } from '../../server/create-server.js';
import type { Logger } from '../../server/logger.js';
import { openStrapi } from '../../strapi/open-strapi.js';
import type { OpenStrapi } from '../../strapi/open-strapi.js';
import { createMcpPlugins, createMcpServices } from './create-mcp.js';
import { createTransports } from './create-transports.js';
import { loadExtensions } from './extensions.js';
import type { BootstrapContext, Extensions } from './extensions.js';
import { trackRequests } from './open-log.js';
import { createProjectGraphql } from './graphql-extension.js';
import type { ProjectGraphql } from './graphql-extension.js';
import type { Project } from './open-project.js';
import { openServices } from './open-services.js';
import type { AppOptions, AppServices } from './open-services.js';

const describe = ({ type, documentId, locale }: ScheduleEntry): string =>
  `${type} ${documentId}${locale === NO_LOCALE ? '' : ` in ${locale}`}`;

/** Starts publishing and unpublishing documents at scheduled times. Returns a function that stops it. */
function openSchedules(
  { opened, documents }: Pick<AppServices, 'opened' | 'documents'>,
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
  /** The services of clients of the Model Context Protocol. */
  readonly mcp: McpServices;
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

interface AppServerOptions {
  readonly logger: Logger;
  readonly mcp: McpServices;
  readonly schemaEditor: SchemaEditor | null;
  readonly onClose: () => Promise<void>;
}

const createAppServer = async (
  services: AppServices,
  { graphql, strapi, extensions, context, openContext }: OpenProjectCode,
  { logger, mcp, schemaEditor, onClose }: AppServerOptions,
): Promise<FastifyInstance> => {
  const { opened } = services;
  const { config } = opened.project;
  const { metrics, tracing } = services;
  const { service, policies, middlewares, extension } = graphql;
  const onError = (error: unknown): void =>
    logger.error({ err: error }, 'A rejected request could not be logged');
  const register = fastifyPlugin(async (fastify) => {
    // Fastify closes only a listening server. The timer of an open one would keep the whole app in memory.
    fastify.addHook('onClose', async ({ server }) => void server.close());
    strapi.routes.connect(fastify);
    await strapi.register();
    await extensions.register?.({ ...context, fastify, graphql: service, policies, middlewares });
  });
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
    config: config.server,
    logger,
    plugins: [
      register,
      ...strapi.routes.plugins,
      ...createTransports(services, extension, strapi.routes.list),
      ...createMcpPlugins(services, mcp, { logger, schemas: schemaEditor }),
    ],
    onDone: metrics?.observeRequest,
    trace: tracing?.traceRequests,
    track: (tracked) =>
      trackRequests(tracked, { project: opened.project, log: opened.log, access: services.access, onError }),
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
    const mcp = createMcpServices(services, {
      routes: code.strapi.routes.list,
      loader: code.strapi.loader,
      registrations: code.strapi.registrations,
    });
    const { schemaEditor = null } = options;
    const fastify = await createAppServer(services, code, {
      logger,
      mcp,
      schemaEditor,
      onClose: disposer.close,
    });
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
      mcp,
      openContext: code.openContext,
      loader: code.strapi.loader,
    };
  } catch (error) {
    await disposer.close().catch(logCloseError(logger));
    throw error;
  }
}
