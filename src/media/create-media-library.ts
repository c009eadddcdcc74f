import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { createTurns } from '../lib/turns.js';
import type { ContentModel } from '../model/model.js';
import { availableDatabase } from './available-database.js';
import { NO_FILE_HOOKS } from './file-hooks.js';
import type { FileHooks } from './file-hooks.js';
import { createFileTable } from './file-table.js';
import { openIntake } from './intake.js';
import { createKindsTaken } from './kinds-taken.js';
import type { MediaLibrary } from './media.js';
import type { MediaContext } from './media-context.js';
import { removeFile } from './operations/remove-file.js';
import { sweep } from './operations/sweep.js';
import { updateInfo } from './operations/update-info.js';
import { createProviders } from './providers/create-provider.js';

export interface MediaLibraryParts {
  readonly database: Database;
  readonly model: ContentModel;
  readonly config: Config['upload'];
  /** None: nobody takes part in writes. */
  readonly hooks?: FileHooks;
  /** Told of faults nobody waits for. */
  readonly onError: (error: unknown) => void;
}

const SWEEP_INTERVAL = 10 * 60 * 1000;

/**
 * The media library of a project: files in its store, rows in its database.
 *
 * @example
 * const media = await createMediaLibrary({ database, model, config: config.upload, onError });
 * const intake = await media.openIntake();
 * @throws `upload/missing-package`
 */
export async function createMediaLibrary({ database, model, config, hooks = NO_FILE_HOOKS, onError }: MediaLibraryParts): Promise<MediaLibrary> {
  const context: MediaContext = {
    config, hooks, onError,
    database: availableDatabase(database),
    files: createFileTable(model, database.jsonNull),
    kindsTaken: createKindsTaken(database, model),
    providers: await createProviders(config),
    images: createTurns(),
  };
  let running: Promise<void> = Promise.resolve();
  const sweepQuietly = (): void => {
    running = sweep(context).catch(onError);
  };
  const timer = setInterval(sweepQuietly, SWEEP_INTERVAL).unref();
  sweepQuietly();
  return Object.freeze<MediaLibrary>({
    openIntake: () => openIntake(context),
    updateInfo: (id, info) => updateInfo(context, id, info),
    remove: (id) => removeFile(context, id),
    sweep: () => sweep(context),
    close: async () => {
      clearInterval(timer);
      await running;
    },
  });
}
