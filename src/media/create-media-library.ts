/**
 * The room media receives, examines, resizes and stores uploaded files. This file assembles it; its types
 * are in media.ts.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/config.js';
import { isDatabaseError, toUnavailableError } from '../database/database-error.js';
import type { Database } from '../database/database.js';
import { NO_TRASH } from '../documents/trash/trash-table.js';
import type { TrashTable } from '../documents/trash/trash-table.js';
import { createError } from '../errors/catalogue.js';
import type { ContentModel } from '../model/model.js';
import { createAcceptedKindsLookup } from './media-context.js';
import type { MediaContext } from './media-context.js';
import { createFileTable, withPlaces } from './file-table.js';
import type { StoredFile } from './file-table.js';
import {
  findFormerAddress,
  withFormerKeys,
  addFormerKeys,
  discardFiles,
  removeFile,
  updateInfo,
} from './change-files.js';
import { createImageQueue, loadSharp, isDecodable, measureImage } from './images/image-library.js';
import { NO_FILE_HOOKS } from './media.js';
import type { FileHooks, MediaLibrary, Regeneration } from './media.js';
import { applyVisibility } from './file-visibility.js';
import { openFile, storeObjects, openObject, runFileWrite, storeFiles } from './store-files.js';
import { findStrays, removeStrays, sweep, addEntry, removeOrphanedObjects } from './outbox.js';
import { createProviders } from './providers.js';
import { createCopyCache } from './images/copy-cache.js';
import { createTransforms, createFocalPoints } from './images/transform-images.js';
import { openUploadSession } from './upload-session.js';
import { createUsageScan } from './usages.js';
import { createFileHash } from './file-info.js';
import { generateFormats } from './images/generate-formats.js';
import type { GeneratedFormats } from './images/generate-formats.js';

/** Thrown to roll the transaction back if the file was deleted or replaced meanwhile. */
class FileChanged extends Error {}

/** Generates the copies in a folder. They get a new hash, since caches keep the old addresses. */
const generate = async (
  { config, providers, imageQueue }: MediaContext,
  file: StoredFile,
  folder: string,
): Promise<GeneratedFormats | null> => {
  const { name, mime, ext } = file;
  const path = join(folder, 'original');
  await pipeline(await openObject(providers.current, file), createWriteStream(path));
  const size = await measureImage(path, { name, mime }, config);
  if (size === null) return null;
  const { maxPixels, breakpoints, formats } = config;
  const { urlOf } = providers.current;
  const image = { path, name, mime, ext, size, hash: createFileHash(name) };
  return imageQueue.run(() => generateFormats(image, { maxPixels, breakpoints, formats, folder, urlOf }));
};

const storeFormats = async (
  context: MediaContext,
  id: number,
  file: StoredFile,
  { formats, objects }: GeneratedFormats,
): Promise<boolean> =>
  runFileWrite(context, id, { action: 'update', data: { formats } }, async (write) => {
    let data = write.data ?? {};
    const entry = await storeFiles(context, [{ objects }], async (tx, places) => {
      const stored = await context.files.lock(tx, id);
      if (stored?.hash !== file.hash) throw new FileChanged();
      data = withPlaces(data, places);
      await context.hooks.before({ ...write, data }, tx);
      await context.files.update(tx, id, data);
      const [original] = stored.keys;
      const keys = stored.keys.filter((key) => key !== original);
      await addFormerKeys(tx, id, stored, keys);
      return addEntry(tx, { ...stored, keys });
    });
    await removeOrphanedObjects(context, entry);
    return { ...write, data };
  });

/**
 * Regenerates the smaller copies of an image with the current settings. Returns null if there is no such
 * file, or it was changed meanwhile.
 *
 * @throws `upload/invalid-image`, `upload/missing-object`, `upload/image-processing-unavailable`
 */
async function regenerateFormats(context: MediaContext, id: number): Promise<Regeneration | null> {
  const { database, files, providers } = context;
  const file = await database.transact((tx) => files.find(tx, id));
  if (file === null) return null;
  if (!isDecodable(file.mime)) return 'no-image';
  if (file.provider !== providers.current.name) return 'other-provider';
  const images = await loadSharp();
  if (images.error !== null) throw images.error;
  const parent = providers.current.stagingFolder;
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'formats-'));
  try {
    const generated = await generate(context, file, folder);
    if (generated === null) return 'no-image';
    return (await storeFormats(context, id, file, generated)) ? 'regenerated' : null;
  } catch (error) {
    if (error instanceof FileChanged) return null;
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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
  /** Keeps deleted files. Default: they are deleted for good. */
  readonly trash?: TrashTable | undefined;
  /** Deletes the expired part of the trash with each sweep. Default: nothing. */
  readonly purgeExpired?: (discard: MediaLibrary['discard']) => Promise<unknown>;
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
  trash = NO_TRASH,
  purgeExpired = async () => undefined,
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
    trash,
    database: withUnavailableError(database),
    files: createFileTable(model),
    scanUsages: createUsageScan(database, model),
    findAcceptedKinds: createAcceptedKindsLookup(database, model),
    providers: await createProviders(config, publicPath),
    imageQueue: createImageQueue(),
  };
  const discard: MediaLibrary['discard'] = (tx, rows) => discardFiles(context, tx, rows);
  const sweepAll = async (): Promise<void> => {
    await sweep(context);
    await purgeExpired(discard);
  };
  let sweeping: Promise<void> = Promise.resolve();
  const sweepInBackground = (): void => {
    sweeping = sweepAll().catch(onError);
  };
  const timer = sweeps ? setInterval(sweepInBackground, SWEEP_INTERVAL_MS).unref() : undefined;
  if (sweeps) sweepInBackground();
  return Object.freeze<MediaLibrary>({
    openUploadSession: () => openUploadSession(context),
    updateInfo: (id, info) => updateInfo(context, id, info),
    remove: (id) => removeFile(context, id),
    discard,
    serveRestored: (documentId) => applyVisibility(context, documentId),
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
    sweep: sweepAll,
    close: async () => {
      clearInterval(timer);
      await Promise.all([sweeping, copies.settled()]);
    },
  });
}
