import { assertNever } from '../lib/assert.js';
import type { Uid, VersionStatus, ContentModel, ContentSchema } from '../model/model.js';
import {
  attributeOf,
  componentOf,
  linkAttributeOf,
  targetsOf as linkTargetsOf,
  typeOf,
} from '../model/lookup.js';
import type { FilterNode, ReadQuery, SortNode, PopulateNode, Selection } from './query.js';
import { isLocalizations } from './schema-fields.js';

/** Adds the types that a part of a query reads from, starting at the schema of its records. */
interface Walk {
  readonly model: ContentModel;
  readonly types: Set<Uid>;
}

const targetsOf = ({ model, types }: Walk, schema: ContentSchema, name: string): readonly ContentSchema[] => {
  if (isLocalizations(schema, name)) return [schema];
  const uids = linkTargetsOf(linkAttributeOf(schema, name));
  for (const uid of uids) types.add(uid);
  return uids.map((uid) => typeOf(model, uid));
};

const componentOfAttribute = ({ model }: Walk, schema: ContentSchema, name: string): ContentSchema => {
  const attribute = attributeOf(schema, name);
  if (attribute.family !== 'component') throw new TypeError(`${schema.uid} has no component ${name}`);
  return componentOf(model, attribute.component);
};

const walkFilter = (walk: Walk, schema: ContentSchema, filter: FilterNode | null | undefined): void => {
  if (filter === null || filter === undefined) return;
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const item of filter.items) walkFilter(walk, schema, item);
      break;
    case 'not':
      walkFilter(walk, schema, filter.item);
      break;
    case 'link':
      for (const target of targetsOf(walk, schema, filter.attribute)) walkFilter(walk, target, filter.filter);
      break;
    case 'link-empty':
      targetsOf(walk, schema, filter.attribute);
      break;
    case 'component':
      walkFilter(walk, componentOfAttribute(walk, schema, filter.attribute), filter.filter);
      break;
    case 'compare':
    case 'component-empty':
      break;
    default:
      assertNever(filter, 'filter');
  }
};

/** A path leads over relations and components to a scalar. */
const walkPath = (walk: Walk, schema: ContentSchema, [name, ...rest]: readonly string[]): void => {
  if (name === undefined || rest.length === 0) return;
  const attribute = isLocalizations(schema, name) ? null : attributeOf(schema, name);
  const next =
    attribute?.family === 'component'
      ? [componentOfAttribute(walk, schema, name)]
      : targetsOf(walk, schema, name);
  for (const each of next) walkPath(walk, each, rest);
};

const walkRecords = (
  walk: Walk,
  schema: ContentSchema,
  records: {
    readonly selection: Selection;
    readonly filter?: FilterNode | null;
    readonly sort?: ReadQuery['sort'];
  },
): void => {
  walkFilter(walk, schema, records.filter);
  for (const { path } of records.sort ?? []) walkPath(walk, schema, path);
  for (const node of records.selection.populate) walkPopulate(walk, schema, node);
};

/** Selections and filters by type. Omitted types are not read. */
const walkTypes = (
  walk: Walk,
  on: Readonly<Record<Uid, Selection>>,
  filters: Readonly<Record<Uid, FilterNode>> = {},
): void => {
  for (const [uid, selection] of Object.entries(on)) {
    walk.types.add(uid);
    walkRecords(walk, typeOf(walk.model, uid), { selection, filter: filters[uid] ?? null });
  }
};

const walkPopulate = (walk: Walk, schema: ContentSchema, node: PopulateNode): void => {
  switch (node.kind) {
    case 'link':
      for (const target of targetsOf(walk, schema, node.attribute)) walkRecords(walk, target, node);
      break;
    case 'morph':
      walkTypes(walk, node.on, node.filters);
      break;
    case 'referrers':
      walkTypes(walk, node.on, node.filters);
      break;
    case 'component':
      walkRecords(walk, componentOfAttribute(walk, schema, node.attribute), node);
      break;
    case 'zone':
      for (const [uid, selection] of Object.entries(node.on))
        walkRecords(walk, componentOf(walk.model, uid), {
          selection,
          filter: node.filters?.[uid] ?? null,
          sort: node.sorts?.[uid] ?? [],
        });
      break;
    case 'localizations':
      walkRecords(walk, schema, node);
      break;
    default:
      assertNever(node, 'populate node');
  }
};

/**
 * Returns the types whose rows determine the result of a query, sorted: those that it returns, filters by and
 * sorts by.
 */
export function typesRead(model: ContentModel, query: ReadQuery): readonly Uid[] {
  const walk = { model, types: new Set([query.type]) };
  walkRecords(walk, typeOf(model, query.type), query);
  return [...walk.types].toSorted();
}

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
