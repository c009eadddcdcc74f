import type { Sharp, SharpOptions } from 'sharp';
import { fail } from '../../errors/catalogue.js';

export type OpenImage = (path: string, options?: SharpOptions) => Sharp;

let loaded: Promise<OpenImage> | null = null;

const load = async (): Promise<OpenImage> => {
  try {
    const { default: sharp } = await import('sharp');
    // What was decoded is hardly ever asked for twice, and would stay in memory.
    sharp.cache(false);
    return sharp;
  } catch (cause) {
    throw fail('upload/no-images', {}, { cause });
  }
};

/**
 * The image library, loaded with the first image.
 *
 * @throws `upload/no-images` where it is not installed, or not for this kind of machine
 */
export function loadSharp(): Promise<OpenImage> {
  loaded ??= load();
  return loaded;
}
