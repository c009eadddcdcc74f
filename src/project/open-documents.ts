import type { Config } from '../config/config.js';
import type { ReadObjects } from '../database/dialect/read-objects.js';
import type { Database } from '../database/database.js';
import { announceChanges } from '../documents/changes/announce-changes.js';
import type { CountRows } from '../documents/read/count-cache.js';
import { createDocumentService } from '../documents/create-document-service.js';
import type { DocumentService, Locales } from '../documents/documents.js';
import type { DocumentHooks } from '../documents/hooks.js';
import type { VersionStore } from '../documents/operations/version-store.js';
import type { ReadUsages } from '../documents/read/read-usages.js';
import { refreshStatistics } from '../documents/refresh-statistics.js';
import { historyLimit } from '../documents/versions/history-limit.js';
import { keepVersions } from '../documents/versions/keep-versions.js';
import type { Disposer } from '../lib/disposer.js';
import { createMediaLibrary } from '../media/create-media-library.js';
import type { MediaLibrary } from '../media/media.js';
import type { ContentModel } from '../model/model.js';
import { createFileHooks } from './file-hooks.js';
import type { ProjectWebhooks } from './open-webhooks.js';
import { publicPathOf } from './server-url.js';
import { protectFileDocuments, protectNestedFileDocuments } from './protect-file-documents.js';

export interface OpenDocumentsDependencies {
  readonly config: Config;
  readonly model: ContentModel;
  readonly database: Database;
  readonly locales: Locales;
  readonly hooks: DocumentHooks;
  /** Counts the rows of lists. Default: anew each time. */
  readonly countRows?: CountRows | undefined;
  /** Counts the reads. */
  readonly usages?: ReadUsages | undefined;
  /** Tells webhooks of writes. Default: nobody is told. */
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

/** Opens the document service and the media library, which write each other's documents. */
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
    // What a transaction has written is not counted for others.
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
