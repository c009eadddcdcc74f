import { transliterate } from './transliterate.js';

/**
 * Returns text as a name for URLs: lower-case Latin letters and digits, with hyphens between words. Empty if
 * the text has none of them.
 *
 * @example
 *   slugOf('Größe & Élan!'); // 'groesse-elan'
 */
export function slugOf(text: string): string {
  return transliterate(text)
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}
