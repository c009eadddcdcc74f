import { isDeepStrictEqual } from 'node:util';
import { assertNever } from '../../lib/assert.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel, ContentSchema, Uid, VersionStatus } from '../../model/model.js';
import type { ClientRequest } from '../../query/read-access.js';
import { accessScope } from '../../query/access-scope.js';
import { joinNodes } from '../../query/filter-nodes.js';
import { exposeModel } from '../../query/schema-fields.js';
import { parseReadQuery, parseSelection } from '../../query/parse/parse-read-query.js';
import type { FilterNode, PopulateNode, ReadQuery, Selection, Slice, SortNode } from '../../query/query.js';
import { FULL_ACCESS, accessAtStatus } from '../../query/read-access.js';
import { SERVER_LIMITS } from '../../query/read-context.js';
import { sanitizeQuery } from '../http/sanitize.js';
import { sliceOf } from './query-params.js';

type PrintedParams = Record<string, unknown>;

/** Prints a filter in the syntax of Strapi's `filters`. */
function printFilter(node: FilterNode): PrintedParams {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { [`$${node.kind}`]: node.items.map(printFilter) };
    case 'not':
      return { $not: printFilter(node.item) };
    case 'compare':
      return { [node.field]: { [node.operator]: node.operand } };
    case 'link':
    case 'component':
      return { [node.attribute]: printFilter(node.filter) };
    case 'link-empty':
    case 'component-empty':
      return { [node.attribute]: { [node.empty ? '$null' : '$notNull']: true } };
    default:
      return assertNever(node, 'filter node');
  }
}

/** Prints a filter. Conditions on different attributes are joined in one object, for readability. */
const flatten = (filter: FilterNode): PrintedParams => {
  if (filter.kind !== 'and') return printFilter(filter);
  const printed = filter.items.map(printFilter);
  const keys = printed.flatMap((item) => Object.keys(item));
  return new Set(keys).size === keys.length ? Object.assign({}, ...printed) : printFilter(filter);
};

const printSort = (sort: readonly SortNode[]): readonly string[] =>
  sort.map(({ path, direction }) => `${path.join('.')}:${direction}`);

interface PrintedRange {
  readonly filter?: FilterNode | null;
  readonly sort?: readonly SortNode[];
  readonly slice?: Slice | null;
}

const printRange = ({ filter, sort = [], slice }: PrintedRange): PrintedParams => ({
  ...(filter === undefined || filter === null ? {} : { filters: flatten(filter) }),
  ...(sort.length === 0 ? {} : { sort: printSort(sort) }),
  ...(slice === undefined || slice === null ? {} : { start: slice.offset, limit: slice.limit }),
});

const printVariants = (
  on: Readonly<Record<string, Selection>>,
  filters: Readonly<Record<string, FilterNode>> = {},
  sorts: Readonly<Record<string, ReadQuery['sort']>> = {},
): PrintedParams => ({
  on: Object.fromEntries(
    Object.entries(on).map(([uid, selection]) => [
      uid,
      {
        ...printSelection(selection),
        ...printRange({ filter: filters[uid] ?? null, sort: sorts[uid] ?? [] }),
      },
    ]),
  ),
});

const printPopulate = (node: PopulateNode): unknown => {
  switch (node.kind) {
    case 'link':
      return {
        ...printSelection(node.selection),
        ...printRange(node),
        ...(node.count ? { count: true } : {}),
      };
    case 'morph':
      return printVariants(node.on, node.filters);
    case 'zone':
      return printVariants(node.on, node.filters, node.sorts);
    case 'component':
    case 'localizations':
      return { ...printSelection(node.selection), ...printRange(node) };
    case 'referrers':
      return true;
    default:
      return assertNever(node, 'populate node');
  }
};

/** Prints a selection as `fields` and `populate`. */
export function printSelection({ fields, populate }: Selection): {
  fields: readonly string[];
  populate?: PrintedParams;
} {
  return {
    fields,
    ...(populate.length === 0
      ? {}
      : { populate: Object.fromEntries(populate.map((node) => [node.attribute, printPopulate(node)])) }),
  };
}

/**
 * Prints a read as the parameters of Strapi's document service.
 *
 * @param selection replaces the `fields` and `populate` of the query
 */
export function printReadParams(
  query: ReadQuery,
  isLocalized: boolean,
  selection: PrintedParams = printSelection(query.selection),
): PrintedParams {
  const { filter, sort, page, locale, status, hasPublishedVersion } = query;
  return {
    ...printRange({ filter, sort, slice: page }),
    ...selection,
    status,
    ...(isLocalized ? { locale } : {}),
    ...(hasPublishedVersion === null ? {} : { hasPublishedVersion }),
  };
}

type Params = Record<string, unknown>;

