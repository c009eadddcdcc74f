import { isRecord } from '../../lib/records.js';
import type { ContentSchema } from '../../model/model.js';
import { accessScope, resolveLocalizations, resolveTargetSchema } from '../access-scope.js';
import { comparableField, comparableNames, isContentType, readableAttribute } from '../schema-fields.js';
import type { SearchTerm, SortNode } from '../query.js';
import {
  asList,
  keysOf,
  shorten,
  splitList,
  enter,
  invalidParameter,
  unknownAttribute,
} from '../read-context.js';
import type { QueryLocation, ReadContext } from '../read-context.js';
import { defined } from '../../lib/assert.js';

/** Far more than any order needs. Only a body can contain more; it is rejected before it is split. */
const MAX_TEXT_LENGTH = 100_000;

/** Sorts by relevance to `_q`. */
const SCORE = '_score';

type Direction = SortNode['direction'];

interface SortLocation extends QueryLocation {
  /** The search term of the list, if it can be searched. */
  readonly search?: SearchTerm | null;
}

/**
 * Parses `sort`: `name`, `a:desc,b`, `{name: "desc"}`, `{author: {name: "asc"}}`, or a list of these.
 *
 * @throws `request/invalid-parameter` for fields that cannot be sorted by, and for unknown directions
 */
export function parseSort(context: ReadContext, location: SortLocation, raw: unknown): readonly SortNode[] {
  if (raw === undefined || raw === null) return [];
  const list = asList(raw);
  return list === null
    ? parseSortItem(context, location, raw)
    : list.flatMap((item) => parseSortItem(context, location, item));
}

const parseSortItem = (context: ReadContext, location: SortLocation, item: unknown): readonly SortNode[] => {
  if (item === null || item === undefined) return [];
  if (typeof item === 'string' && item.length > MAX_TEXT_LENGTH)
    throw invalidParameter(location.path, `it is longer than ${MAX_TEXT_LENGTH} characters.`);
  if (typeof item === 'string') return splitList(item).map((part) => parseSortText(context, location, part));
  if (isRecord(item)) return parseSortObject(context, location, item);
  throw invalidParameter(
    location.path,
    'it must be text like name:desc, an object like {"name": "desc"}, or a list of these.',
  );
};

const isScore = ({ schema }: QueryLocation, name: string): boolean =>
  name === SCORE && comparableField(schema, SCORE) === null;

const scoreNode = (location: SortLocation, direction: unknown): SortNode => {
  const { path, search } = location;
  if (search === undefined || search === null)
    throw invalidParameter(
      path,
      '_score is how well a document fits _q. Only a list with _q can be sorted by it.',
    );
  return { path: [SCORE], direction: parseDirection(location, direction), score: search };
};

/** `author.name:desc` */
const parseSortText = (context: ReadContext, location: SortLocation, text: string): SortNode => {
  const [path = '', direction, ...rest] = text.split(':').map((part) => part.trim());
  if (rest.length > 0) throw invalidParameter(location.path, `${shorten(text)} has more than one direction.`);
  if (isScore(location, path)) return scoreNode(location, direction ?? 'desc');
  let current: QueryLocation = location;
  const names = path.split('.');
  for (const name of names.slice(0, -1)) current = enterAttribute(context, current, name);
  return {
    path: checkSortPath(context, current, names),
    direction: parseDirection(location, direction ?? 'asc'),
  };
};

/** `{author: {name: "desc"}}` */
const parseSortObject = (
  context: ReadContext,
  location: SortLocation,
  object: Readonly<Record<string, unknown>>,
  parentPath: readonly string[] = [],
): readonly SortNode[] =>
  keysOf(object).flatMap((name): readonly SortNode[] => {
    const value = object[name];
    if (value === undefined || value === '') return [];
    if (parentPath.length === 0 && isScore(location, name)) return [scoreNode(location, value)];
    if (isRecord(value))
      return parseSortObject(context, enterAttribute(context, location, name), value, [...parentPath, name]);
    return [
      {
        path: checkSortPath(context, location, [...parentPath, name]),
        direction: parseDirection(location, value),
      },
    ];
  });

const parseDirection = (location: QueryLocation, direction: unknown): Direction => {
  const normalised = typeof direction === 'string' && direction.length < 5 ? direction.toLowerCase() : '';
  if (normalised !== 'asc' && normalised !== 'desc')
    throw invalidParameter(location.path, 'the direction must be asc or desc.');
  return normalised;
};

const attributeSchema = (context: ReadContext, location: QueryLocation, name: string): ContentSchema => {
  const attribute = readableAttribute(location.schema, name);
  if (attribute === null) throw unknownAttribute(location, name, comparableNames(location.schema));
  return resolveTargetSchema(context, location, attribute);
};

/** Descends through `localizations` or one relation, media or component attribute: one more table is read. */
const enterAttribute = (context: ReadContext, location: QueryLocation, name: string): QueryLocation => {
  context.countEntry();
  const { path } = enter(location, name);
  const schema = resolveLocalizations(context, location, name) ?? attributeSchema(context, location, name);
  // The order would reveal values of documents that the caller may not see.
  if (isContentType(schema) && (accessScope(context, schema.uid)?.filter ?? null) !== null)
    throw invalidParameter(
      path,
      `you may see only some ${schema.pluralName}, so you cannot sort by their fields.`,
    );
  return enter(location, name, schema);
};

/** Checks that the last name is a sortable field of the schema at the location. */
const checkSortPath = (
  context: ReadContext,
  location: QueryLocation,
  names: readonly string[],
): readonly string[] => {
  context.countEntry();
  const name = defined(names.at(-1), 'The last name of a sort path');
  const field = comparableField(location.schema, name);
  if (field === null) throw unknownAttribute(location, name, comparableNames(location.schema));
  if (!field.sortable)
    throw invalidParameter(enter(location, name).path, 'values of this type cannot be sorted.');
  return names;
};
