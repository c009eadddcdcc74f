import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import type { ContentModel } from '../model/model.js';
import { withUnavailableError } from './with-unavailable-error.js';
import { NO_FILE_HOOKS } from './file-hooks.js';
import type { FileHooks } from './file-hooks.js';
import { createFileTable } from './file-table.js';
import { openUploadSession } from './upload-session.js';
import { createAcceptedKindsLookup } from './accepted-kinds-lookup.js';
import type { MediaLibrary } from './media.js';
import { createImageQueue } from './images/image-queue.js';
import type { MediaContext } from './media-context.js';
import { removeFile } from './operations/remove-file.js';
import { storeObjects } from './operations/store-objects.js';
import { sweep } from './operations/sweep.js';
import { updateInfo } from './operations/update-info.js';
import { createProviders } from './providers/create-provider.js';

export interface MediaLibraryDependencies {
  readonly database: Database;
  readonly model: ContentModel;
  readonly config: Config['upload'];
  /** The path of the server as clients see it: `/cms`. Default: none. */
  readonly publicPath?: string;
  /** Default: no hooks. */
  readonly hooks?: FileHooks;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

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
  onError,
}: MediaLibraryDependencies): Promise<MediaLibrary> {
  const context: MediaContext = {
    config,
    hooks,
    onError,
    database: withUnavailableError(database),
    files: createFileTable(model, database.jsonNull),
    findAcceptedKinds: createAcceptedKindsLookup(database, model),
    providers: await createProviders(config, publicPath),
    imageQueue: createImageQueue(),
  };
  let sweeping: Promise<void> = Promise.resolve();
  const sweepInBackground = (): void => {
    sweeping = sweep(context).catch(onError);
  };
  const timer = setInterval(sweepInBackground, SWEEP_INTERVAL_MS).unref();
  sweepInBackground();
  return Object.freeze<MediaLibrary>({
    openUploadSession: () => openUploadSession(context),
    updateInfo: (id, info) => updateInfo(context, id, info),
    remove: (id) => removeFile(context, id),
    storage: () => context.providers.current,
    replaceStorage: context.providers.replace,
    storeObjects: (objects, work) => storeObjects(context, objects, work),
    sweep: () => sweep(context),
    close: async () => {
      clearInterval(timer);
      await sweeping;
    },
  });
}
