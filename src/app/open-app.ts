import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { fastifyPlugin } from 'fastify-plugin';
import type { Access } from '../access/access.js';
import { createAccess } from '../access/create-access.js';
import { accountSettings } from '../config/account-settings.js';
import type { Database } from '../database/database.js';
import { NO_REVISIONS } from '../database/revision-source.js';
import type { RevisionSource } from '../database/revision-source.js';
import { createCountMemory } from '../documents/count-memory.js';
import { createChangeFeed } from '../documents/changes/change-feed.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import type { DocumentService } from '../documents/documents.js';
import { createDocumentHooks } from '../documents/hooks.js';
import type { DocumentHooks } from '../documents/hooks.js';
import { createProjectDocuments } from '../documents/repository/project-documents.js';
import type { SchemaExtension } from '../graphql/schema/switches.js';
import { createDisposer } from '../lib/disposer.js';
import type { Disposer } from '../lib/disposer.js';
import type { MediaLibrary } from '../media/media.js';
import { createAnswerMemory } from '../documents/answers/answer-memory.js';
import type { AnswerMemory } from '../documents/answers/answer-memory.js';
import { createRestPlugin } from '../rest/rest-plugin.js';
import { createUploadPlugin } from '../rest/upload/upload-plugin.js';
import { createServer } from '../server/create-server.js';
import type { Logger } from '../server/logger.js';
import { loadExtensions } from './extensions.js';
import { createProjectGraphql } from './graphql-extension.js';
import type { Extensions } from './extensions.js';
import { createGraphqlPlugins } from './graphql-plugins.js';
import { createLandingPlugins } from './landing-plugins.js';
import { openAccounts } from './open-accounts.js';
import type { Accounts } from './open-accounts.js';
import { openDocuments } from './open-documents.js';
import { openRevisionSource } from './open-revision-source.js';
import { openProjectDatabase } from './open-project-database.js';
import { openReadUsages } from './read-advice/open-read-usages.js';
import type { OpenProject } from './open-project-database.js';
import type { Project } from './open-project.js';
import type { ClientOptions } from './project-client.js';
import { watchSendHooks } from './watch-send-hooks.js';
import { createSchemaWatch } from './schema-watch.js';
import type { SchemaWatch } from './schema-watch.js';

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
}

export interface AppOptions extends ClientOptions {
  readonly logger: Logger;
  /** Whether the log tells when another release migrates the database. `/_ready` tells it in any case. */
  readonly watchesSchema?: boolean;
  /** What becomes of reads that take long: they are told in the log, or counted in the database. */
  readonly slowReads?: 'told' | 'counted';
}

const MEGABYTE = 1024 * 1024;

/** The services that the routes need. */
interface AppServices {
  readonly opened: OpenProject;
  readonly revisions: RevisionSource;
  readonly access: Access;
  readonly documents: DocumentService;
  readonly media: MediaLibrary;
  readonly hooks: DocumentHooks;
  readonly accounts: Accounts;
  readonly changes: ChangeFeed;
  readonly schema: SchemaWatch;
}

/** Returns a listener that logs errors of closing, so that the first error is the one that is thrown. */
const logCloseError =
  (logger: Logger) =>
  (error: unknown): void =>
    logger.error({ err: error }, 'Something could not be closed');

/** Opens the services in order. Adds each one to the disposer as soon as it is open. */
const openServices = async (
  project: Project,
  { logger, watchesSchema = false, slowReads, ...client }: AppOptions,
  disposer: Disposer,
): Promise<AppServices> => {
  const { config, model } = project;
  const opened = await openProjectDatabase(project, {
    ...client,
    onWarning: (message) => logger.warn(message),
  });
  disposer.add(opened.close);
  const { database } = opened;
  const revisions = await openRevisionSource(opened, logger);
  disposer.add(revisions.close);
  const onError = (error: unknown): void => logger.error({ err: error }, 'A background task failed');
  const hooks = createDocumentHooks({
    onError: (error) => logger.error({ err: error }, 'A hook failed after the write was done'),
  });
  const access = await createAccess({
    context: opened.context,
    jwtSecret: config.secrets.jwtSecret,
    requiresConfirmation: accountSettings(config).emailConfirmation,
    defaultLocale: config.i18n.defaultLocale,
    onError,
  });
  disposer.add(access.close);
  const usages = openReadUsages({ project, database, logger, slowReads }, disposer);
  const { documents, media } = await openDocuments(
    {
      config,
      model,
      database,
      locales: access.locales,
      hooks,
      countRows: isRemembering(project, revisions) ? createCountMemory(model, revisions) : undefined,
      usages,
      onError,
    },
    disposer,
  );
  const accounts = await openAccounts({
    project,
    database,
    documents,
    onError,
    onMessageSaved: (message) => logger.info(message, 'A message was written to a file instead of sent'),
  });
  disposer.add(accounts.close);
  const changes = createChangeFeed({ database, hooks, onError });
  disposer.add(changes.close);
  const schema = await createSchemaWatch({ project, database, logger, isTimed: watchesSchema });
  disposer.add(schema.close);
  return { opened, revisions, access, documents, media, hooks, accounts, changes, schema };
};

