import { createError } from '../../errors/catalogue.js';
import { generateFormats } from '../images/generate-formats.js';
import type { MediaContext } from '../media-context.js';
import type { StagedFile } from '../media.js';
import type { ReceivedFile } from './stage-file.js';

/** Clients and proxies wait about as long for a response. */
const MAX_DURATION_MS = 60_000;

const addFormatsToOne = async (
  { config, providers, imageQueue }: MediaContext,
  { file, image }: ReceivedFile,
  folder: string,
): Promise<StagedFile> => {
  if (image === null) return file;
  const { maxPixels, breakpoints, formats: types } = config;
  const { formats, objects } = await imageQueue.run(() =>
    generateFormats(image, {
      maxPixels,
      breakpoints,
      formats: types,
      folder,
      urlOf: providers.current.urlOf,
    }),
  );
  return { ...file, formats, objects: [...file.objects, ...objects] };
};

/**
 * Generates the smaller copies of the images of one request, in its staging folder.
 *
 * @throws `upload/invalid-image`, `upload/busy`, `upload/timed-out`
 */
export async function addFormats(
  context: MediaContext,
  files: readonly ReceivedFile[],
  folder: string,
): Promise<readonly StagedFile[]> {
  const end = Date.now() + MAX_DURATION_MS;
  const staged: StagedFile[] = [];
  for (const file of files) {
    if (Date.now() > end) throw createError('upload/timed-out');
    staged.push(await addFormatsToOne(context, file, folder));
  }
  return staged;
}
