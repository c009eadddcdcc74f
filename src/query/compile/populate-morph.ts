import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlJson } from '../../database/dialect/json-expressions.js';
import type { MorphPopulate } from '../query.js';
import { linkAttributeOf, typeOf } from '../../model/lookup.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { morphRows, morphRowsOfItem } from './morph-rows.js';
import type { MorphRows } from './morph-rows.js';
import { publicationConditions } from './publication.js';
import { column } from './scope.js';
import type { Scope } from './scope.js';

const rowsOf = (context: CompileContext, scope: Scope, name: string): MorphRows => {
  if (scope.kind === 'item') return morphRowsOfItem(context, scope, name);
  const { link } = linkAttributeOf(scope.schema, name);
  if (link?.kind !== 'morph') throw new TypeError(`${scope.schema.uid} ${name} is not polymorphic`);
  return morphRows(context, scope, link);
};

/** Compiles a polymorphic relation. Each record has its type as `__type`. */
export function populateMorph(
  context: CompileContext,
  scope: Scope,
  node: MorphPopulate,
): RawBuilder<SqlJson> {
  const { many } = linkAttributeOf(scope.schema, node.attribute);
  const { expressions } = context;
  const { from, where, order, target } = rowsOf(context, scope, node.attribute);
  const cases = Object.entries(node.on).map(([uid, selection]) => {
    const rows = target(typeOf(context.model, uid));
    const record = context.record(context, rows.scope, selection, [
      ['__type', expressions.json.value('text', sql.lit(uid))],
    ]);
    const fromClause = expressions.paths.rows(rows.path);
    const filter = node.filters?.[uid];
    const conditions = [
      ...fromClause.where,
      ...publicationConditions(context, rows.scope),
      ...(filter === undefined ? [] : [context.condition(context, rows.scope, filter)]),
    ];
    const rowOrder = orderByAll(rows.order);
    const row = sql`(select ${record} from ${fromClause.from} ${whereAll(conditions)} ${rowOrder} limit 1)`;
    return sql`when ${rows.isOfType} then ${row}`;
  });
  const item = cases.length === 0 ? expressions.json.object([]) : sql`case ${sql.join(cases, sql` `)} end`;
  const items = sql`select ${item} as item from ${from} ${whereAll(where)} ${orderByAll(order)}`;
  const itemsAlias = context.nextAlias('m');
  const hasItem = cases.length === 0 ? sql`1 = 0` : sql`${column(itemsAlias, 'item')} is not null`;
  const itemJson = expressions.json.value('json', column(itemsAlias, 'item'));
  const value = many ? expressions.json.array(itemJson) : itemJson;
  const limit = many ? sql`` : sql`limit 1`;
  return sql`(select ${value} from (${items}) as ${sql.id(itemsAlias)} ${whereAll([hasItem])} ${limit})`;
}
