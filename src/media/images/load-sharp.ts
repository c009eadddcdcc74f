import type { Sharp, SharpOptions } from 'sharp';
import { fail } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';

export type OpenImage = (path: string, options?: SharpOptions) => Sharp;

/** How images are opened; or why they are not, and stored as they come. */
export type ImageLibrary = { readonly open: OpenImage; readonly fault: null } | { readonly open: null; readonly fault: GalleyError };

let loaded: Promise<ImageLibrary> | null = null;

const load = async (): Promise<ImageLibrary> => {
  try {
    const { default: sharp } = await import('sharp');
    // What was decoded is hardly ever asked for twice, and would stay in memory.
    sharp.cache(false);
    return { open: sharp, fault: null };
  } catch (cause) {
    return { open: null, fault: fail('upload/no-images', {}, { cause }) };
  }
};

/** The image library, loaded when it is first asked for. It is native, and so may be missing on a kind of machine it was not installed for. */
export function loadSharp(): Promise<ImageLibrary> {
  loaded ??= load();
  return loaded;
}
