import { createError } from '../../errors/catalogue.js';
import { didYouMean } from '../../lib/nearest.js';

/**
 * Checks that there are locales.
 *
 * @param known the codes of those that there are
 * @throws `access/unknown-locale`
 */
export function requireLocales(codes: readonly string[], known: readonly string[]): void {
  const unknown = codes.find((code) => !known.includes(code));
  if (unknown !== undefined)
    throw createError('access/unknown-locale', {
      code: unknown,
      remedy: didYouMean(unknown, known, 'See: cms locale list'),
    });
}
