import { createError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import type { GalleyError } from '../errors/galley-error.js';

/** Enough to mend them in one go. */
const MAX_PLACES = 50;

const isAboutFile = (error: unknown): error is GalleyError =>
  isGalleyError(error) && ['content/rejected-file', 'content/invalid-file'].includes(error.code);

/** Throws one error about several places in files, each of them a line of text. */
export function rejectPlaces(places: readonly string[]): never {
  const rest = places.length > MAX_PLACES ? [`and ${places.length - MAX_PLACES} more`] : [];
  const list = [...places.slice(0, MAX_PLACES), ...rest].map((place) => `\n  ${place}`).join('');
  throw createError('content/rejected-files', { count: places.length, list });
}

/**
 * Does something with each file, and tells at the end what is wrong with all of them.
 *
 * @throws `content/rejected-file`, `content/invalid-file`, or `content/rejected-files` if there are several
 */
export function mapFiles<File, Result>(
  files: readonly File[],
  map: (file: File) => Result,
): readonly Result[] {
  const errors: GalleyError[] = [];
  const results: Result[] = [];
  for (const file of files)
    try {
      results.push(map(file));
    } catch (error) {
      if (!isAboutFile(error)) throw error;
      errors.push(error);
    }
  const [first] = errors;
  if (first === undefined) return results;
  if (errors.length === 1) throw first;
  return rejectPlaces(errors.map(({ message }) => message));
}
