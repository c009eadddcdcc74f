import type { LocaleList } from '../../access/access.js';
import { createDeliveryStore } from '../../api/webhooks/delivery-store.js';
import { recordEvents } from '../../api/webhooks/record-events.js';
import { createWebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import type { WebhookRegistry } from '../../api/webhooks/webhook-registry.js';
import { createSiteWatch, createTagRecorder } from '../../api/webhooks/record-tags.js';
import { startWebhookSender } from '../../api/webhooks/webhook-sender.js';
import type { WebhookSender } from '../../api/webhooks/webhook-sender.js';
import type { Config } from '../../config/config.js';
import type { Database } from '../../database/database.js';
import type { ReadObjects } from '../../database/dialect/search-expressions.js';
import { announceChanges, createTagDemand } from '../../documents/changes/announce-changes.js';
import type { TagDemand } from '../../documents/changes/announce-changes.js';
import { createChangeFeed } from '../../documents/changes/change-feed.js';
import { createLiveEvents } from '../../documents/changes/live-events.js';
import type { OpenEventStream } from '../../documents/changes/live-events.js';
import { createDocumentService } from '../../documents/create-document-service.js';
import type { DocumentServiceWithHooks } from '../../documents/create-document-service.js';
import type { DocumentService, DeleteParams, RecordText } from '../../documents/documents.js';
import type { DocumentHooks, DocumentEvent } from '../../documents/hooks.js';
import { recordWrites } from '../../documents/log/write-log.js';
import type { WriteLog } from '../../documents/log/write-log.js';
import type { ReadUsages, CountRows } from '../../documents/read/record-reader.js';
import type { TagListener } from '../../documents/tags/announce-tags.js';
import { refreshStatistics } from '../../documents/refresh-statistics.js';
import { removeFromReleases } from '../../documents/releases/releases.js';
import { historyLimit, keepVersions } from '../../documents/versions/keep-versions.js';
import { NO_TRASH, createTrashTable } from '../../documents/trash/trash-table.js';
import type { VersionStore } from '../../documents/write/version-store.js';
import type { Disposer } from '../../lib/resources.js';
import { DAY_MS } from '../../lib/units.js';
import { createMediaLibrary } from '../../media/create-media-library.js';
import type { MediaLibrary, FileHooks, FileValues, FileWrite } from '../../media/media.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel } from '../../model/model.js';
import type { Logger } from '../../server/logger.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { isRecord } from '../../lib/records.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import { defaultSelection } from '../../query/parse/server-queries.js';
import { loadLocales } from './open-database.js';
import type { OpenProject } from './open-database.js';
import { publicPathOf } from './open-project.js';
import type { Project } from './open-project.js';

/** Attributes that the media library sets when it stores content. */
const STORED_ATTRIBUTES = [
  'hash',
  'ext',
  'mime',
  'size',
  'width',
  'height',
  'formats',
  'url',
  'previewUrl',
  'provider',
  'provider_metadata',
] as const;

const isWebAddress = (url: unknown): boolean => typeof url === 'string' && /^https?:\/\//.test(url);

const assertNoStoredAttributes = (data: unknown): void => {
  const attribute = isRecord(data) ? STORED_ATTRIBUTES.find((name) => Object.hasOwn(data, name)) : undefined;
  if (attribute !== undefined) throw createError('upload/read-only-attribute', { attribute });
};

/** Asserts that a new row refers to a file of another server, whose content is not stored here. */
const assertExternalFile = (data: unknown): void => {
  if (!isRecord(data) || !isWebAddress(data['url'])) throw createError('upload/create-not-supported');
};

/**
 * Returns the document service for hooks inside a transaction. It applies the rules of
 * {@link protectFileDocuments} and also rejects deletions of files.
 *
 * @throws `upload/create-not-supported`, `upload/read-only-attribute`, `upload/delete-in-hook`
 */
function protectNestedFileDocuments(documents: DocumentService): DocumentService {
  return protectFileDocuments(documents, {
    remove: async () => {
      throw createError('upload/delete-in-hook');
    },
    discard: async () => {
      throw createError('upload/delete-in-hook');
    },
  });
}

/**
 * Returns a document service that keeps the rows of files consistent with their stored content. It passes
 * deletions of files to the media library, and rejects the creation and change of stored content. Rows may
 * refer to files of other servers.
 *
 * @throws `upload/create-not-supported`, `upload/read-only-attribute`
 */
function protectFileDocuments(
  documents: DocumentService,
  media: Pick<MediaLibrary, 'remove' | 'discard'>,
): DocumentService {
  const remove = async ({ documentId, access }: DeleteParams): Promise<boolean> => {
    const filter = access?.scopeOf?.(FILE_UID, 'delete')?.filter ?? null;
    const selection = { fields: [], populate: [] };
    const record = await documents.findOne(
      {
        type: FILE_UID,
        filter,
        sort: [],
        selection,
        page: null,
        locale: NO_LOCALE,
        status: 'published',
        hasPublishedVersion: null,
      },
      documentId,
    );
    return record !== null && media.remove((JSON.parse(record) as { readonly id: number }).id);
  };
  return Object.freeze<DocumentService>({
    ...documents,
    create: async (params) => {
      if (params.type === FILE_UID) assertExternalFile(params.data);
      return documents.create(params);
    },
    update: async (params) => {
      if (params.type === FILE_UID) assertNoStoredAttributes(params.data);
      return documents.update(params);
    },
    delete: (params) => (params.type === FILE_UID ? remove(params) : documents.delete(params)),
    trash: { ...documents.trash, purge: (filter) => documents.trash.purge(filter, media.discard) },
  });
}

interface FileHookDependencies {
  readonly hooks: DocumentHooks;
  readonly documents: Pick<DocumentServiceWithHooks, 'findOne' | 'openHookTransaction'>;
  readonly model: ContentModel;
}

const eventOf = ({ action, documentId, data }: FileWrite): DocumentEvent => ({
  action,
  type: FILE_UID,
  documentId,
  locale: null,
  status: action === 'delete' ? null : 'published',
  data,
});

const fileValuesOf = (data: unknown): FileValues | null =>
  typeof data === 'object' && data !== null ? (data as FileValues) : null;

/**
 * Calls a project's document hooks for writes of files. The media library, not the document service, performs
 * these writes.
 */
function createFileHooks({ hooks, documents, model }: FileHookDependencies): FileHooks {
  const selection = defaultSelection(model, FILE_UID);
  const query = {
    type: FILE_UID,
    filter: null,
    sort: [],
    selection,
    page: null,
    locale: NO_LOCALE,
    status: 'published',
    hasPublishedVersion: null,
  } as const;
  const recordOf = async (
    documentId: string | null,
  ): Promise<{ readonly documentId: string; readonly record: RecordText } | null> => {
    const record = documentId === null ? null : await documents.findOne(query, documentId);
    return documentId === null || record === null ? null : { documentId, record };
  };
  return {
    around: async ({ action, documentId, data }, work) => {
      const type = FILE_UID;
      if (!hooks.hasMiddleware(type)) await work(data);
      else if (action === 'create')
        await hooks.run(action, type, { type, data, selection }, async (params) =>
          recordOf(await work(fileValuesOf(params.data))),
        );
      else if (action === 'update')
        await hooks.run(
          action,
          type,
          { type, documentId: defined(documentId, "The file's document id"), data, selection },
          async (params) => recordOf(await work(fileValuesOf(params.data))),
        );
      else
        await hooks.run(
          action,
          type,
          { type, documentId: defined(documentId, "The file's document id") },
          async () => (await work(null)) !== null,
        );
    },
    before: (write, tx) => hooks.emitBefore([eventOf(write)], documents.openHookTransaction(tx)),
    after: (write) => hooks.emitAfter([eventOf(write)]),
  };
}

/** Serves the content of files again once they are restored from the trash. */
function serveRestoredFiles(hooks: DocumentHooks, media: Pick<MediaLibrary, 'serveRestored'>): void {
  hooks.observe(
    'create',
    async (events, tx) => {
      for (const { documentId, isRestored } of events)
        if (isRestored === true) tx.afterCommit(() => media.serveRestored(documentId));
    },
    [FILE_UID],
  );
}

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
  /** Stores the cache tags of writes for the webhooks that receive them. */
  readonly tags: TagListener;
  /** Announces the tag of all responses if it is due. */
  readonly announceSiteChanges: () => Promise<void>;
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
  const tags = createTagRecorder({ registry, deliveries, onRecorded: () => sender?.wake() });
  const announceSiteChanges = createSiteWatch(database, model, tags);
  const sender: WebhookSender | null = sends
    ? startWebhookSender({
        database,
        registry,
        deliveries,
        announceSiteChanges,
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
    tags,
    announceSiteChanges,
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

interface OpenDocumentsDependencies {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly locales: LocaleList;
  readonly hooks: DocumentHooks;
  /** Counts the rows of lists. Default: a query each time. */
  readonly countRows?: CountRows | undefined;
  /** Counts the reads. */
  readonly usages?: ReadUsages | undefined;
  /** Records the deliveries of webhooks for writes. Default: none. */
  readonly webhooks?: Pick<ProjectWebhooks, 'recordFrom' | 'tags'> | undefined;
  /** The log of writes. Absent: they are not logged. */
  readonly log?: WriteLog | undefined;
  /** Shared with the change feed of this process. Default: only writes find out if tags are recorded. */
  readonly tagDemand?: TagDemand;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

/** The documents and the files of a project. */
interface OpenDocuments {
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
    log,
    tagDemand = createTagDemand(),
    onError,
  }: OpenDocumentsDependencies,
  disposer: Disposer,
): Promise<OpenDocuments> {
  const objects = await database.readObjects();
  const { days } = config.trash;
  const trash = days === 0 ? NO_TRASH : createTrashTable(database.dialect.expressions, model);
  const unprotectedDocuments = createDocumentService({
    database,
    model,
    locales,
    hooks,
    objects,
    usages,
    trash,
    log,
    decorateNested: protectNestedFileDocuments,
    // Uncommitted rows of a transaction must not enter the shared counts.
    countRows: countRows && ((...count) => (database.joined() === null ? countRows(...count) : count[2]())),
  });
  disposer.add(refreshStatistics({ database, model, hooks, onError }));
  if (log !== undefined) recordWrites({ log, model, hooks });
  keepVersions({
    database,
    model,
    hooks,
    limitOf: (type) => historyLimit(config, model, type),
    ...(log === undefined ? {} : { authorOf: () => log.actors.current().who }),
  });
  removeFromReleases({ database, model, hooks });
  webhooks?.recordFrom(hooks, unprotectedDocuments.unwrapped, locales.defaultCode);
  // The last one, since the commits of announced writes wait for each other from this step on.
  announceChanges({
    database,
    model,
    hooks,
    tags: {
      locales: () => locales.all().map(({ code }) => code),
      listeners: webhooks === undefined ? [] : [webhooks.tags],
      demand: tagDemand,
    },
  });
  const media = await createMediaLibrary({
    database,
    model,
    config: config.upload,
    publicPath: publicPathOf(config.server),
    hooks: createFileHooks({ hooks, documents: unprotectedDocuments, model }),
    trash,
    purgeExpired: (discard) =>
      unprotectedDocuments.trash.purge({ deletedBefore: Date.now() - days * DAY_MS }, discard),
    onError,
  });
  disposer.add(media.close);
  serveRestoredFiles(hooks, media);
  const { versions } = unprotectedDocuments;
  return { documents: protectFileDocuments(unprotectedDocuments, media), media, versions, objects };
}

/** Streams of events from a database that this process only reads, without a server. */
export interface OpenEvents {
  readonly open: OpenEventStream;
  readonly close: () => Promise<void>;
}

/**
 * Opens the events of an open database. The writes of all processes are recorded from then on.
 *
 * @param onError receives errors of the database, which is read again soon after
 */
export async function openEvents(
  { project, database, context }: OpenProject,
  onError: (error: unknown) => void,
): Promise<OpenEvents> {
  const { model, config } = project;
  const { hours } = config.events;
  const locales = await loadLocales(context, config);
  const changes = createChangeFeed({
    database,
    model,
    hours,
    hooks: { after: () => undefined },
    onError,
  });
  const documents = createDocumentService({ database, model, locales });
  const open = createLiveEvents({ changes, model, documents, wrapsReads: () => false });
  return { open, close: changes.close };
}
