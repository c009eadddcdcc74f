import { createDeliveryStore } from '../../api/webhooks/delivery-store.js';
import { recordEvents } from '../../api/webhooks/record-events.js';
import { createWebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { WebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import { startWebhookSender } from '../../api/webhooks/webhook-sender.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import type { ReadObjects } from '../../database/dialect/search-expressions.js';
import { announceChanges } from '../../documents/changes/announce-changes.js';
import { createDocumentService } from '../../documents/create-document-service.js';
import type { DocumentService, Locales } from '../../documents/documents.js';
import type { DocumentHooks } from '../../documents/hooks.js';
import type { ReadUsages, CountRows } from '../../documents/read/record-reader.js';
import { refreshStatistics } from '../../documents/refresh-statistics.js';
import { historyLimit, keepVersions } from '../../documents/versions/keep-versions.js';
import type { VersionStore } from '../../documents/write/version-store.js';
import type { Disposer } from '../../lib/resources.js';
import { createMediaLibrary } from '../../media/create-media-library.js';
import type { MediaLibrary } from '../../media/media.js';
import type { ContentModel } from '../../model/model.js';
import type { Logger } from '../../server/logger.js';
import { createFileHooks, protectFileDocuments, protectNestedFileDocuments } from './file-documents.js';
import { publicPathOf } from './open-project.js';
import type { Project } from './open-project.js';

interface OpenWebhooksOptions {
  readonly project: Project;
  readonly database: Database;
  readonly logger: Logger;
  readonly sends: boolean;
}

/** The webhooks of a project, with the functions that record and count deliveries. */
export interface ProjectWebhooks {
  readonly registry: WebhookRegistry;
  /** Returns the number of pending deliveries. */
  readonly countPending: () => Promise<number>;
  /** Records events of all writes that call the hooks. */
  readonly recordFrom: (
    hooks: DocumentHooks,
    documents: DocumentService,
    defaultLocale: () => string,
  ) => void;
  readonly close: () => Promise<void>;
}

/** Opens the webhooks of a project, and starts sending if `sends` is true. */
export function openWebhooks({ project, database, logger, sends }: OpenWebhooksOptions): ProjectWebhooks {
  const { config, model } = project;
  const registry = createWebhookRegistry(database, config);
  const deliveries = createDeliveryStore(database);
  const sender = sends
    ? startWebhookSender({
        database,
        registry,
        deliveries,
        onError: (error) => logger.error({ err: error }, 'Webhooks could not be sent'),
        onFailed: ({ name }, { key, event }, error) =>
          logger.warn(
            { delivery: key, event },
            `The webhook ${name} failed after all retries: ${error ?? 'no reason'}`,
          ),
      })
    : null;
  return {
    registry,
    countPending: deliveries.countPending,
    recordFrom: (hooks, documents, defaultLocale) =>
      recordEvents({
        database,
        model,
        hooks,
        documents,
        defaultLocale,
        registry,
        deliveries,
        onRecorded: () => sender?.wake(),
      }),
    close: async () => sender?.stop(),
  };
}

export interface OpenDocumentsDependencies {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly locales: Locales;
  readonly hooks: DocumentHooks;
  /** Counts the rows of lists. Default: a query each time. */
  readonly countRows?: CountRows | undefined;
  /** Counts the reads. */
  readonly usages?: ReadUsages | undefined;
  /** Records the deliveries of webhooks for writes. Default: none. */
  readonly webhooks?: Pick<ProjectWebhooks, 'recordFrom'> | undefined;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

/** The documents and the files of a project. */
export interface OpenDocuments {
  readonly documents: DocumentService;
  readonly media: MediaLibrary;
  readonly versions: VersionStore;
  /** The auxiliary objects, outside the Prisma schema, that the database had when it was opened. */
  readonly objects: ReadObjects;
}

/** Opens the document service and the media library, each of which writes documents of the other. */
export async function openDocuments(
  {
    config,
    model,
    database,
    locales,
    hooks,
    countRows,
    usages,
    webhooks,
    onError,
  }: OpenDocumentsDependencies,
  disposer: Disposer,
): Promise<OpenDocuments> {
  const objects = await database.readObjects();
  const unprotectedDocuments = createDocumentService({
    database,
    model,
    locales,
    hooks,
    objects,
    usages,
    decorateNested: protectNestedFileDocuments,
    // Uncommitted rows of a transaction must not enter the shared counts.
    countRows: countRows && ((...count) => (database.joined() === null ? countRows(...count) : count[2]())),
  });
  disposer.add(refreshStatistics({ database, model, hooks, onError }));
  announceChanges({ database, model, hooks });
  keepVersions({
    database,
    model,
    hooks,
    limitOf: (type) => historyLimit(config, model, type),
  });
  webhooks?.recordFrom(hooks, unprotectedDocuments.unwrapped, locales.defaultCode);
  const media = await createMediaLibrary({
    database,
    model,
    config: config.upload,
    publicPath: publicPathOf(config.server),
    hooks: createFileHooks({ hooks, documents: unprotectedDocuments, model }),
    onError,
  });
  disposer.add(media.close);
  const { versions } = unprotectedDocuments;
  return { documents: protectFileDocuments(unprotectedDocuments, media), media, versions, objects };
}
