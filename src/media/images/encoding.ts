/**
 * How images are encoded where nothing else is asked for. AVIF's usual effort takes a large image twenty
 * seconds of CPU, the least takes one, and files become little larger.
 */
export const ENCODING = {
  webp: { quality: 80 },
  avif: { quality: 50, effort: 0 },
} as const;
