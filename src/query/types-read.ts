import { assertNever } from '../lib/assert.js';
import {
  attributeOf,
  componentOf,
  linkAttributeOf,
  targetsOf as linkTargetsOf,
  typeOf,
} from '../model/lookup.js';
import type { ContentModel, ContentSchema, Uid } from '../model/model.js';
import { isLocalizations } from './schema-fields.js';
import type { FilterNode, PopulateNode, ReadQuery, Selection } from './query.js';

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
