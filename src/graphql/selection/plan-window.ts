import type { FieldNode } from 'graphql';
import { fail } from '../../errors/catalogue.js';
import type { AttributeHolder, ContentModel } from '../../model/model.js';
import { parseFilters } from '../../query/parse-filters.js';
import { parseSlice } from '../../query/parse-pagination.js';
import { parseSort } from '../../query/parse-sort.js';
import type { FilterNode, PopulateNode, Selection, SortNode } from '../../query/query.js';
import type { ReadContext } from '../../query/read-context.js';
import type { GraphqlContext, ListWindow } from '../graphql-parts.js';
import { compareRecords, matchesFilter } from './in-memory.js';
import { toFilters } from './to-filters.js';

interface WindowPlanning {
  readonly read: ReadContext;
  readonly context: GraphqlContext;
}

interface ListField {
  readonly node: PopulateNode;
  readonly holder: AttributeHolder;
  readonly first: FieldNode;
  readonly args: Readonly<Record<string, unknown>>;
}

const holderOfItems = (model: ContentModel, holder: AttributeHolder, node: PopulateNode): AttributeHolder | undefined => {
  if (node.kind === 'localizations') return holder;
  const attribute = holder.attributes[node.attribute];
  return attribute?.family === 'component' ? model.componentsByUid[attribute.component] : undefined;
};

/** Names of the items' own fields that a condition needs. Conditions on what items link are not answered here. */
const fieldsOfFilter = (node: FilterNode): readonly string[] => {
  switch (node.kind) {
    case 'compare': return [node.field];
    case 'and': case 'or': return node.items.flatMap(fieldsOfFilter);
    case 'not': return fieldsOfFilter(node.item);
    default: throw fail('request/invalid-parameter', { parameter: 'filters', reason: 'items of this list can be filtered by their own fields only.' });
  }
};

const fieldsOfSort = (sort: readonly SortNode[]): readonly string[] => sort.map(({ path }) => {
  const [name, ...more] = path;
  if (name === undefined || more.length > 0) throw fail('request/invalid-parameter', { parameter: 'sort', reason: 'items of this list can be sorted by their own fields only.' });
  return name;
});

const ALWAYS: ReadonlySet<string> = new Set(['id', 'documentId']);

const withFields = (selection: Selection, names: readonly string[]): Selection =>
  ({ ...selection, fields: [...new Set([...selection.fields, ...names.filter((name) => !ALWAYS.has(name))])] });

/**
 * The arguments of a list that no statement of its own narrows: a repeatable component's items, or the versions in other languages. They are
 * read with their owner, and narrowed when they are shown.
 */
export function planWindow({ read, context }: WindowPlanning, { node, holder, first, args }: ListField): PopulateNode {
  if (node.kind !== 'component' && node.kind !== 'localizations') return node;
  const items = holderOfItems(context.parts.model, holder, node);
  if (items === undefined) return node;
  const place = { holder: items, path: 'filters', depth: 0 };
  const filter = parseFilters(read, place, toFilters(context.parts.model, items, args['filters']));
  const sort = parseSort(read, { ...place, path: 'sort' }, args['sort']);
  const slice = parseSlice({ pagination: args['pagination'] ?? {} }, read.limits, node.attribute);
  const window: ListWindow = (list) => {
    const matching = filter === null ? list : list.filter((item) => matchesFilter(filter, item));
    const sorted = sort.length === 0 ? matching : matching.toSorted(compareRecords(sort));
    return slice === null ? sorted : sorted.slice(slice.offset, slice.offset + slice.limit);
  };
  context.windows.set(first.loc?.start ?? -1, window);
  return { ...node, selection: withFields(node.selection, [...(filter === null ? [] : fieldsOfFilter(filter)), ...fieldsOfSort(sort)]) };
}
