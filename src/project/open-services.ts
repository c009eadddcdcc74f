import type { Access } from '../access/access.js';
import { createAccess } from '../access/create-access.js';
import type { Config } from '../config/config.js';
import type { ReadObjects } from '../database/dialect/read-objects.js';
import type { Database } from '../database/database.js';
import { NO_REVISIONS } from '../database/revision-source.js';
import type { RevisionSource } from '../database/revision-source.js';
import { createChangeFeed } from '../documents/changes/change-feed.js';
import type { ChangeFeed } from '../documents/changes/change-feed.js';
import { createCountCache } from '../documents/read/count-cache.js';
import type { DocumentService } from '../documents/documents.js';
import type { VersionStore } from '../documents/operations/version-store.js';
import { createDocumentHooks } from '../documents/hooks.js';
import type { DocumentHooks } from '../documents/hooks.js';
import type { Disposer } from '../lib/disposer.js';
import type { MediaLibrary } from '../media/media.js';
import type { Logger } from '../server/logger.js';
import { createMetrics } from '../server/telemetry/metrics.js';
import type { Metrics } from '../server/telemetry/metrics.js';
import { openTracing } from '../server/telemetry/tracing.js';
import type { Tracing } from '../server/telemetry/tracing.js';
import { createAccountSettingsSource } from './accounts/account-settings-source.js';
import { announceAccessChanges } from './announce-access-changes.js';
import { openAccounts } from './accounts/open-accounts.js';
import type { Accounts } from './accounts/open-accounts.js';
import { openDocuments } from './open-documents.js';
import { openProjectDatabase } from './open-project-database.js';
import type { OpenProject } from './open-project-database.js';
import type { Project } from './open-project.js';
import { openRevisionSource } from './open-revision-source.js';
import { packageVersion } from './package-version.js';
import { openWebhooks } from './open-webhooks.js';
import type { ProjectWebhooks } from './open-webhooks.js';
import type { ClientOptions } from './project-client.js';
import { openReadUsages } from './read-advice/open-read-usages.js';
import { createSchemaWatch } from './schema-watch.js';
import type { SchemaWatch } from './schema-watch.js';

export interface AppOptions extends ClientOptions {
  readonly logger: Logger;
  /** True if migrations that another release applies are logged. `/_ready` always reports them. */
  readonly watchesSchema?: boolean;
  /** True if the server sends webhook deliveries. Writes store them in either case. */
  readonly sendsWebhooks?: boolean;
  /** True if requests are traced, where an SDK of OpenTelemetry was registered. */
  readonly traces?: boolean;
  /** True if documents are published and unpublished at their times. */
  readonly runsSchedules?: boolean;
  /** The treatment of slow reads. `counted`: in the database. Default: none. */
  readonly slowReads?: 'logged' | 'counted';
}

/** The services that the routes need. */
export interface AppServices {
  readonly opened: OpenProject;
  /** The metrics of the server, if they are enabled. */
  readonly metrics: Metrics | undefined;
  /** The tracing of requests, if an SDK of OpenTelemetry was registered. */
  readonly tracing: Tracing | undefined;
  readonly revisions: RevisionSource;
  readonly access: Access;
  readonly documents: DocumentService;
  readonly versions: VersionStore;
  readonly objects: ReadObjects;
  readonly media: MediaLibrary;
  readonly hooks: DocumentHooks;
  readonly accounts: Accounts;
  readonly changes: ChangeFeed;
  readonly webhooks: ProjectWebhooks;
  readonly schema: SchemaWatch;
}

type ContentServices = Pick<AppServices, 'documents' | 'media' | 'versions' | 'objects' | 'webhooks'>;

interface ContentDependencies {
  readonly project: Project;
  readonly database: Database;
  readonly revisions: RevisionSource;
  readonly hooks: DocumentHooks;
  readonly locales: Access['locales'];
  readonly onError: (error: unknown) => void;
}

