import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { assertNever } from '../../lib/assert.js';
import type { FromClause } from '../../database/dialect/sql-expressions.js';
import type { ComponentAttribute, MorphLink, LinkAttribute, MediaAttribute, Uid } from '../../model/model.js';
import type { ComparisonOperator, FilterNode, LinkNode } from '../query.js';
import { isLocalizations } from '../schema-fields.js';
import { attributeOf, componentOf, linkAttributeOf, typeOf } from '../../model/lookup.js';
import { column, createItemScope, joinConditions, rowOf, whereAll } from './compile-context.js';
import type { CompileContext, RowScope, Scope, ItemScope } from './compile-context.js';
import { compileComparison, fieldValue } from './fields.js';
import {
  morphRows,
  columnRowsFromInverse,
  columnRowsFromOwner,
  morphRowsFromInverse,
  tableRowsFromInverse,
  tableRowsFromOwner,
} from './link-rows.js';
import {
  versionTable,
  allDocumentVersions,
  createPath,
  createRowScope,
  documentIdOf,
  equality,
  orderIdOf,
  outerEquality,
  seesSingleVersion,
  versionEqualities,
} from './version-rows.js';
import type { LinkedRows } from './version-rows.js';

const singleTargetOf = ({ schema }: Scope, { name, target }: LinkAttribute): Uid => {
  if (target === null) throw new TypeError(`${schema.uid} ${name} links several types`);
  return target;
};

/** Components store the document ids of their targets in JSON: one id, or a list of ids. */
const componentRelationRows = (
  context: CompileContext,
  source: ItemScope,
  attribute: LinkAttribute,
): LinkedRows => {
  const { expressions } = context;
  const scope = createRowScope(context, typeOf(context.model, singleTargetOf(source, attribute)));
  const version = versionEqualities(context, scope, source.row);
  const isUnique = seesSingleVersion(context, scope, source.row);
  if (!attribute.many) {
    const keys = [
      outerEquality(documentIdOf(scope), expressions.json.field(source.json, attribute.name, 'text')),
    ];
    return {
      scope,
      path: createPath(scope, { link: null, keys, version, isUnique }),
      order: isUnique ? [] : [orderIdOf(context, scope)],
    };
  }
  const ids = expressions.json.rows(source.member(attribute.name), context.nextAlias('j'));
  const path = createPath(scope, {
    link: { from: ids.from, keys: [] },
    keys: [equality(documentIdOf(scope), ids.text)],
    version,
    isUnique,
  });
  return { scope, path, order: [ids.position, orderIdOf(context, scope)] };
};

const relationRows = (context: CompileContext, source: RowScope, attribute: LinkAttribute): LinkedRows => {
  const { link, side } = attribute;
  switch (link?.kind) {
    case 'column':
      return (side === 'owner' ? columnRowsFromOwner : columnRowsFromInverse)(context, source, link);
    case 'table':
      return (side === 'owner' ? tableRowsFromOwner : tableRowsFromInverse)(context, source, link);
    case 'morph': {
      if (side === 'owner') throw new TypeError(`${source.schema.uid} ${attribute.name} links several types`);
      return morphRowsFromInverse(context, source, link);
    }
    case undefined:
      throw new TypeError(`${source.schema.uid} ${attribute.name} has no link`);
    default:
      return assertNever(link, 'link');
  }
};

/** The rows linked by an attribute with one target type, in the version that is seen from `scope`. */
export function linkedRows(context: CompileContext, scope: Scope, attribute: LinkAttribute): LinkedRows {
  return scope.kind === 'item'
    ? componentRelationRows(context, scope, attribute)
    : relationRows(context, rowOf(scope), attribute);
}

/** The rows that a name in a filter or a sort order leads to. `many`: there may be several. */
export function followedRows(
  context: CompileContext,
  scope: Scope,
  name: string,
): LinkedRows & { readonly many: boolean } {
  if (scope.kind === 'row' && isLocalizations(scope.schema, name))
    return { ...allDocumentVersions(context, scope), many: true };
  const attribute = linkAttributeOf(scope.schema, name);
  return { ...linkedRows(context, scope, attribute), many: attribute.many };
}

/** Follows a media attribute backwards: from a file to the rows that link it by that attribute. */
export function mediaReferrers(
  context: CompileContext,
  source: RowScope,
  { name, link }: MediaAttribute,
): LinkedRows {
  if (link === null) throw new TypeError(`${name} has no link`);
  return link.kind === 'column'
    ? columnRowsFromInverse(context, source, link)
    : tableRowsFromInverse(context, source, link);
}

/** Operators that usually match few rows. */
const SELECTIVE_OPERATORS: ReadonlySet<ComparisonOperator> = new Set([
  '$eq',
  '$eqi',
  '$in',
  '$between',
  '$contains',
  '$containsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
]);

/** True if the filter is likely to match few rows, judged by its operators alone. */
const isSelective = (node: FilterNode): boolean => {
  switch (node.kind) {
    case 'compare':
      return SELECTIVE_OPERATORS.has(node.operator);
    case 'and':
      return node.items.some(isSelective);
    case 'or':
      return node.items.length > 0 && node.items.every(isSelective);
    case 'link':
    case 'component':
      return isSelective(node.filter);
    case 'not':
    case 'link-empty':
    case 'component-empty':
      return false;
    default:
      return assertNever(node, 'filter node');
  }
};

