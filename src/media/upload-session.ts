import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createError } from '../errors/catalogue.js';
import { withFilePath } from '../lib/caught-errors.js';
import { detectType, isAllowed, isPlausibleType } from './detect-type.js';
import type { DetectedType } from './detect-type.js';
import { createFileHash, extensionOf, sanitizeFileName } from './file-info.js';
import { generateFormats } from './images/generate-formats.js';
import type { SourceImage } from './images/generate-formats.js';
import { isDecodable, measureImage } from './images/image-library.js';
import type { MediaContext } from './media-context.js';
import type { FileInfo, IncomingFile, StagedFile, UploadSession } from './media.js';
import { typeOfExtension } from './mime-types.js';
import { createFiles, replaceFile } from './change-files.js';

const assertPlausibleType = (
  name: string,
  claims: readonly (string | null | undefined)[],
  { mime }: DetectedType,
): void => {
  const contradiction = claims.find(
    (claim) => claim !== null && claim !== undefined && !isPlausibleType(claim, mime),
  );
  if (contradiction !== undefined)
    throw createError('upload/type-mismatch', {
      name,
      claimed: String(contradiction).slice(0, 100),
      actual: mime,
    });
};

const receive = async (
  { config }: MediaContext,
  { content, isTruncated }: IncomingFile,
  name: string,
  path: string,
): Promise<number> => {
  await withFilePath(path, () => pipeline(content, createWriteStream(path, { flush: true })));
  if (isTruncated()) throw createError('upload/too-large', { name, limit: config.sizeLimit });
  const { size } = await stat(path);
  if (size === 0) throw createError('upload/empty-file', { name });
  return size;
};

/** A file in its staging folder, without the smaller copies of an image. */
interface ReceivedFile {
  readonly file: StagedFile;
  /** Null: not an image that can be decoded. */
  readonly image: SourceImage | null;
}

/**
 * Writes a file to a staging folder while it arrives, detects its type, and measures an image.
 *
 * @throws `upload/empty-file`, `upload/too-large`, `upload/type-mismatch`, `upload/type-not-allowed`,
 *   `upload/invalid-image`, `upload/too-many-pixels`
 */
async function stageFile(context: MediaContext, file: IncomingFile, folder: string): Promise<ReceivedFile> {
  const name = sanitizeFileName(file.name);
  const extension = extensionOf(name);
  const hash = file.identity?.hash ?? createFileHash(name);
  const incoming = join(folder, hash);
  const bytes = await receive(context, file, name, incoming);
  const detected = await detectType(incoming, extension);
  assertPlausibleType(name, [file.type, typeOfExtension(extension)], detected);
  if (!isAllowed(detected.mime, context.config))
    throw createError('upload/type-not-allowed', { name, type: detected.mime });
  const key = `${hash}${detected.ext}`;
  const path = join(folder, key);
  await rename(incoming, path);
  const size = await measureImage(path, { name, mime: detected.mime }, context.config);
  const staged: StagedFile = {
    documentId: file.identity?.documentId ?? null,
    name,
    hash,
    bytes,
    ...detected,
    width: size?.width ?? null,
    height: size?.height ?? null,
    formats: null,
    url: context.providers.current.urlOf(key),
    objects: [{ key, name, path, mime: detected.mime }],
  };
  const isImage = size !== null && isDecodable(detected.mime);
  return { file: staged, image: isImage ? { ...detected, path, name, hash, size } : null };
}

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
async function addFormats(
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

/** Opens an upload session with a new staging folder. */
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
