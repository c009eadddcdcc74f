import { assertNever } from '../../lib/assert-never.js';
import type { FilterNode, PopulateNode, ReadQuery, Selection, Slice, SortNode } from '../../query/query.js';

type Printed = Record<string, unknown>;

/** Prints a filter in the language of Strapi's `filters`. */
function printFilter(node: FilterNode): Printed {
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

/** Conditions on several attributes read better in one object, as long as no name occurs twice. */
const flatten = (filter: FilterNode): Printed => {
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

const printRange = ({ filter, sort = [], slice }: PrintedRange): Printed => ({
  ...(filter === undefined || filter === null ? {} : { filters: flatten(filter) }),
  ...(sort.length === 0 ? {} : { sort: printSort(sort) }),
  ...(slice === undefined || slice === null ? {} : { start: slice.offset, limit: slice.limit }),
});

const printVariants = (
  on: Readonly<Record<string, Selection>>,
  filters: Readonly<Record<string, FilterNode>> = {},
  sorts: Readonly<Record<string, ReadQuery['sort']>> = {},
): Printed => ({
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

/** Prints what a record consists of as `fields` and `populate`. */
export function printSelection({ fields, populate }: Selection): {
  fields: readonly string[];
  populate?: Printed;
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
 * @param selection `fields` and `populate`, where they are not those that the query was parsed into
 */
export function printReadParams(
  query: ReadQuery,
  isLocalized: boolean,
  selection: Printed = printSelection(query.selection),
): Printed {
  const { filter, sort, page, locale, status, hasPublishedVersion } = query;
  return {
    ...printRange({ filter, sort, slice: page }),
    ...selection,
    status,
    ...(isLocalized ? { locale } : {}),
    ...(hasPublishedVersion === null ? {} : { hasPublishedVersion }),
  };
}
