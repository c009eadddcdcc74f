import { assertNever } from '../lib/assert.js';
import { memoizeWeakly } from '../lib/collections.js';
import { componentOf, typeOf } from '../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, ContentType, Uid } from '../model/model.js';
import { joinNodes } from './filter-nodes.js';
import type { FilterNode } from './query.js';
import type { AccessScope } from './read-access.js';
import { invalidKey } from './read-context.js';
import type { QueryLocation, ReadContext } from './read-context.js';
import { isLocalizations } from './schema-fields.js';

/** Returns the component with a uid that a client sent, if there is one. */
export function findComponent(model: ContentModel, uid: Uid): ContentSchema | undefined {
  return Object.hasOwn(model.componentsByUid, uid) ? model.componentsByUid[uid] : undefined;
}

const visibleType = (
  context: ReadContext,
  location: QueryLocation,
  { name, uid }: { readonly name: string; readonly uid: Uid },
): ContentType => {
  if (!context.access.canFind(uid))
    throw invalidKey(location, name, `this needs the find permission on ${uid}.`);
  return typeInScope(context, uid);
};

/**
 * Returns the type whose fields `filters` and `sort` may name below `localizations`. Null: the name has
 * another meaning at that location.
 *
 * @throws `request/invalid-parameter` if the caller may not find the type
 */
export function resolveLocalizations(
  context: ReadContext,
  location: QueryLocation,
  name: string,
): ContentType | null {
  const { schema } = location;
  return isLocalizations(schema, name) ? visibleType(context, location, { name, uid: schema.uid }) : null;
}

/**
 * Returns the schema whose fields `filters` and `sort` may name below an attribute of the location. Media
 * need no separate permission.
 *
 * @throws `request/invalid-parameter` if the attribute has no single target schema, or if the caller may not
 *   find the target
 */
export function resolveTargetSchema(
  context: ReadContext,
  location: QueryLocation,
  attribute: Attribute,
): ContentSchema {
  const { name } = attribute;
  switch (attribute.family) {
    case 'component':
      return componentOf(context.model, attribute.component);
    case 'media':
      return typeInScope(context, attribute.target);
    case 'relation': {
      if (attribute.target === null)
        throw invalidKey(location, name, 'polymorphic relations cannot be used in filters or sort.');
      return visibleType(context, location, { name, uid: attribute.target });
    }
    case 'dynamiczone':
      throw invalidKey(location, name, 'dynamic zones cannot be used in filters or sort.');
    case 'scalar':
      throw invalidKey(location, name, 'it has no fields.');
    default:
      return assertNever(attribute, 'attribute family');
  }
}

const FIND = 'find';

/** Returns the scope of a permission of the caller. Null: everything. */
export function accessScope(
  { access }: Pick<ReadContext, 'access'>,
  type: Uid,
  action: string = FIND,
): AccessScope | null {
  return access.scopeOf?.(type, action) ?? null;
}

/** Returns a function that returns a type with only these attributes, always the same object. */
const withFields = memoizeWeakly((fields: ReadonlySet<string>) =>
  memoizeWeakly((type: ContentType): ContentType => {
    const attributes = Object.entries(type.attributes).filter(([name]) => fields.has(name));
    return Object.freeze({ ...type, attributes: Object.freeze(Object.fromEntries(attributes)) });
  }),
);

/** Returns a type with only those attributes that the caller may see. */
export function typeInScope(
  context: Pick<ReadContext, 'model' | 'access'>,
  uid: Uid,
  action: string = FIND,
): ContentType {
  const type = typeOf(context.model, uid);
  const fields = accessScope(context, uid, action)?.fields ?? null;
  return fields === null ? type : withFields(fields)(type);
}

const attributeTargetSchema = (
  { model }: Pick<ReadContext, 'model'>,
  schema: ContentSchema,
  name: string,
): ContentSchema | null => {
  if (isLocalizations(schema, name)) return schema;
  const attribute = schema.attributes[name];
  if (attribute?.family === 'component') return model.componentsByUid[attribute.component] ?? null;
  if (attribute?.family === 'relation' || attribute?.family === 'media')
    return attribute.target === null ? null : typeOf(model, attribute.target);
  return null;
};

const restrictLink = (
  context: ReadContext,
  target: ContentSchema | null,
  node: FilterNode & { readonly kind: 'link' | 'link-empty' },
): FilterNode => {
  const condition = target === null ? null : (accessScope(context, target.uid)?.filter ?? null);
  if (node.kind === 'link') {
    const targetFilter = target === null ? node.filter : restrictFilter(context, target, node.filter);
    return {
      ...node,
      filter: condition === null ? targetFilter : { kind: 'and', items: [condition, targetFilter] },
    };
  }
  if (condition === null) return node;
  const visibleLink: FilterNode = { kind: 'link', attribute: node.attribute, filter: condition };
  return node.empty ? { kind: 'not', item: visibleLink } : visibleLink;
};

/**
 * Adds the access filter of the target to every relation in a filter, so that filtering does not reveal
 * documents that the caller may not see.
 */
export function restrictFilter(context: ReadContext, schema: ContentSchema, node: FilterNode): FilterNode {
  if (context.access.scopeOf === undefined) return node;
  switch (node.kind) {
    case 'and':
    case 'or':
      return { kind: node.kind, items: node.items.map((item) => restrictFilter(context, schema, item)) };
    case 'not':
      return { kind: 'not', item: restrictFilter(context, schema, node.item) };
    case 'link':
    case 'link-empty':
      return restrictLink(context, attributeTargetSchema(context, schema, node.attribute), node);
    case 'component': {
      const target = attributeTargetSchema(context, schema, node.attribute);
      return target === null ? node : { ...node, filter: restrictFilter(context, target, node.filter) };
    }
    case 'compare':
    case 'component-empty':
      return node;
    default:
      return assertNever(node, 'filter node');
  }
}

interface ScopedFilter {
  readonly filter: FilterNode | null;
  /** Default: `find`. */
  readonly action?: string;
}

/** Joins a client's filter with the access filters of the type and of all relations it mentions. */
export function filterInScope(
  context: ReadContext,
  type: Uid,
  { filter, action }: ScopedFilter,
): FilterNode | null {
  if (context.access.scopeOf === undefined) return filter;
  const accessFilter = accessScope(context, type, action)?.filter ?? null;
  const clientFilter = filter === null ? null : restrictFilter(context, typeOf(context.model, type), filter);
  return joinNodes(
    'and',
    [accessFilter, clientFilter].filter((node) => node !== null),
  );
}
