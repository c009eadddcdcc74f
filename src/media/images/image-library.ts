import { Mutex, withTimeout } from 'async-mutex';
import type { Sharp, SharpOptions } from 'sharp';
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
