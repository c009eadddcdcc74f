import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fail } from '../../errors/catalogue.js';
import { isAllowed } from '../content/allowed.js';
import { isHonest } from '../content/claims.js';
import { detect } from '../content/detect.js';
import type { Detected } from '../content/detect.js';
import { typeOfExtension } from '../content/known-types.js';
import { cleanName, createHash, extensionOf } from '../file-name.js';
import { makeFormats } from '../images/make-formats.js';
import type { MadeFormats } from '../images/make-formats.js';
import { isOpenable, measure } from '../images/measure.js';
import type { ImageSize } from '../images/measure.js';
import type { IncomingFile, StagedFile } from '../media.js';
import type { MediaContext } from '../media-context.js';

const assertHonest = (name: string, claims: readonly (string | null | undefined)[], { mime }: Detected): void => {
  const lie = claims.find((claim) => claim !== null && claim !== undefined && !isHonest(claim, mime));
  if (lie !== undefined) throw fail('upload/wrong-type', { name, claimed: String(lie).slice(0, 100), actual: mime });
};

const receive = async ({ config }: MediaContext, { content, isCut }: IncomingFile, name: string, path: string): Promise<number> => {
  await pipeline(content, createWriteStream(path, { flush: true }));
  if (isCut()) throw fail('upload/too-large', { name, limit: config.sizeLimit });
  const { size } = await stat(path);
  if (size === 0) throw fail('upload/empty-file', { name });
  return size;
};

interface Examined {
  readonly size: ImageSize | null;
  readonly made: MadeFormats;
}

const examineImage = async ({ config, providers }: MediaContext, image: { readonly path: string; readonly name: string; readonly hash: string } & Detected, folder: string): Promise<Examined> => {
  const size = await measure(image.path, image, config);
  if (size === null || !isOpenable(image.mime)) return { size, made: { formats: null, objects: [] } };
  const { maxPixels, breakpoints } = config;
  return { size, made: await makeFormats({ ...image, size }, { maxPixels, breakpoints, folder, urlOf: providers.current.urlOf }) };
};

/**
 * Writes one file into a staging folder as it comes in, tells what it is, and makes the smaller copies of an image.
 *
 * @throws `upload/empty-file`, `upload/too-large`, `upload/wrong-type`, `upload/type-not-allowed`, `upload/invalid-image`, `upload/too-many-pixels`
 */
export async function stageFile(context: MediaContext, file: IncomingFile, folder: string): Promise<StagedFile> {
  const name = cleanName(file.name);
  const extension = extensionOf(name);
  const hash = createHash(name);
  const incoming = join(folder, hash);
  const bytes = await receive(context, file, name, incoming);
  const detected = await detect(incoming, extension);
  assertHonest(name, [file.type, typeOfExtension(extension)], detected);
  if (!isAllowed(detected.mime, context.config)) throw fail('upload/type-not-allowed', { name, type: detected.mime });
  const key = `${hash}${detected.ext}`;
  const path = join(folder, key);
  await rename(incoming, path);
  const { size, made } = await context.images.run(() => examineImage(context, { ...detected, path, name, hash }, folder));
  return {
    name, hash, bytes, ...detected,
    width: size?.width ?? null,
    height: size?.height ?? null,
    formats: made.formats,
    url: context.providers.current.urlOf(key),
    objects: [{ key, path, mime: detected.mime }, ...made.objects],
  };
}
