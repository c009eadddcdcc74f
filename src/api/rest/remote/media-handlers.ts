import { createError } from '../../../errors/catalogue.js';
import { isGalleyError } from '../../../errors/galley-error.js';
import { isRecord } from '../../../lib/is-record.js';
import { parseFileId } from '../../../media/file-records.js';
import type { MediaMaintenance, Regeneration } from '../../../media/media.js';
import type { FileUsage, UsedFile } from '../../../media/usages/file-usages.js';
import { parseFlag } from '../bulk-handler.js';
import { sendJson } from '../envelope.js';
import { idParameterOf, queryOf } from '../request-params.js';
import type { Handler } from '../rest-dependencies.js';

const isText = (value: unknown): value is string => typeof value === 'string';

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText);

const isUsedFile = (value: unknown): value is UsedFile =>
  isRecord(value) && isText(value['documentId']) && isTexts(value['keys']) && isText(value['url']);

const listOf = <T>(body: unknown, isItem: (value: unknown) => value is T): readonly T[] => {
  const data: unknown = isRecord(body) ? body['data'] : undefined;
  if (Array.isArray(data) && data.every(isItem)) return data;
  throw createError('request/invalid-body');
};

/** POST /api/cms/media/usages: who refers to files. With `?once=true`, each file is told once. */
const findUsages =
  (media: MediaMaintenance): Handler =>
  async (request, reply) => {
    const files = listOf(request.body, isUsedFile);
    const isOnce = parseFlag('once', queryOf(request)['once'], false);
    const usages: FileUsage[] = [];
    const seen = new Set<string>();
    await media.findUsages(files, (usage) => {
      if (isOnce && seen.has(usage.file)) return;
      seen.add(usage.file);
      usages.push(usage);
    });
    return sendJson(reply, 200, JSON.stringify({ data: usages }));
  };

/** GET /api/cms/media/strays: null where the store cannot tell. */
const findStrays =
  (media: MediaMaintenance): Handler =>
  async (_request, reply) =>
    sendJson(reply, 200, JSON.stringify({ data: await media.findStrays() }));

/** POST /api/cms/media/strays/delete: removes those of the names that no file has. */
const removeStrays =
  (media: MediaMaintenance): Handler =>
  async (request, reply) => {
    const names = new Set(listOf(request.body, isText));
    const strays = (await media.findStrays()) ?? [];
    const removed = strays.map(({ name }) => name).filter((name) => names.has(name));
    await media.removeStrays(removed);
    return sendJson(reply, 200, JSON.stringify({ data: removed }));
  };

/**
 * Regenerates the copies of one file. Rethrows failures as errors that the caller may see, since a defect of
 * a stored file is not a server error.
 */
const regenerateOne = async (media: MediaMaintenance, id: number): Promise<Regeneration | null> => {
  try {
    return await media.regenerate(id);
  } catch (error) {
    if (!isGalleyError(error) || error.kind !== 'failure') throw error;
    throw createError('media/not-regenerated', { reason: error.message }, { cause: error });
  }
};

/** POST /api/cms/media/:id/regenerate: one image a request, since each may take seconds. */
const regenerateFormats =
  (media: MediaMaintenance): Handler =>
  async (request, reply) => {
    const data = await regenerateOne(media, parseFileId(idParameterOf(request)));
    return sendJson(reply, 200, JSON.stringify({ data }));
  };

/** Returns the handlers of what remote command lines ask of the stored files. */
export function remoteMediaHandlers(media: MediaMaintenance) {
  return {
    findUsages: findUsages(media),
    findStrays: findStrays(media),
    removeStrays: removeStrays(media),
    regenerateFormats: regenerateFormats(media),
  };
}
