import { ALWAYS_ANSWERED, selectableFields } from './holder-fields.js';
import { asList, splitList } from './raw-values.js';
import type { Place } from './read-context.js';
import { refuse, refuseName } from './read-context.js';

/**
 * Reads a `fields` value: `*`, a name, a comma list, or a list of these; in model order, without the fields that are always answered.
 * Absent: all. Throws `request/invalid-parameter` for names that are no scalar of the holder at `place`.
 */
export function parseFields(place: Place, raw: unknown): readonly string[] {
  const known = selectableFields(place.holder);
  if (raw === undefined || raw === null || raw === '') return known;
  const wanted = new Set((asList(raw) ?? [raw]).flatMap((item) => namesIn(place, item)));
  if (wanted.has('*')) return known;
  for (const name of wanted) {
    if (!known.includes(name) && !isAlwaysAnswered(place, name)) throw refuseName(place, name, known);
  }
  return known.filter((name) => wanted.has(name));
}

const namesIn = (place: Place, item: unknown): readonly string[] => {
  if (typeof item !== 'string') throw refuse(place.path, 'it must be a name, a comma list of names, or a list of names.');
  return splitList(item);
};

const isAlwaysAnswered = ({ holder }: Place, name: string): boolean => ALWAYS_ANSWERED.has(name) && (name === 'id' || 'storage' in holder);
