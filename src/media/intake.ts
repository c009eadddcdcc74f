import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileInfo, Intake, StagedFile } from './media.js';
import type { MediaContext } from './media-context.js';
import { keepFiles } from './operations/keep-files.js';
import { replaceFile } from './operations/replace-file.js';
import { stageFile } from './operations/stage-file.js';

/** Opens a staging folder of its own for the files of one request. */
export async function openIntake(context: MediaContext): Promise<Intake> {
  const parent = context.providers.current.stagingFolder;
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'request-'));
  const files: StagedFile[] = [];
  return Object.freeze<Intake>({
    receive: async (file) => {
      files.push(await stageFile(context, file, folder));
    },
    count: () => files.length,
    keep: (infos) => keepFiles(context, files, infos),
    replace: async (id: number, info: FileInfo) => {
      const [file] = files;
      if (file === undefined) throw new TypeError('No file was received.');
      return replaceFile(context, id, file, info);
    },
    discard: () => rm(folder, { recursive: true, force: true }),
  });
}
