import { bumpAccessVersion } from '../../access/access.js';
import type { Access } from '../../access/access.js';
import { createAccess } from '../../access/create-access.js';
import type { Impersonation } from '../../access/impersonation.js';
import type { SchemaEditor } from '../../api/mcp/mcp-services.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import type { ReadObjects } from '../../database/dialect/search-expressions.js';
import { NO_REVISIONS, createRevisionSource } from '../../database/revision-cache.js';
import type { RevisionSource } from '../../database/revision-cache.js';
import { createTagDemand } from '../../documents/changes/announce-changes.js';
import type { TagDemand } from '../../documents/changes/announce-changes.js';
import { createChangeFeed } from '../../documents/changes/change-feed.js';
import type { ChangeFeed } from '../../documents/changes/change-feed.js';
import { createRunTransaction } from '../../documents/document-context.js';
import type { DocumentService, DryRunner } from '../../documents/documents.js';
import { createDocumentHooks } from '../../documents/hooks.js';
import type { DocumentHooks, WriteAction } from '../../documents/hooks.js';
import type { WriteLog } from '../../documents/log/write-log.js';
import { createCountCache } from '../../documents/read/record-reader.js';
import type { VersionStore } from '../../documents/write/version-store.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { Disposer } from '../../lib/resources.js';
import { messageOf } from '../../lib/caught-errors.js';
import type { MediaLibrary } from '../../media/media.js';
import { revisionObjectsOf } from '../../migrations/apply/auxiliary-objects.js';
import { ensureObjects } from '../../migrations/apply/migration-history.js';
import { PERMISSION_UID, ROLE_UID } from '../../model/content-types/builtin-types.js';
import type { Logger } from '../../server/logger.js';
import { createMetrics } from '../../server/telemetry/metrics.js';
import type { Metrics } from '../../server/telemetry/metrics.js';
import { openTracing } from '../../server/telemetry/tracing.js';
import type { Tracing } from '../../server/telemetry/tracing.js';
import { createDocumentService } from '../../documents/create-document-service.js';
import { createAccountSettingsSource, openAccounts } from './open-accounts.js';
import type { Accounts } from './open-accounts.js';
import { migrationTarget, openProjectDatabase } from './open-database.js';
import type { OpenProject } from './open-database.js';
import { openDocuments, openWebhooks } from './open-documents.js';
import type { ProjectWebhooks } from './open-documents.js';
import { startLogSweep } from './open-log.js';
import type { Project } from './open-project.js';
import { packageVersion } from '../package-manifest.js';
import type { ClientOptions } from '../generate.js';
import { openReadUsages } from '../read-advice/record-usages.js';
import { createSchemaWatch } from '../serve/schema-watch.js';
import type { SchemaWatch } from '../serve/schema-watch.js';

const printCause = (error: unknown): string =>
  isGalleyError(error) ? [error.message, error.hint].join(' ').trim() : messageOf(error);

/**
 * Returns the source of revisions, which detects changes of content. Recreates triggers that another tool has
 * dropped. Without triggers the server works, but caches nothing.
 */
async function openRevisionSource(
  { project, database, missingObjects }: OpenProject,
  logger: Logger,
): Promise<RevisionSource> {
  const { model, dialect, config } = project;
  const objects = revisionObjectsOf(model, dialect);
  const missing = missingObjects.length === 0 ? [] : await ensureObjects(migrationTarget(project));
  const lacked = objects.filter(({ name }) => missing.includes(name));
  if (lacked.length > 0) {
    const names = lacked.map(({ name }) => name).join(', ');
    logger.warn(`Responses are not cached, since the database role may not create: ${names}`);
    return NO_REVISIONS;
  }
  return createRevisionSource({
    open: () =>
      database.openRevisions({
        types: model.types.map(({ uid }) => uid),
        parts: objects.flatMap(({ parts }) => parts),
        isStrict: config.api.cache.isStrict,
        onError: (error) =>
          logger.error({ err: error }, 'The database connection of the response cache is lost'),
      }),
    onError: (error) => logger.warn(`Responses are not cached: ${printCause(error)}`),
  });
}

const ACTIONS: readonly WriteAction[] = ['create', 'update', 'delete'];
const ACCESS_TYPES = [ROLE_UID, PERMISSION_UID];

/**
 * Reloads roles and permissions after project code has written them as documents: on this server before the
 * write returns, on other servers soon after.
 */
