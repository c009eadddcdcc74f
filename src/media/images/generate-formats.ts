import { join } from 'node:path';
import type { Sharp } from 'sharp';
import { createError } from '../../errors/catalogue.js';
import { extensionOf, kilobytes } from '../file-info.js';
import type { ImageFormat, StagedObject } from '../media.js';
import { ENCODING, loadSharp, IMAGE_TIMEOUT_SECONDS } from './image-library.js';
import type { OpenImage, ImageLimits, ImageSize } from './image-library.js';

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
  /** The types in which each copy is made besides that of the image. */
  readonly formats: readonly ('webp' | 'avif')[];
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

/** A copy to make. */
interface Copy {
  /** `small`, `small_webp` */
  readonly name: string;
  readonly box: BoundingBox;
  readonly ext: string;
  readonly mime: string;
  /** The name that it gets from the image's: `sunset.jpg`, `sunset.webp`. */
  readonly fileName: string;
  readonly encode: (image: Sharp) => Sharp;
}

const copiesOf = (image: SourceImage, { breakpoints, formats }: FormatOptions): readonly Copy[] => {
  const { name, ext, mime } = image;
  const stem = name.slice(0, name.length - extensionOf(name).length);
  const types = [...new Set(formats)].filter((type) => mime !== `image/${type}`);
  return boxesFor(image.size, breakpoints).flatMap((box): readonly Copy[] => [
    { name: box.name, box, ext, mime, fileName: name, encode: (resized) => resized },
    ...types.map((type) => ({
      name: `${box.name}_${type}`,
      box,
      ext: `.${type}`,
      mime: `image/${type}`,
      fileName: `${stem}.${type}`,
      encode: (resized: Sharp) => resized.toFormat(type, ENCODING[type]),
    })),
  ]);
};

const generateFormat = async (
  openImage: OpenImage,
  image: SourceImage,
  { box, ext, mime, fileName, encode }: Copy,
  { maxPixels, folder, urlOf }: FormatOptions,
): Promise<{ readonly format: ImageFormat; readonly object: StagedObject }> => {
  const hash = `${box.name}_${image.hash}`;
  const key = `${hash}${ext}`;
  const path = join(folder, key);
  const resized = openImage(image.path, {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    failOn: 'error',
  })
    .timeout({ seconds: IMAGE_TIMEOUT_SECONDS })
    .autoOrient()
    .resize({ width: box.width, height: box.height, fit: 'inside', withoutEnlargement: true });
  const { width, height, size } = await encode(resized)
    .toFile(path)
    .catch((cause: unknown) => {
      throw createError('upload/invalid-image', { name: image.name }, { cause });
    });
  const format: ImageFormat = {
    name: `${box.name}_${fileName}`,
    hash,
    ext,
    mime,
    path: null,
    width,
    height,
    size: kilobytes(size),
    sizeInBytes: size,
    url: urlOf(key),
  };
  return { format, object: { key, name: format.name, path, mime } };
};

/**
 * Generates the smaller copies of an image one by one: a thumbnail, and one for each breakpoint it exceeds,
 * in the type of the image and in the others that are asked for.
 *
 * @throws `upload/invalid-image` if it cannot be decoded completely and in time
 */
export async function generateFormats(image: SourceImage, options: FormatOptions): Promise<GeneratedFormats> {
  const { open: openImage } = await loadSharp();
  if (openImage === null) return { formats: null, objects: [] };
  const formats: Record<string, ImageFormat> = {};
  const objects: StagedObject[] = [];
  for (const copy of copiesOf(image, options)) {
    const { format, object } = await generateFormat(openImage, image, copy, options);
    formats[copy.name] = format;
    objects.push(object);
  }
  return { formats: objects.length === 0 ? null : formats, objects };
}
