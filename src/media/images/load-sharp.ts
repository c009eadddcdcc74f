import type { Sharp, SharpOptions } from 'sharp';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';

export type OpenImage = (path: string, options?: SharpOptions) => Sharp;

/** The function that opens images, or why there is none. Without it images are stored as they are. */
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
