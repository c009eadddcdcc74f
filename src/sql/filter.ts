import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ExistsPlan } from '../dialects/path-expressions.js';
import type { FromClause, RowsInReverse } from '../dialects/row-path.js';
import { assertNever } from '../lib/assert-never.js';
import type { ComponentAttribute, MorphLink } from '../model/model.js';
import type { FilterNode, LinkNode } from '../query/query.js';
import { isLocalizations } from '../query/schema-fields.js';
import { attributeOf, componentOf, linkAttributeOf } from '../model/lookup.js';
import { joinConditions, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { fieldValue } from './fields.js';
import { followedRows } from './linked-rows.js';
import { morphRows } from './morph-rows.js';
import { compileComparison } from './operators.js';
import { column, createItemScope, rowOf } from './scope.js';
import type { RowScope, Scope } from './scope.js';
import { isSelective, namesLink } from './selectivity.js';
import { versionTable } from './version-rows.js';

const exists = (from: RawBuilder<unknown>, where: readonly RawBuilder<unknown>[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select 1 from ${from} ${whereAll(where)})`;

const ownMorphLink = ({ schema }: Scope, name: string): MorphLink | null => {
  if (isLocalizations(schema, name)) return null;
  const { link, side } = linkAttributeOf(schema, name);
  return link?.kind === 'morph' && side === 'owner' ? link : null;
};

/** A second plan states the conditions once more. Nested links would double theirs at each level. */
const eachRow = (filter: FilterNode | null): ExistsPlan =>
  filter === null || namesLink(filter) ? 'each-row' : 'each-row-or-small-table';

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
  const isStart = filter !== null && isSelective(filter) && !context.unindexed.has(node);
  return context.expressions.paths.exists(rows.path, conditions, isStart ? 'selective' : eachRow(filter));
};

/** The rows of `scope` that link a row which matches a filter, found from the latter. */
export function linkingRows(
  context: CompileContext,
  scope: RowScope,
  { attribute, filter }: LinkNode,
  inReverse: RowsInReverse,
): FromClause {
  const rows = followedRows(context, scope, attribute);
  return inReverse(rows.path, [context.condition(context, rows.scope, filter)], versionTable(scope));
}

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
 * Links and repeatable components use EXISTS, so that each record is found once. `not` is meant to stand
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
