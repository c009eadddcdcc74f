import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { kilobytes } from '../file-name.js';
import type { ImageFormat, StagedObject } from '../media.js';
import type { ImageLimits, ImageSize } from './measure-image.js';
import { IMAGE_TIMEOUT_SECONDS } from './measure-image.js';
import { loadSharp } from './load-sharp.js';
import type { OpenImage } from './load-sharp.js';

/** An image that is staged at `path`. */
export interface SourceImage {
  readonly path: string;
  readonly name: string;
  readonly hash: string;
  readonly ext: string;
  readonly mime: string;
  readonly size: ImageSize;
}

export interface FormatOptions extends ImageLimits {
  /** Longest side in pixels, by name: `{ small: 500 }`. */
  readonly breakpoints: Readonly<Record<string, number>>;
  readonly urlOf: (key: string) => string;
  /** The folder in which the copies are staged. */
  readonly folder: string;
}

export interface GeneratedFormats {
  readonly formats: Readonly<Record<string, ImageFormat>> | null;
  readonly objects: readonly StagedObject[];
}

const THUMBNAIL = { name: 'thumbnail', width: 245, height: 156 } as const;

interface BoundingBox {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** Copies are never larger than the image. */
const boxesFor = (
  { width, height }: ImageSize,
  breakpoints: FormatOptions['breakpoints'],
): readonly BoundingBox[] => {
  const boxes = Object.entries(breakpoints).map(([name, side]) => ({ name, width: side, height: side }));
  return [THUMBNAIL, ...boxes].filter((box) => width > box.width || height > box.height);
};

const generateFormat = async (
  openImage: OpenImage,
  image: SourceImage,
  box: BoundingBox,
  { maxPixels, folder, urlOf }: FormatOptions,
): Promise<{ readonly format: ImageFormat; readonly object: StagedObject }> => {
  const hash = `${box.name}_${image.hash}`;
  const key = `${hash}${image.ext}`;
  const path = join(folder, key);
  const resized = openImage(image.path, {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    failOn: 'error',
  })
    .timeout({ seconds: IMAGE_TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: box.width, height: box.height, fit: 'inside', withoutEnlargement: true });
  const { width, height, size } = await resized.toFile(path).catch((cause: unknown) => {
    throw createError('upload/invalid-image', { name: image.name }, { cause });
  });
  const format: ImageFormat = {
    name: `${box.name}_${image.name}`,
    hash,
    ext: image.ext,
    mime: image.mime,
    path: null,
    width,
    height,
    size: kilobytes(size),
    sizeInBytes: size,
    url: urlOf(key),
  };
  return { format, object: { key, name: format.name, path, mime: image.mime } };
};

/**
 * Generates the smaller copies of an image one by one: a thumbnail, and one for each breakpoint it exceeds.
 *
 * @throws `upload/invalid-image` if it cannot be decoded completely and in time
 */
export async function generateFormats(image: SourceImage, options: FormatOptions): Promise<GeneratedFormats> {
  const { open: openImage } = await loadSharp();
  if (openImage === null) return { formats: null, objects: [] };
  const formats: Record<string, ImageFormat> = {};
  const objects: StagedObject[] = [];
  for (const box of boxesFor(image.size, options.breakpoints)) {
    const { format, object } = await generateFormat(openImage, image, box, options);
    formats[box.name] = format;
    objects.push(object);
  }
  return { formats: objects.length === 0 ? null : formats, objects };
}