function announceAccessChanges(hooks: DocumentHooks, access: Pick<Access, 'refresh'>): void {
  for (const action of ACTIONS)
    hooks.observe(
      action,
      async (_events, tx) => {
        await bumpAccessVersion(tx);
        tx.afterCommit(access.refresh);
      },
      ACCESS_TYPES,
    );
}

export interface AppOptions extends ClientOptions {
  readonly logger: Logger;
  /**
   * False if the application receives no requests. Its routes are created only if `register` uses `fastify`.
   * Default: true.
   */
  readonly serves?: boolean;
  /** True to log migrations of another release. `/_ready` always reports them. */
  readonly watchesSchema?: boolean;
  /** True if the server sends webhook deliveries. Writes store them in either case. */
  readonly sendsWebhooks?: boolean;
  /** True to trace requests, if an OpenTelemetry SDK is registered. */
  readonly traces?: boolean;
  /** True to publish and unpublish documents at their scheduled times, and to delete old rows of the log. */
  readonly runsSchedules?: boolean;
  /** The caller of all requests, if only this process sends them. */
  readonly impersonates?: Impersonation;
  /** Changes content-types for clients of the Model Context Protocol. Absent: they cannot be changed. */
  readonly schemaEditor?: SchemaEditor;
  /** The handling of slow reads. `counted` counts them in the database. Default: none. */
  readonly slowReads?: 'logged' | 'counted';
}

/** The services that the routes need. */
export interface AppServices {
  readonly opened: OpenProject;
  /** The metrics of the server, if they are enabled. */
  readonly metrics: Metrics | undefined;
  /** The tracing of requests, if an OpenTelemetry SDK is registered. */
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
  readonly log: WriteLog;
  readonly tagDemand: TagDemand;
  readonly onError: (error: unknown) => void;
}

/** Opens documents and files, with their hooks and events. */
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

/** Opens the database, with metrics and traces of its statements. */
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
  const {
    logger,
    watchesSchema = false,
    traces = false,
    impersonates,
    schemaEditor: _editor,
    serves: _serves,
    ...client
  } = options;
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
  // Opens the revisions now, since replicas serve reads only with them.
  if (config.database.replicas.length > 0) void revisions.current();
  const onError = (error: unknown): void => logger.error({ err: error }, 'A background task failed');
  const hooks = createDocumentHooks({
    onError: (error) => logger.error({ err: error }, 'A hook failed after the write'),
  });
  const source = createAccountSettingsSource(config, database);
  const access = await createAccess({
    context: opened.context,
    jwtSecret: config.secrets.jwtSecret,
    requiresConfirmation: async () => (await source.current()).emailConfirmation,
    findIncludesDrafts: config.api.findIncludesDrafts,
    ...(impersonates === undefined ? {} : { impersonates }),
    defaultLocale: config.i18n.defaultLocale,
    onError,
  });
  disposer.add(access.close);
  announceAccessChanges(hooks, access);
  if (options.runsSchedules === true) disposer.add(startLogSweep(opened.log, onError));
  const tagDemand = createTagDemand();
  const content = await openContent(
    { project, database, revisions, hooks, locales: access.locales, log: opened.log, tagDemand, onError },
    options,
    disposer,
  );
  const accounts = await openAccounts({
    project,
    database,
    documents: content.documents,
    log: opened.log,
    source,
    onError,
    onMessageSaved: (message) => logger.info(message, 'A message was written to a file instead of sent'),
  });
  disposer.add(accounts.close);
  const { model } = project;
  const { hours } = config.events;
  const onTagsRecorded = (): void => tagDemand.set(true);
  const changes = createChangeFeed({ database, model, hooks, hours, onTagsRecorded, onError });
  disposer.add(changes.close);
  const schema = await createSchemaWatch({ project, database, logger, isTimed: watchesSchema });
  disposer.add(schema.close);
  metrics?.addShared('galley_webhooks_pending', 'Pending webhook deliveries.', content.webhooks.countPending);
  return { opened, metrics, tracing, revisions, access, hooks, accounts, changes, schema, ...content };
}

/** True if responses and counts are cached. */
export function isCaching({ config }: Project, revisions: RevisionSource): boolean {
  return config.api.cache.megabytes > 0 && revisions !== NO_REVISIONS;
}

/** Creates the dry run of writes. Project code does not run, since it may have other effects. */
export function createDryRun({ opened, access }: Pick<AppServices, 'opened' | 'access'>): DryRunner {
  const { database, project } = opened;
  const documents = createDocumentService({ database, model: project.model, locales: access.locales });
  const run = createRunTransaction(database);
  return (work) => run(() => work(documents), { isDryRun: true });
}
