/**
 * The room media receives, examines, resizes and stores uploaded files. This file assembles it; its types
 * are in media.ts.
 */
import type { Config } from '../config/config.js';
import { isDatabaseError, toUnavailableError } from '../database/database-error.js';
import type { Database } from '../database/database.js';
import { createError } from '../errors/catalogue.js';
import type { ContentModel } from '../model/model.js';
import { createAcceptedKindsLookup } from './accepted-kinds-lookup.js';
import { createFileTable } from './file-table.js';
import { findFormerAddress, withFormerKeys } from './former-addresses.js';
import { createImageQueue, loadSharp } from './images/image-library.js';
import type { MediaContext } from './media-context.js';
import { NO_FILE_HOOKS } from './media.js';
import type { FileHooks, MediaLibrary } from './media.js';
import { openFile, storeObjects } from './store-files.js';
import { regenerateFormats } from './regenerate-formats.js';
import { removeFile, updateInfo } from './change-files.js';
import { findStrays, removeStrays, sweep } from './outbox.js';
import { createProviders } from './providers.js';
import { createCopyCache } from './images/copy-cache.js';
import { createTransforms } from './images/transform-images.js';
import { createFocalPoints } from './images/focal-points.js';
import { openUploadSession } from './upload-session.js';
import { createUsageScan } from './usages.js';

/**
 * Reports errors of the database as `server/unavailable`: it is busy, unreachable or had a conflicting write,
 * and another attempt may succeed.
 */
function withUnavailableError(database: Database): Database {
  return {
    ...database,
    transact: async (work, options) => {
      try {
        return await database.transact(work, options);
      } catch (error) {
        if (!isDatabaseError(error)) throw error;
        throw toUnavailableError(error) ?? createError('server/unavailable', {}, { cause: error });
      }
    },
  };
}

export interface MediaLibraryDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly config: Config['upload'];
  /** The path of the server as clients see it: `/cms`. Default: none. */
  readonly publicPath?: string;
  /** Default: no hooks. */
  readonly hooks?: FileHooks;
  /** True if the remains of interrupted uploads are removed periodically. Default: true. */
  readonly sweeps?: boolean;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

/** Images waiting for a transformation. A page may show many images without copies. */
const MAX_AWAITED_COPIES = 128;

const SWEEP_INTERVAL_MS = 10 * 60 * 1000;

/**
 * Creates the media library of a project: files in its store, rows in its database.
 *
 * @example
 *   const media = await createMediaLibrary({ database, model, config: config.upload, onError });
 *   const session = await media.openUploadSession();
 *
 * @throws `upload/missing-package`
 */
export async function createMediaLibrary({
  database,
  model,
  config,
  publicPath,
  hooks = NO_FILE_HOOKS,
  sweeps = true,
  onError,
}: MediaLibraryDependencies): Promise<MediaLibrary> {
  const focalPoints = createFocalPoints(database, model);
  const copies = createCopyCache(config.directory, config.transforms.cacheSize, onError);
  const context: MediaContext = {
    config,
    hooks: {
      ...hooks,
      after: (write) => {
        focalPoints.clear();
        return hooks.after(write);
      },
    },
    onError,
    database: withUnavailableError(database),
    files: createFileTable(model, database.loadJsonNull),
    scanUsages: createUsageScan(database, model),
    findAcceptedKinds: createAcceptedKindsLookup(database, model),
    providers: await createProviders(config, publicPath),
    imageQueue: createImageQueue(),
  };
  let sweeping: Promise<void> = Promise.resolve();
  const sweepInBackground = (): void => {
    sweeping = sweep(context).catch(onError);
  };
  const timer = sweeps ? setInterval(sweepInBackground, SWEEP_INTERVAL_MS).unref() : undefined;
  if (sweeps) sweepInBackground();
  return Object.freeze<MediaLibrary>({
    openUploadSession: () => openUploadSession(context),
    updateInfo: (id, info) => updateInfo(context, id, info),
    remove: (id) => removeFile(context, id),
    storage: () => context.providers.current,
    replaceStorage: context.providers.replace,
    storeObjects: (objects, work) => storeObjects(context, objects, work),
    transform: createTransforms({
      config,
      focalPoints,
      cache: copies,
      loadImages: loadSharp,
      queue: createImageQueue(MAX_AWAITED_COPIES),
    }),
    open: (id) => openFile(context, id),
    regenerate: (id) => regenerateFormats(context, id),
    findUsages: (found, onUsage) =>
      context.database.transact(async (tx) =>
        context.scanUsages(tx, await withFormerKeys(tx, found), onUsage),
      ),
    findFormer: (name) => context.database.transact((tx) => findFormerAddress(tx, context.files, name)),
    findStrays: () => findStrays(context),
    removeStrays: (names) => removeStrays(context, names),
    sweep: () => sweep(context),
    close: async () => {
      clearInterval(timer);
      await Promise.all([sweeping, copies.settled()]);
    },
  });
}
