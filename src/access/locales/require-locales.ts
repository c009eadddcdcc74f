import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { didYouMean } from '../../lib/nearest.js';

/** Returns the error about a locale that is none of the known ones. */
export function unknownLocale(code: string, known: readonly string[]): GalleyError {
  return createError('access/unknown-locale', {
    code,
    remedy: didYouMean(code, known, `Locales are ${known.join(', ')}. Add others with: cms locale add`),
  });
}

/**
 * Checks that there are locales.
 *
 * @param known the codes of those that there are
 * @throws `access/unknown-locale`
 */
export function requireLocales(codes: readonly string[], known: readonly string[]): void {
  const unknown = codes.find((code) => !known.includes(code));
  if (unknown !== undefined) throw unknownLocale(unknown, known);
}
