import { open } from 'node:fs/promises';
import { Mutex, withTimeout } from 'async-mutex';
import type { Sharp, SharpOptions, Metadata } from 'sharp';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';

export type OpenImage = (path: string, options?: SharpOptions) => Sharp;

/** The function that opens images, or the error of loading it. Without it, images are stored unchanged. */
export type ImageLibrary =
  | { readonly open: OpenImage; readonly error: null }
  | { readonly open: null; readonly error: GalleyError };

let loading: Promise<ImageLibrary> | null = null;

const load = async (): Promise<ImageLibrary> => {
  try {
    const { default: sharp } = await import('sharp');
    // Decoded images are rarely needed twice, and the cache would keep them in memory.
    sharp.cache(false);
    return { open: sharp, error: null };
  } catch (cause) {
    return { open: null, error: createError('upload/image-processing-unavailable', {}, { cause }) };
  }
};

/**
 * Loads the image library on first use. It is native, so it may be missing on a platform it was not installed
 * for.
 */
export function loadSharp(): Promise<ImageLibrary> {
  loading ??= load();
  return loading;
}

/**
 * Default options for encoding images. AVIF takes twenty seconds of CPU for a large image by default; with
 * the lowest effort it takes one, and files are only a little larger.
 */
export const ENCODING = {
  webp: { quality: 80 },
  avif: { quality: 50, effort: 0 },
} as const;

const MAX_WAITING = 32;
const MAX_WAIT_MS = 30_000;

/** Processes images one at a time to limit memory. */
export interface ImageQueue {
  /** @throws `upload/busy` if too many images are waiting, or the wait is too long */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

export function createImageQueue(maxWaiting = MAX_WAITING, maxWaitMs = MAX_WAIT_MS): ImageQueue {
  const mutex = withTimeout(new Mutex(), maxWaitMs, createError('upload/busy'));
  let pending = 0;
  return {
    run: async (work) => {
      // One of those pending is being processed.
      if (pending > maxWaiting) throw createError('upload/busy');
      pending += 1;
      try {
        return await mutex.runExclusive(work);
      } finally {
        pending -= 1;
      }
    },
  };
}

/** The start tag of an `svg` element, with its attributes as text. */
const START_TAG = /<(?:[a-z][\w.-]*:)?svg\b([^>]*)>/i;

const attributeValue = (tag: string, name: string): string | undefined =>
  new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1];

const parsePixels = (length: string | undefined): number | null => {
  const value = /^\s*(\d{1,7}(?:\.\d{1,6})?)(?:px)?\s*$/.exec(length ?? '')?.[1];
  return value === undefined ? null : Math.round(Number(value));
};

/**
 * Returns the size in the attributes of an SVG's first element, or else that of its view box; null if it has
 * neither. Nothing is rendered.
 */
export function svgSize(head: string): { readonly width: number; readonly height: number } | null {
  const tag = START_TAG.exec(head)?.[1] ?? '';
  const viewBox = (attributeValue(tag, 'viewBox') ?? '').trim().split(/[\s,]+/);
  const width = parsePixels(attributeValue(tag, 'width')) ?? parsePixels(viewBox[2]);
  const height = parsePixels(attributeValue(tag, 'height')) ?? parsePixels(viewBox[3]);
  return width === null || height === null ? null : { width, height };
}

/** Displayed width and height of an image in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const DECODABLE_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
]);

/** Maximum pixels of all frames of an animation, as a multiple of the maximum for one image. */
const MAX_ANIMATION_FACTOR = 10;

const SVG_HEAD_BYTES = 16 * 1024;

/** True if images of a type can be decoded, and so measured and resized. */
export function isDecodable(mime: string): boolean {
  return DECODABLE_TYPES.has(mime);
}

const readSvgSize = async (path: string): Promise<ImageSize | null> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SVG_HEAD_BYTES), 0, SVG_HEAD_BYTES, 0);
    return svgSize(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
};

const readMetadata = async (
  path: string,
  name: string,
  { maxPixels }: ImageLimits,
): Promise<Metadata | null> => {
  const { open: openImage } = await loadSharp();
  if (openImage === null) return null;
  try {
    return await openImage(path, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw createError('upload/invalid-image', { name, limit: maxPixels }, { cause });
  }
};

/**
 * Returns the size of an image, or null for other files and images that cannot be measured. Reads only the
 * header.
 *
 * @throws `upload/invalid-image`, `upload/too-many-pixels`
 */
export async function measureImage(
  path: string,
  { name, mime }: { readonly name: string; readonly mime: string },
  limits: ImageLimits,
): Promise<ImageSize | null> {
  if (mime === 'image/svg+xml') return readSvgSize(path);
  if (!isDecodable(mime)) return null;
  const metadata = await readMetadata(path, name, limits);
  if (metadata === null) return null;
  const { width, height, pages, autoOrient } = metadata;
  if (width * height > limits.maxPixels)
    throw createError('upload/too-many-pixels', { name, width, height, limit: limits.maxPixels });
  if (width * height * (pages ?? 1) > limits.maxPixels * MAX_ANIMATION_FACTOR)
    throw createError('upload/too-many-pixels', {
      name,
      width,
      height: height * (pages ?? 1),
      limit: limits.maxPixels,
    });
  return { width: autoOrient.width, height: autoOrient.height };
}

/** Limits on the work for one image. */
export interface ImageLimits {
  /** Width times height, which decides how much memory a decoded image takes. */
  readonly maxPixels: number;
}

/** Seconds after which processing an image is aborted. */
export const IMAGE_TIMEOUT_SECONDS = 30;
