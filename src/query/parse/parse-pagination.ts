import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { ContentSchema } from '../../model/model.js';
import { restrictFilter } from '../access-scope.js';
import { joinNodes } from '../filter-nodes.js';
import type { ComponentPopulate, FilterNode, LocalizationsPopulate, Page } from '../query.js';
import { invalidParameter, locate, parseBoolean, parseInteger } from '../read-context.js';
import type { ReadContext, QueryLimits } from '../read-context.js';
import { parseFilters } from './parse-filters.js';
import { parseSort } from './parse-sort.js';

/** A range of a list, by pages or by offset, never both. Null: not given. */
interface RawRange {
  readonly page: number | null;
  readonly pageSize: number | null;
  readonly start: number | null;
  readonly limit: number | null;
}

type RangeKey = keyof RawRange;

/** A configured maximum of -1 means no maximum. */
const maxLimitOf = ({ maxLimit }: QueryLimits): number =>
  maxLimit < 0 ? Number.MAX_SAFE_INTEGER : Math.max(maxLimit, 1);

const clampLimit = (requested: number, limits: QueryLimits): number =>
  Math.min(Math.max(requested, 1), maxLimitOf(limits));

const readNumber = (
  source: Readonly<Record<string, unknown>>,
  key: RangeKey,
  path: string,
): number | null => {
  const value = source[key];
  if (value === undefined || value === null) return null;
  const number = parseInteger(value);
  if (number === null) throw invalidParameter(`${path}.${key}`, 'it must be a whole number.');
  return number;
};

const readRange = (source: Readonly<Record<string, unknown>>, path: string): RawRange => {
  const read = (key: RangeKey): number | null => readNumber(source, key, path);
  const range = {
    page: read('page'),
    pageSize: read('pageSize'),
    start: read('start'),
    limit: read('limit'),
  };
  if (isByPage(range) && isByOffset(range)) throw createError('request/mixed-pagination');
  return range;
};

const isByPage = ({ page, pageSize }: RawRange): boolean => page !== null || pageSize !== null;
const isByOffset = ({ start, limit }: RawRange): boolean => start !== null || limit !== null;

const readCount = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  const count = parseBoolean(value);
  if (count === null) throw invalidParameter('pagination.withCount', 'it must be true or false.');
  return count;
};

const CURSOR_KEYS = ['after', 'before'] as const;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A page by cursor as a client requests it. Empty text: the start or the end of the list. */
interface CursorRequest {
  readonly key: (typeof CURSOR_KEYS)[number];
  readonly text: string;
}

/**
 * Returns the cursor that `pagination` names. Null: none.
 *
 * @throws `request/invalid-parameter`
 */
export function readCursorRequest(raw: unknown): CursorRequest | null {
  if (!isRecord(raw)) return null;
  const [key, other] = CURSOR_KEYS.filter((name) => isGiven(raw[name]));
  if (key === undefined) return null;
  if (other !== undefined)
    throw invalidParameter(`pagination.${other}`, `it cannot be combined with ${key}.`);
  const text = raw[key];
  if (typeof text !== 'string') throw invalidParameter(`pagination.${key}`, 'it must be a cursor.');
  const isFirst = key === 'after' && text === '';
  if (!isFirst && (isGiven(raw['page']) || isGiven(raw['start'])))
    throw invalidParameter(`pagination.${key}`, 'it cannot be combined with page or start.');
  return { key, text };
}

/** Returns offset and limit, within the configured limits. */
const resolveRange = (
  range: RawRange,
  limits: QueryLimits,
  path: string,
): { readonly offset: number; readonly limit: number } => {
  if (isByOffset(range)) {
    const limit =
      range.limit === -1 ? maxLimitOf(limits) : clampLimit(range.limit ?? limits.defaultLimit, limits);
    return { offset: Math.max(range.start ?? 0, 0), limit };
  }
  const limit = clampLimit(range.pageSize ?? limits.defaultLimit, limits);
  const offset = (Math.max(range.page ?? 1, 1) - 1) * limit;
  if (!Number.isSafeInteger(offset)) throw invalidParameter(`${path}.page`, 'the page number is too large.');
  return { offset, limit };
};

/**
 * Parses `pagination`. Numbers that are too small are raised to the minimum, sizes above the maximum are
 * lowered. `limit: -1` requests the maximum. Unknown keys are ignored.
 *
 * @throws `request/invalid-parameter`, `request/mixed-pagination`
 */
export function parsePage(raw: unknown, limits: QueryLimits): Page {
  const source = raw ?? {};
  if (!isRecord(source))
    throw invalidParameter('pagination', 'it must be an object, like pagination[page]=2.');
  const range = readRange(source, 'pagination');
  return {
    style: isByOffset(range) ? 'offset' : 'page',
    ...resolveRange(range, limits, 'pagination'),
    withCount: readCount(source['withCount']),
  };
}

/**
 * Parses the range of a populated list from `pagination`, or from `start` and `limit` next to it. Null:
 * the whole list.
 */
export function parseSlice(
  options: Readonly<Record<string, unknown>>,
  limits: QueryLimits,
  path: string,
): { readonly offset: number; readonly limit: number } | null {
  const { pagination } = options;
  const hasPagination = pagination !== undefined && pagination !== null;
  if (hasPagination && !isRecord(pagination))
    throw invalidParameter(`${path}.pagination`, 'it must be an object, like pagination[limit]=5.');
  if (hasPagination && CURSOR_KEYS.some((key) => isGiven(pagination[key])))
    throw invalidParameter(`${path}.pagination`, 'only the list itself has cursors.');
  const range = readRange(
    { start: options['start'], limit: options['limit'], ...(hasPagination ? pagination : {}) },
    path,
  );
  if (!hasPagination && !isByOffset(range)) return null;
  return resolveRange(range, limits, path);
}

/** A client's `filters`, `sort` and `pagination` for a list whose items are of that schema. */
export interface ListRangeOptions {
  readonly schema: ContentSchema;
  /** The path of the list in the request. Default: the options have no path. */
  readonly path?: string;
  readonly rawOptions: Readonly<Record<string, unknown>>;
}

/**
 * Returns the node with the range that the client requests. Filters are restricted to records that the caller
 * may see.
 *
 * @throws `request/invalid-parameter`, `request/mixed-pagination`, `request/query-too-deep`,
 *   `request/query-too-large`
 */
export function withListRange<Node extends ComponentPopulate | LocalizationsPopulate>(
  context: ReadContext,
  node: Node,
  { schema, path = '', rawOptions }: ListRangeOptions,
): Node {
  const location = { schema, path, depth: 0 };
  const parsedFilter = parseFilters(context, locate(location, 'filters'), rawOptions['filters']);
  const conditions: readonly (FilterNode | null | undefined)[] = [
    node.filter,
    parsedFilter === null ? null : restrictFilter(context, schema, parsedFilter),
  ];
  const filter = joinNodes(
    'and',
    conditions.filter((condition) => condition !== null && condition !== undefined),
  );
  const sort = parseSort(context, locate(location, 'sort'), rawOptions['sort']);
  const pagination = rawOptions['pagination'];
  const slice = parseSlice({ pagination }, context.limits, node.attribute);
  return {
    ...node,
    ...(filter === null ? {} : { filter }),
    ...(sort.length === 0 ? {} : { sort }),
    ...(slice === null ? {} : { slice }),
  };
}