/** The parameters of a read, which project code may change. */
export interface ChangeableQuery {
  readonly params: Params;
  /**
   * Returns the query that the parameters describe, or those that replaced them. Returns the same query if
   * nothing has changed.
   */
  readonly changed: (params?: Params) => ReadQuery;
}

interface ChangeableOptions {
  readonly params: Params;
  /** The request of the read. Absent for reads by server code. */
  readonly request?: ClientRequest | undefined;
  readonly defaultLocale: () => string;
  /** Normalizes a `populate` written by project code. */
  readonly toPopulate: (model: ContentModel, schema: ContentSchema, populate: unknown) => unknown;
}

const PARAMETER_NAMES = [
  'filters',
  'sort',
  'fields',
  'populate',
  'start',
  'limit',
  'locale',
  'status',
  '_q',
] as const;

interface ChangedSelection {
  readonly type: Uid;
  readonly status: VersionStatus;
  /** `fields` and `populate` as set by project code. */
  readonly requested: { readonly fields: unknown; readonly populate: unknown };
}

/**
 * Parses `fields` and `populate` that project code has changed. For a client's read, removes attributes that
 * the client may not see, and applies its permissions to the rest. Private attributes may be selected, since
 * they are removed from the results.
 *
 * @throws `request/invalid-parameter` for attributes that the schema lacks
 */
export function parseChangedSelection(
  model: ContentModel,
  { type, status, requested }: ChangedSelection,
  request: Omit<ClientRequest, 'params'> | undefined,
): Selection {
  const exposed = exposeModel(model);
  const options = { limits: SERVER_LIMITS, status };
  const selection = parseSelection(exposed, type, requested, { ...options, access: FULL_ACCESS });
  if (request?.access.isOfClient !== true) return selection;
  const parse = (params: Params): Selection =>
    parseSelection(exposed, type, params, { ...options, ...request });
  return parse(sanitizeQuery(requested, parse));
}

/** Returns a filter that code has set for a client's read, with the condition of the client's permission. */
const withCondition = (
  filter: FilterNode | null,
  { type, status }: Pick<ReadQuery, 'type' | 'status'>,
  request: ClientRequest | undefined,
): FilterNode | null => {
  if (request?.access.isOfClient !== true) return filter;
  const access = accessAtStatus(request.access, status);
  const condition = accessScope({ access }, type, request.action)?.filter ?? null;
  return joinNodes(
    'and',
    [filter, condition].filter((node) => node !== null),
  );
};

/**
 * Exposes a read to project code as parameters. Unchanged parameters keep their parsed form, including the
 * conditions added by the caller's permissions.
 */
export function changeableQuery(
  model: ContentModel,
  query: ReadQuery,
  { params: exposedParams, request, defaultLocale, toPopulate }: ChangeableOptions,
): ChangeableQuery {
  const before = structuredClone(
    Object.fromEntries(PARAMETER_NAMES.map((name) => [name, exposedParams[name]])),
  );
  const changed = (params: Params = exposedParams): ReadQuery => {
    const hasChanged = (...names: readonly (typeof PARAMETER_NAMES)[number][]): boolean =>
      names.some((name) => !isDeepStrictEqual(before[name], params[name]));
    if (!hasChanged(...PARAMETER_NAMES)) return query;
    const exposed = exposeModel(model);
    const type = typeOf(exposed, query.type);
    const requested = {
      fields: params['fields'],
      populate: toPopulate(exposed, type, params['populate']),
    };
    const parsed = parseReadQuery(
      exposed,
      query.type,
      {
        filters: params['filters'],
        sort: params['sort'],
        pagination: sliceOf({ limit: params['limit'], offset: params['start'] }, 'start'),
        locale: params['locale'],
        status: params['status'],
        _q: params['_q'],
      },
      {
        access: FULL_ACCESS,
        limits: SERVER_LIMITS,
        defaultLocale: defaultLocale(),
        paginated: query.page !== null,
      },
    );
    return Object.freeze({
      ...query,
      ...(hasChanged('filters', '_q') ? { filter: withCondition(parsed.filter, query, request) } : {}),
      ...(hasChanged('sort') ? { sort: parsed.sort } : {}),
      ...(hasChanged('fields', 'populate')
        ? {
            selection: parseChangedSelection(
              model,
              { type: query.type, status: query.status, requested },
              request,
            ),
          }
        : {}),
      ...(hasChanged('start', 'limit') && query.page !== null && parsed.page !== null
        ? { page: { ...query.page, offset: parsed.page.offset, limit: parsed.page.limit } }
        : {}),
      ...(hasChanged('locale') ? { locale: parsed.locale } : {}),
      ...(hasChanged('status') ? { status: parsed.status } : {}),
    });
  };
  return { params: exposedParams, changed };
}
