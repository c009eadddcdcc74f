import type { Sharp } from 'sharp';
import { createError } from '../../errors/catalogue.js';
import { ENCODING } from '../images/encoding.js';
import type { SourceImage } from '../images/generate-formats.js';
import type { OpenImage } from '../images/load-sharp.js';
import { IMAGE_TIMEOUT_SECONDS } from '../images/measure-image.js';
import type { ImageLimits, ImageSize } from '../images/measure-image.js';
import type { FocalPoint } from './transform.js';

/** The longest side that any of the types can have. */
const MAX_SIDE = 16_383;

/**
 * The types that images are written in: those that a client may ask for, and those that only stay as they
 * are.
 */
export type RenderedFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif' | 'tiff';

/** Types whose files become smaller with less quality. */
const LOSSY: ReadonlySet<RenderedFormat> = new Set(['jpeg', 'webp', 'avif']);

export function isLossy(format: RenderedFormat): boolean {
  return LOSSY.has(format);
}

/** Exact parameters for rendering an image. */
export interface Rendering {
  readonly width: number | null;
  readonly height: number | null;
  /** The point around which it is cropped where both sides are to be filled. Null: all of it is kept. */
  readonly focalPoint: FocalPoint | null;
  readonly format: RenderedFormat;
  readonly quality: number | null;
}

/** Returns the start of a crop of `length` pixels on a side of `total` pixels. */
const cropStart = (total: number, length: number, percentage: number): number =>
  Math.min(Math.max(Math.round((total * percentage) / 100 - length / 2), 0), total - length);

/** Fills a box of the shape that was asked for, which is smaller where the image is. */
const cover = (
  opened: Sharp,
  image: ImageSize,
  width: number,
  height: number,
  { x, y }: FocalPoint,
): Sharp => {
  const shrink = Math.min(1, image.width / width, image.height / height);
  const box = {
    width: Math.max(1, Math.round(width * shrink)),
    height: Math.max(1, Math.round(height * shrink)),
  };
  const scale = Math.max(box.width / image.width, box.height / image.height);
  const scaled = {
    width: Math.max(box.width, Math.round(image.width * scale)),
    height: Math.max(box.height, Math.round(image.height * scale)),
  };
  return opened.resize({ ...scaled, fit: 'fill' }).extract({
    ...box,
    left: cropStart(scaled.width, box.width, x),
    top: cropStart(scaled.height, box.height, y),
  });
};

const resize = (opened: Sharp, image: ImageSize, { width, height, focalPoint }: Rendering): Sharp => {
  if (focalPoint !== null && width !== null && height !== null)
    return cover(opened, image, width, height, focalPoint);
  const box = { width: width ?? MAX_SIDE, height: height ?? MAX_SIDE };
  return opened.resize({ ...box, fit: 'inside', withoutEnlargement: true });
};

const encode = (image: Sharp, { format, quality }: Rendering): Sharp => {
  const usual = format === 'webp' || format === 'avif' ? ENCODING[format] : {};
  // JPEG has no transparency, and would show black.
  const opaque = format === 'jpeg' ? image.flatten({ background: '#fff' }) : image;
  return opaque.toFormat(format, { ...usual, ...(quality === null ? {} : { quality }) });
};

/**
 * Writes what is asked for of an image to `target`. It is never enlarged. Of an animation it is the first
 * picture.
 *
 * @throws `upload/invalid-image` if it cannot be decoded completely and in time
 */
export async function renderImage(
  openImage: OpenImage,
  source: Pick<SourceImage, 'path' | 'name' | 'size'>,
  rendering: Rendering,
  { maxPixels }: ImageLimits,
  target: string,
): Promise<void> {
  const opened = openImage(source.path, {
    limitInputPixels: maxPixels,
    sequentialRead: true,
    failOn: 'error',
  })
    .timeout({ seconds: IMAGE_TIMEOUT_SECONDS })
    .autoOrient();
  try {
    await encode(resize(opened, source.size, rendering), rendering).toFile(target);
  } catch (cause) {
    throw createError('upload/invalid-image', { name: source.name }, { cause });
  }
}
