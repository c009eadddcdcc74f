import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FromClause } from '../dialects/row-path.js';
import type { ComponentAttribute } from '../model/model.js';
import type { SortNode } from '../query/query.js';
import { componentOf } from '../model/lookup.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { fieldValue } from './fields.js';
import { componentJson } from './filter.js';
import { followedRows } from './linked-rows.js';
import { createItemScope } from './scope.js';
import type { Scope } from './scope.js';

type Direction = SortNode['direction'];

/**
 * Returns the value that decides the order where several records or components are linked: the least value
 * for ascending order, the greatest for descending.
 */
const decidingValue = (
  context: CompileContext,
  value: RawBuilder<unknown>,
  rows: FromClause,
  direction: Direction,
): RawBuilder<unknown> => {
  const order = orderByAll([context.expressions.orderBy(sql`1`, direction)]);
  return sql`(select ${value} from ${rows.from} ${whereAll(rows.where)} ${order} limit 1)`;
};

const componentValue = (
  context: CompileContext,
  scope: Scope,
  attribute: ComponentAttribute,
  { path, direction }: SortNode,
): RawBuilder<unknown> => {
  const json = componentJson(scope, attribute);
  const schema = componentOf(context.model, attribute.component);
  const valueIn = (item: RawBuilder<unknown>): RawBuilder<unknown> =>
    sortValue(context, createItemScope(context.expressions, scope, schema, item), { path, direction });
  if (!attribute.repeatable) return valueIn(json);
  const { from, item } = context.expressions.json.rows(json, context.nextAlias('j'));
  return decidingValue(context, valueIn(item), { from, where: [] }, direction);
};

const sortValue = (
  context: CompileContext,
  scope: Scope,
  { path: [name = '', ...path], direction }: SortNode,
): RawBuilder<unknown> => {
  if (path.length === 0) {
    const { value, kind } = fieldValue(context, scope, name);
    return kind === 'text' ? sql`${context.expressions.byCodePoint(value)}` : value;
  }
  const attribute = Object.hasOwn(scope.schema.attributes, name) ? scope.schema.attributes[name] : undefined;
  if (attribute?.family === 'component')
    return componentValue(context, scope, attribute, { path, direction });
  const rows = followedRows(context, scope, name);
  const fromClause = context.expressions.paths.rows(rows.path);
  const value = sortValue(context, rows.scope, { path, direction });
  if (rows.many) return decidingValue(context, value, fromClause, direction);
  const tail = sql`${whereAll(fromClause.where)} ${orderByAll(rows.order)} limit 1`;
  return sql`(select ${value} from ${fromClause.from} ${tail})`;
};

/** Compiles the `ORDER BY` items for rows of `scope`. Null, also for a missing relation, is lowest. */
export function compileSort(
  context: CompileContext,
  scope: Scope,
  nodes: readonly SortNode[],
): readonly RawBuilder<unknown>[] {
  return nodes.map((node) => {
    const {
      path: [name, ...nestedPath],
      direction,
    } = node;
    // Ids are never null, so an index can provide the order.
    if (nestedPath.length === 0 && name === 'id' && scope.kind === 'row')
      return sql`${fieldValue(context, scope, name).value} ${sql.raw(direction)}`;
    const value = sortValue(context, scope, node);
    return context.expressions.orderBy(
      context.unindexed.has(node) ? context.expressions.unindexed(value) : value,
      direction,
    );
  });
}