/** Opens documents and files, with what is told of them. */
const openContent = async (
  { project, database, revisions, ...parts }: ContentDependencies,
  { logger, slowReads, sendsWebhooks = false }: AppOptions,
  disposer: Disposer,
): Promise<ContentServices> => {
  const { config, model } = project;
  const usages = openReadUsages({ project, database, logger, slowReads }, disposer);
  const webhooks = openWebhooks({ project, database, logger, sends: sendsWebhooks });
  disposer.add(webhooks.close);
  const countRows = isCaching(project, revisions) ? createCountCache(model, revisions) : undefined;
  const opened = await openDocuments(
    { config, model, database, countRows, usages, webhooks, ...parts },
    disposer,
  );
  return { ...opened, webhooks };
};

const openMetrics = async ({ metrics }: Config, disposer: Disposer): Promise<Metrics | undefined> => {
  if ((metrics ?? null) === null) return undefined;
  const created = await createMetrics();
  disposer.add(async () => created.close());
  return created;
};

/** Opens the database, and measures and traces what is done with it from then on. */
const openMeasured = async (
  project: Project,
  options: Parameters<typeof openProjectDatabase>[1],
  { metrics, tracing }: Pick<AppServices, 'metrics' | 'tracing'>,
  disposer: Disposer,
): Promise<OpenProject> => {
  const opened = await openProjectDatabase(project, options);
  disposer.add(opened.close);
  if (metrics === undefined && tracing === undefined) return opened;
  const measured = metrics?.measureDatabase(opened.database) ?? opened.database;
  const database = tracing?.traceDatabase(measured) ?? measured;
  return { ...opened, database, context: { ...opened.context, database } };
};

/** Opens the services in order. Adds each one to the disposer as soon as it is open. */
export async function openServices(
  project: Project,
  options: AppOptions,
  disposer: Disposer,
): Promise<AppServices> {
  const { logger, watchesSchema = false, traces = false, ...client } = options;
  const { config } = project;
  const metrics = await openMetrics(config, disposer);
  const tracing = traces ? openTracing(project.root, packageVersion()) : undefined;
  const opened = await openMeasured(
    project,
    { ...client, readsReplicas: true, onWarning: (message) => logger.warn(message) },
    { metrics, tracing },
    disposer,
  );
  const { database } = opened;
  const revisions = await openRevisionSource(opened, logger);
  disposer.add(revisions.close);
  // Replicas are read from then on, whatever is asked for first.
  if (config.database.replicas.length > 0) void revisions.current();
  const onError = (error: unknown): void => logger.error({ err: error }, 'A background task failed');
  const hooks = createDocumentHooks({
    onError: (error) => logger.error({ err: error }, 'A hook failed after the write was done'),
  });
  const source = createAccountSettingsSource(config, database);
  const access = await createAccess({
    context: opened.context,
    jwtSecret: config.secrets.jwtSecret,
    requiresConfirmation: async () => (await source.current()).emailConfirmation,
    findIncludesDrafts: config.api.findIncludesDrafts,
    defaultLocale: config.i18n.defaultLocale,
    onError,
  });
  disposer.add(access.close);
  announceAccessChanges(hooks, access);
  const content = await openContent(
    { project, database, revisions, hooks, locales: access.locales, onError },
    options,
    disposer,
  );
  const accounts = await openAccounts({
    project,
    database,
    documents: content.documents,
    source,
    onError,
    onMessageSaved: (message) => logger.info(message, 'A message was written to a file instead of sent'),
  });
  disposer.add(accounts.close);
  const changes = createChangeFeed({ database, hooks, onError });
  disposer.add(changes.close);
  const schema = await createSchemaWatch({ project, database, logger, isTimed: watchesSchema });
  disposer.add(schema.close);
  metrics?.addShared(
    'galley_webhooks_pending',
    'Deliveries of webhooks that are still to be sent.',
    content.webhooks.countPending,
  );
  return { opened, metrics, tracing, revisions, access, hooks, accounts, changes, schema, ...content };
}

/** True if responses and counts are cached. */
export function isCaching({ config }: Project, revisions: RevisionSource): boolean {
  return config.api.cache.megabytes > 0 && revisions !== NO_REVISIONS;
}
