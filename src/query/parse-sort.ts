import { isRecord } from '../lib/is-record.js';
import { coverage } from './coverage.js';
import { comparableField, comparableNames, isContentType, readableAttribute } from './holder-fields.js';
import { openAttribute } from './nested-holder.js';
import type { SortNode } from './query.js';
import { asList, keysOf, shorten, splitList } from './raw-values.js';
import type { Place, ReadContext } from './read-context.js';
import { enter, refuse, refuseName } from './read-context.js';

type Direction = SortNode['direction'];

/**
 * Reads a `sort` value: `name`, `a:desc,b`, `{name: "desc"}`, `{author: {name: "asc"}}` or a list of these.
 * Throws `request/invalid-parameter` for names the holder at `place` can't be sorted by and for other directions.
 */
export function parseSort(context: ReadContext, place: Place, raw: unknown): readonly SortNode[] {
  if (raw === undefined || raw === null) return [];
  const list = asList(raw);
  return list === null ? parseSortItem(context, place, raw) : list.flatMap((item) => parseSortItem(context, place, item));
}

const parseSortItem = (context: ReadContext, place: Place, item: unknown): readonly SortNode[] => {
  if (item === null || item === undefined) return [];
  if (typeof item === 'string') return splitList(item).map((part) => parseSortText(context, place, part));
  if (isRecord(item)) return parseSortObject(context, place, item);
  throw refuse(place.path, 'it must be text like name:desc, an object like {"name": "desc"}, or a list of these.');
};

/** `author.name:desc` */
const parseSortText = (context: ReadContext, place: Place, text: string): SortNode => {
  const [path = '', direction = 'asc', ...more] = text.split(':').map((part) => part.trim());
  if (more.length > 0) throw refuse(place.path, `${shorten(text)} has more than one direction.`);
  let at = place;
  const names = path.split('.');
  for (const name of names.slice(0, -1)) at = step(context, at, name);
  return { path: finish(context, at, names), direction: parseDirection(place, direction) };
};

/** `{author: {name: "desc"}}` */
const parseSortObject = (context: ReadContext, place: Place, object: Readonly<Record<string, unknown>>, above: readonly string[] = []): readonly SortNode[] =>
  keysOf(object).flatMap((name): readonly SortNode[] => {
    const value = object[name];
    if (value === undefined || value === '') return [];
    if (isRecord(value)) return parseSortObject(context, step(context, place, name), value, [...above, name]);
    return [{ path: finish(context, place, [...above, name]), direction: parseDirection(place, value) }];
  });

const parseDirection = (place: Place, direction: unknown): Direction => {
  const known = typeof direction === 'string' && direction.length < 5 ? direction.toLowerCase() : '';
  if (known !== 'asc' && known !== 'desc') throw refuse(place.path, 'the direction must be asc or desc.');
  return known;
};

/** Through one relation, media or component attribute. */
const step = (context: ReadContext, place: Place, name: string): Place => {
  const attribute = readableAttribute(place.holder, name);
  if (attribute === null) throw refuseName(place, name, comparableNames(place.holder));
  const { path } = enter(place, name);
  const holder = openAttribute(context, attribute, path);
  // The order would tell of values that are not shown.
  if (isContentType(holder) && (coverage(context, holder.uid)?.filter ?? null) !== null) throw refuse(path, `only some ${holder.pluralName} may be seen, so there is no order by them.`);
  return enter(place, name, holder);
};

/** The checked path; `names` ends with the field of the holder at `place`. */
const finish = (context: ReadContext, place: Place, names: readonly string[]): readonly string[] => {
  context.spend();
  const name = names.at(-1) ?? '';
  const field = comparableField(place.holder, name);
  if (field === null) throw refuseName(place, name, comparableNames(place.holder));
  if (!field.sortable) throw refuse(enter(place, name).path, 'values of this type have no order.');
  return names;
};
