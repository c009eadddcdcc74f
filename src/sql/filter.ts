import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { assertNever } from '../lib/assert-never.js';
import type { ComponentAttribute } from '../model/model.js';
import type { FilterNode } from '../query/query.js';
import { componentOf, joinConditions, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { fieldValue } from './fields.js';
import { attributeOf, linkAttributeOf, linkedRows, morphRows } from './links.js';
import { compileComparison } from './operators.js';
import { column, itemScope, rowOf } from './scope.js';
import type { Scope } from './scope.js';
import { isSelective } from './selectivity.js';

const exists = (from: RawBuilder<unknown>, where: readonly RawBuilder<unknown>[]): RawBuilder<boolean> => sql<boolean>`exists (select 1 from ${from} ${whereAll(where)})`;

const someLinked = (context: CompileContext, scope: Scope, attribute: string, filter: FilterNode | null): RawBuilder<boolean> => {
  const link = linkAttributeOf(scope.holder, attribute);
  if (link.link?.kind === 'morph' && link.side === 'owner') {
    const { from, where } = morphRows(context, rowOf(scope), link.link);
    return exists(from, [where]);
  }
  const rows = linkedRows(context, scope, link);
  const conditions = filter === null ? [] : [context.condition(context, rows.scope, filter)];
  return context.dialect.someRow(rows.path, conditions, filter !== null && isSelective(filter));
};

/** The JSON column or member that holds a component attribute. */
export function componentJson(scope: Scope, attribute: ComponentAttribute): RawBuilder<unknown> {
  return scope.kind === 'row' ? column(scope.alias, attribute.column.name) : scope.member(attribute.name);
}

const componentAttributeOf = (scope: Scope, name: string): ComponentAttribute => {
  const attribute = attributeOf(scope.holder, name);
  if (attribute.family === 'component') return attribute;
  throw new TypeError(`${scope.holder.uid} ${name} holds no component`);
};

/** A single component compares as all-null where it is absent, for nothing is in what is null. */
const someComponent = (context: CompileContext, scope: Scope, name: string, filter: FilterNode): RawBuilder<boolean> => {
  const attribute = componentAttributeOf(scope, name);
  const holder = componentOf(context, attribute.component);
  const json = componentJson(scope, attribute);
  const fits = (item: RawBuilder<unknown>): RawBuilder<boolean> => context.condition(context, itemScope(context.dialect, scope, holder, item), filter);
  if (!attribute.repeatable) return fits(json);
  const { from, item } = context.dialect.jsonRows(json, context.alias('j'));
  return exists(from, [fits(item)]);
};

const componentIsEmpty = (context: CompileContext, scope: Scope, name: string): RawBuilder<boolean> => {
  const attribute = componentAttributeOf(scope, name);
  const json = componentJson(scope, attribute);
  if (!attribute.repeatable) return context.dialect.jsonAbsent(json);
  return sql<boolean>`not ${exists(context.dialect.jsonRows(json, context.alias('j')).from, [])}`;
};

const negatedUnless = (condition: RawBuilder<boolean>, plain: boolean): RawBuilder<boolean> => (plain ? condition : sql<boolean>`not (${condition})`);

/**
 * A filter as a condition on the row or component of `scope`.
 *
 * Links and repeatable components hold where some row does, so that each record is found once however many of them fit. `not` is meant
 * to stand above comparisons, where null stays unknown; above anything else it denies the whole.
 */
export function compileCondition(context: CompileContext, scope: Scope, node: FilterNode): RawBuilder<boolean> {
  switch (node.kind) {
    case 'and': case 'or': return joinConditions(node.items.map((item) => compileCondition(context, scope, item)), node.kind);
    case 'not': return sql<boolean>`not (${compileCondition(context, scope, node.item)})`;
    case 'compare': return compileComparison(context, node, fieldValue(context, scope, node.field));
    case 'link': return someLinked(context, scope, node.attribute, node.filter);
    case 'link-empty': return negatedUnless(someLinked(context, scope, node.attribute, null), !node.empty);
    case 'component': return someComponent(context, scope, node.attribute, node.filter);
    case 'component-empty': return negatedUnless(componentIsEmpty(context, scope, node.attribute), node.empty);
    default: return assertNever(node, 'filter node');
  }
}
