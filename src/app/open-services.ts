import type { Access } from '../access/access.js';
import { createAccess } from '../access/create-access.js';
import { accountSettings } from '../config/account-settings.js';
import { NO_REVISIONS } from '../database/revision-source.js';
import type { RevisionSource } from '../database/revision-source.js';
import { createChangeFeed } from '../documents/changes/change-feed.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import { createCountMemory } from '../documents/count-memory.js';
import type { DocumentService } from '../documents/documents.js';
import type { VersionStore } from '../documents/operations/version-store.js';
import { createDocumentHooks } from '../documents/hooks.js';
import type { DocumentHooks } from '../documents/hooks.js';
import type { Disposer } from '../lib/disposer.js';
import type { MediaLibrary } from '../media/media.js';
import type { Logger } from '../server/logger.js';
import { announceAccessChanges } from './announce-access-changes.js';
import { openAccounts } from './open-accounts.js';
import type { Accounts } from './open-accounts.js';
import { openDocuments } from './open-documents.js';
import { openProjectDatabase } from './open-project-database.js';
import type { OpenProject } from './open-project-database.js';
import type { Project } from './open-project.js';
import { openRevisionSource } from './open-revision-source.js';
import type { ClientOptions } from './project-client.js';
import { openReadUsages } from './read-advice/open-read-usages.js';
import { createSchemaWatch } from './schema-watch.js';
import type { SchemaWatch } from './schema-watch.js';

export interface AppOptions extends ClientOptions {
  readonly logger: Logger;
  /** Whether the log tells when another release migrates the database. `/_ready` tells it in any case. */
  readonly watchesSchema?: boolean;
  /** What becomes of reads that take long: they are told in the log, or counted in the database. */
  readonly slowReads?: 'told' | 'counted';
}

/** The services that the routes need. */
export interface AppServices {
  readonly opened: OpenProject;
  readonly revisions: RevisionSource;
  readonly access: Access;
  readonly documents: DocumentService;
  readonly versions: VersionStore;
  readonly media: MediaLibrary;
  readonly hooks: DocumentHooks;
  readonly accounts: Accounts;
  readonly changes: ChangeFeed;
  readonly schema: SchemaWatch;
}

/** Opens the services in order. Adds each one to the disposer as soon as it is open. */
export async function openServices(
  project: Project,
  { logger, watchesSchema = false, slowReads, ...client }: AppOptions,
  disposer: Disposer,
): Promise<AppServices> {
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
  announceAccessChanges(hooks, access);
  const usages = openReadUsages({ project, database, logger, slowReads }, disposer);
  const { documents, media, versions } = await openDocuments(
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
  return { opened, revisions, access, documents, media, versions, hooks, accounts, changes, schema };
}

/** Whether answers and counts are remembered. */
export function isRemembering({ config }: Project, revisions: RevisionSource): boolean {
  return config.api.memory.megabytes > 0 && revisions !== NO_REVISIONS;
}
