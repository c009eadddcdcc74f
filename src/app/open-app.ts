import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Access } from '../access/access.js';
import { createAccess } from '../access/create-access.js';
import { peopleSettings } from '../config/people.js';
import type { Database } from '../database/database.js';
import { announceChanges } from '../documents/changes/announce-changes.js';
import { createChangeFeed } from '../documents/changes/change-feed.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import { createDocumentService } from '../documents/create-document-service.js';
import type { DocumentService } from '../documents/documents.js';
import { createDocumentHooks } from '../documents/hooks.js';
import type { DocumentHooks } from '../documents/hooks.js';
import { createMediaLibrary } from '../media/create-media-library.js';
import type { MediaLibrary } from '../media/media.js';
import type { OnKept } from '../mail/mail.js';
import { createRestPlugin } from '../rest/rest-plugin.js';
import { createUploadPlugin } from '../rest/upload/upload-plugin.js';
import { createServer } from '../server/create-server.js';
import type { Logger } from '../server/logger.js';
import { loadExtensions } from './extensions.js';
import { createProjectGraphql } from './graphql-extension.js';
import type { Extensions, RegisterContext } from './extensions.js';
import { withFilesKept } from './file-documents.js';
import { createFileHooks } from './file-hooks.js';
import { createGraphqlPlugins } from './graphql-plugins.js';
import { openPeople } from './open-people.js';
import type { People } from './open-people.js';
import { openProjectDatabase } from './open-project-database.js';
import type { OpenProject } from './open-project-database.js';
import type { Project } from './open-project.js';
import type { ClientOptions } from './project-client.js';

/** A project's whole service, ready to be put behind a socket. Closing `fastify` closes all of it. */
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
}

/** Marks a plugin whose hooks and routes belong to the whole application, as Fastify's own plugin helper does. */
const UNENCAPSULATED = Symbol.for('skip-override');

const registerPlugin = (register: NonNullable<Extensions['register']>, context: Omit<RegisterContext, 'fastify'>): FastifyPluginAsync =>
  Object.assign(async (fastify: FastifyInstance) => register({ ...context, fastify }), { [UNENCAPSULATED]: true });

interface Running {
  readonly open: OpenProject;
  readonly access: Access;
  readonly documents: DocumentService;
  readonly media: MediaLibrary;
  readonly hooks: DocumentHooks;
  readonly people: People;
  readonly changes: ChangeFeed;
}

const assemble = async ({ open, access, documents, media, hooks, people, changes }: Running, extensions: Extensions, logger: Logger): Promise<FastifyInstance> => {
  const { config, model } = open.project;
  const { prefix, ...limits } = config.api.rest;
  const { directory, sizeLimit, maxFiles } = config.upload;
  const rest = { model, documents, access, prefix, limits };
  const accounts = { ...rest, people: people.context };
  const graphql = createProjectGraphql({ project: open.project, documents, defaultLocale: access.locales.defaultCode, log: logger });
  const { service, policies, middlewares, app: strapi, extension } = graphql;
  const register = extensions.register === undefined ? [] : [registerPlugin(extensions.register, { config, model, log: logger, documents: hooks, graphql: service, policies, middlewares, strapi })];
  const fastify = await createServer({
    config: config.server,
    logger,
    plugins: [...register, createRestPlugin(accounts), createUploadPlugin({ ...rest, media, directory, sizeLimit, maxFiles }), ...createGraphqlPlugins({ root: open.project.root, config, model, documents, access, people: people.context, media, extension, changes })],
    onClose: async () => {
      await changes.close();
      await people.close();
      await media.close();
      await access.close();
      await open.close();
    },
  });
  await extensions.bootstrap?.({ config, model, log: logger, documents, prisma: open.database.client });
  return fastify;
};

/**
 * Opens a project's service: database, rights, documents, routes, and the project's own entry.
 *
 * @throws `project/pending-migrations`, `project/broken-entry`, and whatever the project's own code throws
 */
export async function openApp(project: Project, { logger, ...client }: AppOptions): Promise<App> {
  const extensions = await loadExtensions(project.root);
  const open = await openProjectDatabase(project, client);
  const { config, model } = project;
  const onError = (error: unknown): void => logger.error({ err: error }, 'in the background');
  const hooks = createDocumentHooks({ onError: (error) => logger.error({ err: error }, 'A hook failed after the write was done') });
  const requiresConfirmation = peopleSettings(config).emailConfirmation;
  const access = await createAccess({ context: open.context, jwtSecret: config.secrets.jwtSecret, requiresConfirmation, defaultLocale: config.i18n.defaultLocale, onError });
  const stored = createDocumentService({ database: open.database, model, locales: access.locales, hooks });
  announceChanges({ database: open.database, model, hooks });
  const changes = createChangeFeed({ database: open.database, hooks, onError });
  const media = await createMediaLibrary({ database: open.database, model, config: config.upload, hooks: createFileHooks({ hooks, documents: stored, model }), onError }).catch(async (error: unknown) => {
    await access.close();
    await open.close();
    throw error;
  });
  const documents = withFilesKept(stored, media);
  try {
    const onKept: OnKept = (kept) => logger.info(kept, 'a message was kept instead of sent');
    const people = await openPeople({ project, database: open.database, documents, onError, onKept });
    const fastify = await assemble({ open, access, documents, media, hooks, people, changes }, extensions, logger);
    return { project, fastify, database: open.database, access, documents, media };
  } catch (error) {
    await media.close();
    await access.close();
    await open.close();
    throw error;
  }
}
