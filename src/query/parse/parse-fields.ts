import { ALWAYS_RETURNED, selectableFields } from '../schema-fields.js';
import { asList, splitList } from '../raw-values.js';
import type { QueryLocation } from '../read-context.js';
import { invalidParameter, unknownAttribute } from '../read-context.js';

const ALL = '*';

/**
 * Parses `fields`: `*`, a name, a comma-separated list, or a list of these. Returns the names in model order,
 * without fields that are always returned. Default: all. `*` may stand beside names.
 *
 * @throws `request/invalid-parameter` for names that are not scalar fields
 */
export function parseFields(location: QueryLocation, raw: unknown): readonly string[] {
  const selectable = selectableFields(location.schema);
  if (raw === undefined || raw === null || raw === '') return selectable;
  const requested = new Set((asList(raw) ?? [raw]).flatMap((item) => namesIn(location, item)));
  for (const name of requested) {
    if (name !== ALL && !selectable.includes(name) && !isAlwaysReturned(location, name))
      throw unknownAttribute(location, name, selectable);
  }
  return requested.has(ALL) ? selectable : selectable.filter((name) => requested.has(name));
}

const namesIn = (location: QueryLocation, item: unknown): readonly string[] => {
  if (typeof item !== 'string')
    throw invalidParameter(location.path, 'it must be a name, a comma-separated list, or a list of names.');
  return splitList(item);
};

const isAlwaysReturned = ({ schema }: QueryLocation, name: string): boolean =>
  ALWAYS_RETURNED.has(name) && (name === 'id' || 'storage' in schema);
