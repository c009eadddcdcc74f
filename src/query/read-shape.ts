import { assertNever } from '../lib/assert.js';
import type { Uid, VersionStatus } from '../model/model.js';
import type { FilterNode, ReadQuery, SortNode } from './query.js';

/** Shape shared by reads that differ only in values, fields and populated attributes. */
export interface ReadShape {
  readonly type: Uid;
  /** True if the matching documents are counted or added up, rather than read. */
  readonly isCount: boolean;
  /** The operands are null, except those of `$null` and `$notNull`. */
  readonly filter: FilterNode | null;
  readonly sort: readonly SortNode[];
  readonly isPaged: boolean;
  readonly isAllLocales: boolean;
  readonly status: VersionStatus;
}

const withoutValues = (node: FilterNode): FilterNode => {
  switch (node.kind) {
    case 'and':
    case 'or':
      return { ...node, items: node.items.map(withoutValues) };
    case 'not':
      return { ...node, item: withoutValues(node.item) };
    case 'link':
    case 'component':
      return { ...node, filter: withoutValues(node.filter) };
    case 'compare':
      return node.operator === '$null' || node.operator === '$notNull' ? node : { ...node, operand: null };
    case 'link-empty':
    case 'component-empty':
      return node;
    default:
      return assertNever(node, 'filter node');
  }
};

/** Returns the shape of a read, which contains no value of a client. */
export function readShapeOf(query: ReadQuery, isCount: boolean): ReadShape {
  return {
    type: query.type,
    isCount,
    filter: query.filter === null ? null : withoutValues(query.filter),
    sort: isCount ? [] : query.sort,
    isPaged: !isCount && query.page !== null,
    isAllLocales: query.locale === '*',
    status: query.status,
  };
}

/** Returns a filter as parameters of the API: `filters[author][name][$eq]`. */
const filterParts = (node: FilterNode, path: string): readonly string[] => {
  switch (node.kind) {
    case 'and':
      return node.items.flatMap((item) => filterParts(item, path));
    case 'or':
      return node.items.flatMap((item, index) => filterParts(item, `${path}[$or][${index}]`));
    case 'not':
      return filterParts(node.item, `${path}[$not]`);
    case 'link':
    case 'component':
      return filterParts(node.filter, `${path}[${node.attribute}]`);
    case 'compare':
      return [`${path}[${node.field}][${node.operator}]`];
    case 'link-empty':
    case 'component-empty':
      return [`${path}[${node.attribute}][${node.empty ? '$null' : '$notNull'}]`];
    default:
      return assertNever(node, 'filter node');
  }
};

/**
 * Describes a shape in the words of the API.
 *
 * @example
 *   describeShape(shape); // 'api::article.article filters[title][$eq] sort=views:desc'
 */
export function describeShape({ type, isCount, filter, sort, isAllLocales, status }: ReadShape): string {
  return [
    type,
    ...(isCount ? ['count'] : []),
    ...(filter === null ? [] : filterParts(filter, 'filters')),
    ...(sort.length === 0
      ? []
      : [`sort=${sort.map(({ path, direction }) => `${path.join('.')}:${direction}`).join(',')}`]),
    ...(isAllLocales ? ['locale=*'] : []),
    ...(status === 'draft' ? ['status=draft'] : []),
  ].join(' ');
}