const exists = (from: RawBuilder<unknown>, where: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from ${from} ${whereAll(where)})`;

const ownMorphLink = ({ schema }: Scope, name: string): MorphLink | null => {
  if (isLocalizations(schema, name)) return null;
  const { link, side } = linkAttributeOf(schema, name);
  return link?.kind === 'morph' && side === 'owner' ? link : null;
};

const existsLinked = (
  context: CompileContext,
  scope: Scope,
  node: LinkNode | Extract<FilterNode, { readonly kind: 'link-empty' }>,
): RawBuilder<boolean> => {
  const { attribute } = node;
  const filter = node.kind === 'link' ? node.filter : null;
  const morph = ownMorphLink(scope, attribute);
  if (morph !== null) {
    const { from, where } = morphRows(context, rowOf(scope), morph);
    return exists(from, where);
  }
  const rows = followedRows(context, scope, attribute);
  const conditions = filter === null ? [] : [context.condition(context, rows.scope, filter)];
  return context.expressions.paths.exists(rows.path, conditions, {
    isSelective: filter !== null && isSelective(filter),
  });
};

/** Returns the JSON of a component attribute: a column, or a member of the enclosing component. */
export function componentJson(scope: Scope, attribute: ComponentAttribute): RawBuilder<unknown> {
  return scope.kind === 'row' ? column(scope.alias, attribute.column.name) : scope.member(attribute.name);
}

export function componentAttributeOf(scope: Scope, name: string): ComponentAttribute {
  const attribute = attributeOf(scope.schema, name);
  if (attribute.family === 'component') return attribute;
  throw new TypeError(`${scope.schema.uid} ${name} holds no component`);
}

/** All fields of a missing single component are null, because a member of null is null. */
const existsComponent = (
  context: CompileContext,
  scope: Scope,
  name: string,
  filter: FilterNode,
): RawBuilder<boolean> => {
  const attribute = componentAttributeOf(scope, name);
  const schema = componentOf(context.model, attribute.component);
  const json = componentJson(scope, attribute);
  const matches = (item: RawBuilder<unknown>): RawBuilder<boolean> =>
    context.condition(context, createItemScope(context.expressions, scope, schema, item), filter);
  if (!attribute.repeatable) return matches(json);
  const { from, item } = context.expressions.json.rows(json, context.nextAlias('j'));
  return exists(from, [matches(item)]);
};

const componentIsEmpty = (context: CompileContext, scope: Scope, name: string): RawBuilder<boolean> => {
  const attribute = componentAttributeOf(scope, name);
  const json = componentJson(scope, attribute);
  if (!attribute.repeatable) return context.expressions.json.isAbsent(json);
  return sql<boolean>`not ${exists(context.expressions.json.rows(json, context.nextAlias('j')).from, [])}`;
};

const negateUnless = (condition: RawBuilder<boolean>, plain: boolean): RawBuilder<boolean> =>
  plain ? condition : sql<boolean>`not (${condition})`;

/**
 * Compiles a filter to a condition on the row or component of `scope`.
 *
 * Links and repeatable components use EXISTS, so that each record is found once. `not` must be
 * directly above comparisons, where null stays unknown.
 */
export function compileCondition(
  context: CompileContext,
  scope: Scope,
  node: FilterNode,
): RawBuilder<boolean> {
  switch (node.kind) {
    case 'and':
    case 'or':
      return joinConditions(
        node.items.map((item) => compileCondition(context, scope, item)),
        node.kind,
      );
    case 'not':
      return sql<boolean>`not (${compileCondition(context, scope, node.item)})`;
    case 'compare':
      return compileComparison(context, node, fieldValue(context, scope, node.field));
    case 'link':
      return existsLinked(context, scope, node);
    case 'link-empty':
      return negateUnless(existsLinked(context, scope, node), !node.empty);
    case 'component':
      return existsComponent(context, scope, node.attribute, node.filter);
    case 'component-empty':
      return negateUnless(componentIsEmpty(context, scope, node.attribute), node.empty);
    default:
      return assertNever(node, 'filter node');
  }
}

/** SQLite joins at most 64 tables. */
const MAX_JOINS = 8;

/** Returns the conditions that a filter requires in conjunction. */
const conjunctsOf = (node: FilterNode): readonly FilterNode[] =>
  node.kind === 'and' ? node.items.flatMap(conjunctsOf) : [node];

/** True if the relation is a column of the row, and the filter on its target is selective. */
const isJoinable = ({ schema }: RowScope, node: FilterNode): node is LinkNode => {
  if (node.kind !== 'link' || isLocalizations(schema, node.attribute) || !isSelective(node.filter))
    return false;
  const { link, side } = linkAttributeOf(schema, node.attribute);
  return link?.kind === 'column' && side === 'owner';
};

/** Compiles the filter of a list to a table with its joins, and to conditions. */
export function compileListFilter(
  context: CompileContext,
  scope: RowScope,
  filter: FilterNode | null,
): FromClause {
  const table = versionTable(scope);
  if (filter === null) return { from: table, where: [] };
  const { join } = context.expressions.paths;
  const conjuncts = conjunctsOf(filter);
  const joinable = conjuncts.filter((node): node is LinkNode => isJoinable(scope, node)).slice(0, MAX_JOINS);
  if (join === null || joinable.length === 0)
    return { from: table, where: [compileCondition(context, scope, filter)] };
  const joins = joinable.map((node) => {
    const rows = followedRows(context, scope, node.attribute);
    return join(rows.path, [context.condition(context, rows.scope, node.filter)]);
  });
  const others = conjuncts.filter((node) => !joinable.some((each) => each === node));
  const conditions = others.map((node) => compileCondition(context, scope, node));
  return {
    from: sql.join([table, ...joins], sql` `),
    where: conditions.length === 0 ? [] : [joinConditions(conditions, 'and')],
  };
}
