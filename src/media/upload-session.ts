import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileInfo, UploadSession, StagedFile } from './media.js';
import type { MediaContext } from './media-context.js';
import { createFiles } from './operations/create-files.js';
import { replaceFile } from './operations/replace-file.js';
import { stageFile } from './operations/stage-file.js';

/** Opens an upload session with its own staging folder. */
export async function openUploadSession(context: MediaContext): Promise<UploadSession> {
  const parent = context.providers.current.stagingFolder;
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'request-'));
  const files: StagedFile[] = [];
  return Object.freeze<UploadSession>({
    receive: async (file) => {
      files.push(await stageFile(context, file, folder));
    },
    count: () => files.length,
    commit: (infos) => createFiles(context, files, infos),
    replace: async (id: number, info: FileInfo) => {
      const [file] = files;
      if (file === undefined) throw new TypeError('No file was received.');
      return replaceFile(context, id, file, info);
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  });
}
