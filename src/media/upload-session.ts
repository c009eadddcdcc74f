import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../errors/catalogue.js';
import type { FileInfo, UploadSession } from './media.js';
import type { MediaContext } from './media-context.js';
import { addFormats } from './operations/add-formats.js';
import { createFiles } from './operations/create-files.js';
import { replaceFile } from './operations/replace-file.js';
import { stageFile } from './operations/stage-file.js';
import type { ReceivedFile } from './operations/stage-file.js';

/** Opens an upload session with its own staging folder. */
export async function openUploadSession(context: MediaContext): Promise<UploadSession> {
  const parent = context.providers.current.stagingFolder;
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'request-'));
  const files: ReceivedFile[] = [];
  let pixels = 0;
  /** Images are decoded when all files are known, and so not for a request that is rejected. */
  const countPixels = ({ image }: ReceivedFile): void => {
    const limit = context.config.maxRequestPixels;
    pixels += image === null ? 0 : image.size.width * image.size.height;
    if (pixels > limit) throw createError('upload/too-many-pixels-in-request', { limit });
  };
  return Object.freeze<UploadSession>({
    receive: async (file) => {
      const received = await stageFile(context, file, folder);
      countPixels(received);
      files.push(received);
    },
    count: () => files.length,
    commit: async (infos) => createFiles(context, await addFormats(context, files, folder), infos),
    replace: async (id: number, info: FileInfo) => {
      const [file] = await addFormats(context, files.slice(0, 1), folder);
      if (file === undefined) throw new TypeError('No file was received.');
      return replaceFile(context, id, file, info);
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  });
}
