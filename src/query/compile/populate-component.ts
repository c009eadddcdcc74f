import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { JsonRows, SqlJson } from '../../database/dialect/json-expressions.js';
import type { ComponentPopulate, ListRange } from '../query.js';
import { componentOf } from '../../model/lookup.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { componentAttributeOf, componentJson } from './filter.js';
import { column, createItemScope } from './scope.js';
import type { ItemScope, Scope } from './scope.js';
import { compileSlice } from './slice.js';
import { compileSort } from './sort.js';

const isWholeList = ({ filter, sort, slice }: ListRange): boolean =>
  filter === undefined && sort === undefined && slice === undefined;

/** The rows of a list that are in its range, in order, as a table whose only column is `item`. */
const itemsInRange = (
  context: CompileContext,
  { from, item, position }: JsonRows,
  toScope: (item: RawBuilder<unknown>) => ItemScope,
  { filter, sort = [], slice }: ComponentPopulate,
): RawBuilder<unknown> => {
  const scope = toScope(item);
  const where = whereAll(filter === undefined ? [] : [context.condition(context, scope, filter)]);
  const order = orderByAll([...compileSort(context, scope, sort), position]);
  return sql`select ${item} as item from ${from} ${where} ${order} ${compileSlice(context, slice ?? null)}`;
};

const componentList = (
  context: CompileContext,
  json: RawBuilder<unknown>,
  toScope: (item: RawBuilder<unknown>) => ItemScope,
  node: ComponentPopulate,
): RawBuilder<SqlJson> => {
  const toJson = (item: RawBuilder<unknown>): RawBuilder<SqlJson> =>
    context.expressions.json.array(context.record(context, toScope(item), node.selection));
  const rows = context.expressions.json.rows(json, context.nextAlias('j'));
  if (isWholeList(node)) return sql`(select ${toJson(rows.item)} from ${rows.from})`;
  const items = itemsInRange(context, rows, toScope, node);
  const alias = context.nextAlias('i');
  return sql`(select ${toJson(column(alias, 'item'))} from (${items}) as ${sql.id(alias)})`;
};

/** Compiles a component, or a list of components, to the selected fields. Missing keys are null. */
export function populateComponent(
  context: CompileContext,
  scope: Scope,
  node: ComponentPopulate,
): RawBuilder<SqlJson> {
  const attribute = componentAttributeOf(scope, node.attribute);
  const schema = componentOf(context.model, attribute.component);
  const json = componentJson(scope, attribute);
  const toScope = (item: RawBuilder<unknown>): ItemScope =>
    createItemScope(context.expressions, scope, schema, item);
  if (attribute.repeatable) return componentList(context, json, toScope, node);
  const item = toScope(json);
  const record = context.record(context, item, node.selection);
  const isPresent = sql`not ${context.expressions.json.isAbsent(json)}`;
  const matches = node.filter === undefined ? [] : [context.condition(context, item, node.filter)];
  return sql`case when ${sql.join([isPresent, ...matches], sql` and `)} then ${record} end`;
}