const isRemembering = ({ config }: Project, revisions: RevisionSource): boolean =>
  config.api.memory.megabytes > 0 && revisions !== NO_REVISIONS;

const createAnswers = ({ opened, revisions, hooks }: AppServices): AnswerMemory | undefined => {
  const { config, model } = opened.project;
  const { megabytes, remembersDrafts } = config.api.memory;
  if (!isRemembering(opened.project, revisions)) return undefined;
  return createAnswerMemory({
    model,
    revisions,
    maxBytes: megabytes * MEGABYTE,
    remembersDrafts,
    hasMiddleware: hooks.hasMiddleware,
  });
};

/** How much larger than that of one document the body of a bulk may be. */
const BULK_BODY_FACTOR = 16;

const createTransports = (
  services: AppServices,
  extension: SchemaExtension,
  { sendsText }: { readonly sendsText: () => boolean },
): readonly FastifyPluginAsync[] => {
  const { opened, access, documents, media, accounts, changes, hooks } = services;
  const { config, definitions, model, root } = opened.project;
  const { prefix, maxBulk, ...limits } = config.api.rest;
  const { directory, sizeLimit, maxFiles } = config.upload;
  const bulkBodyLimit = BULK_BODY_FACTOR * config.server.bodyLimit;
  const rest = { model, documents, access, prefix, limits, maxBulk, bulkBodyLimit };
  const answers = createAnswers(services);
  return [
    createRestPlugin({
      ...rest,
      definitions,
      accounts: accounts.context,
      sendsText,
      ...(answers === undefined ? {} : { answers }),
    }),
    createUploadPlugin({ ...rest, media, directory, sizeLimit, maxFiles }),
    ...createGraphqlPlugins({
      root,
      config,
      model,
      documents,
      access,
      accounts: accounts.context,
      media,
      extension,
      changes,
      hooks,
    }),
    ...createLandingPlugins(opened.project, opened.database),
  ];
};

const createAppServer = async (
  services: AppServices,
  { register, bootstrap, destroy }: Extensions,
  { logger, onClose }: { readonly logger: Logger; readonly onClose: () => Promise<void> },
): Promise<FastifyInstance> => {
  const { access, hooks, opened } = services;
  const { config, model } = opened.project;
  const documents = createProjectDocuments({
    model,
    documents: services.documents,
    defaultLocale: access.locales.defaultCode,
    hooks,
  });
  const graphql = createProjectGraphql({ project: opened.project, documents, log: logger });
  const { service, policies, middlewares, app: strapi, extension } = graphql;
  const context = { config, model, log: logger, documents, strapi };
  let sendsText = (): boolean => false;
  const registerExtensions = fastifyPlugin(async (fastify) => {
    sendsText = watchSendHooks(fastify);
    await register?.({ ...context, fastify, graphql: service, policies, middlewares });
  });
  const runContext = { ...context, prisma: opened.database.client };
  let isBootstrapped = false;
  const close = async (): Promise<void> => {
    if (isBootstrapped) await Promise.resolve(destroy?.(runContext)).catch(logCloseError(logger));
    await onClose();
  };
  const fastify = await createServer({
    config: config.server,
    logger,
    plugins: [registerExtensions, ...createTransports(services, extension, { sendsText: () => sendsText() })],
    onClose: close,
    readiness: services.schema.readiness,
  });
  try {
    await bootstrap?.(runContext);
    isBootstrapped = true;
    return fastify;
  } catch (error) {
    await fastify.close().catch(logCloseError(logger));
    throw error;
  }
};

/**
 * Opens a project's app: database, access, documents, routes and the project's own code. If a step fails,
 * everything opened so far is closed in reverse order.
 *
 * @throws `project/pending-migrations`, `project/module-load-failed`, and what the project's own code throws
 */
export async function openApp(project: Project, options: AppOptions): Promise<App> {
  const { logger } = options;
  const disposer = createDisposer();
  try {
    const extensions = await loadExtensions(project.root);
    const services = await openServices(project, options, disposer);
    const fastify = await createAppServer(services, extensions, { logger, onClose: disposer.close });
    const { opened, access, documents, media } = services;
    return { project, fastify, database: opened.database, access, documents, media };
  } catch (error) {
    await disposer.close().catch(logCloseError(logger));
    throw error;
  }
}
