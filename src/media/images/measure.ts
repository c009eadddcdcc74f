import { open } from 'node:fs/promises';
import type { Metadata } from 'sharp';
import { fail } from '../../errors/catalogue.js';
import type { ImageLimits } from './image-limits.js';
import { loadSharp } from './load-sharp.js';
import { svgSize } from './svg-size.js';

/** Width and height as people see the image, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The kinds that can be opened. */
const OPENED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/tiff', 'image/avif']);

const SVG_HEAD = 16 * 1024;

export function isOpenable(mime: string): boolean {
  return OPENED.has(mime);
}

const readSvg = async (path: string): Promise<ImageSize | null> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SVG_HEAD), 0, SVG_HEAD, 0);
    return svgSize(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
};

const readMetadata = async (path: string, name: string, { maxPixels }: ImageLimits): Promise<Metadata | null> => {
  const { open: openImage } = await loadSharp();
  if (openImage === null) return null;
  try {
    return await openImage(path, { limitInputPixels: false }).metadata();
  } catch (cause) {
    throw fail('upload/invalid-image', { name, limit: maxPixels }, { cause });
  }
};

/**
 * The size of an image; null for what is none or cannot be measured. Reads no more than the header.
 *
 * @throws `upload/invalid-image`, `upload/too-many-pixels`
 */
export async function measure(path: string, { name, mime }: { readonly name: string; readonly mime: string }, limits: ImageLimits): Promise<ImageSize | null> {
  if (mime === 'image/svg+xml') return readSvg(path);
  if (!isOpenable(mime)) return null;
  const metadata = await readMetadata(path, name, limits);
  if (metadata === null) return null;
  const { width, height, pages, autoOrient } = metadata;
  if (width * height > limits.maxPixels) throw fail('upload/too-many-pixels', { name, width, height, limit: limits.maxPixels });
  if (width * height * (pages ?? 1) > limits.maxPixels * 10) throw fail('upload/too-many-pixels', { name, width, height: height * (pages ?? 1), limit: limits.maxPixels });
  return { width: autoOrient.width, height: autoOrient.height };
}
