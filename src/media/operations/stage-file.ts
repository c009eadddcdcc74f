import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createError } from '../../errors/catalogue.js';
import { withFilePath } from '../../lib/with-file-path.js';
import { isAllowed, isPlausibleType } from '../content/type-rules.js';
import { detectType } from '../content/detect-type.js';
import type { DetectedType } from '../content/detect-type.js';
import { typeOfExtension } from '../content/mime-types.js';
import { sanitiseFileName, createFileHash, extensionOf } from '../file-name.js';
import type { SourceImage } from '../images/generate-formats.js';
import { isDecodable, measureImage } from '../images/measure-image.js';
import type { IncomingFile, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';

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
export interface ReceivedFile {
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
export async function stageFile(
  context: MediaContext,
  file: IncomingFile,
  folder: string,
): Promise<ReceivedFile> {
  const name = sanitiseFileName(file.name);
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
