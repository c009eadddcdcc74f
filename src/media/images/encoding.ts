/**
 * Default options for encoding images. The usual effort of AVIF takes twenty seconds of CPU for a large
 * image; the least takes one, and files become little larger.
 */
export const ENCODING = {
  webp: { quality: 80 },
  avif: { quality: 50, effort: 0 },
} as const;
