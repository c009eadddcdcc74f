import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { MorphPopulate } from '../query/query.js';
import { linkAttributeOf, typeOf } from '../model/lookup.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { morphRows, morphTargetRows } from './morph-rows.js';
import { publicationConditions } from './publication.js';
import { column } from './scope.js';
import type { Scope } from './scope.js';

/** Compiles a polymorphic relation. Each record has its type as `__type`. */
export function populateMorph(
  context: CompileContext,
  scope: Scope,
  node: MorphPopulate,
): RawBuilder<unknown> {
  const { link, many } = linkAttributeOf(scope.schema, node.attribute);
  if (scope.kind !== 'row' || link?.kind !== 'morph')
    throw new TypeError(`${scope.schema.uid} ${node.attribute} is not polymorphic`);
  const { expressions } = context;
  const { alias, from, where, order } = morphRows(context, scope, link);
  const cases = Object.entries(node.on).map(([uid, selection]) => {
    const rows = morphTargetRows(context, scope, { link, alias, target: typeOf(context.model, uid) });
    const record = context.record(context, rows.scope, selection, [['__type', sql.lit(uid)]]);
    const fromClause = expressions.paths.rows(rows.path);
    const filter = node.filters?.[uid];
    const conditions = [
      ...fromClause.where,
      ...publicationConditions(context, rows.scope),
      ...(filter === undefined ? [] : [context.condition(context, rows.scope, filter)]),
    ];
    const rowOrder = orderByAll(rows.order);
    const row = sql`(select ${record} from ${fromClause.from} ${whereAll(conditions)} ${rowOrder} limit 1)`;
    return sql`when ${rows.key} is not null then ${row}`;
  });
  const item = cases.length === 0 ? expressions.json.object([]) : sql`case ${sql.join(cases, sql` `)} end`;
  const items = sql`select ${item} as item from ${from} ${whereAll([where])} ${orderByAll(order)}`;
  const itemsAlias = context.nextAlias('m');
  const hasItem = cases.length === 0 ? sql`1 = 0` : sql`${column(itemsAlias, 'item')} is not null`;
  const itemJson = expressions.json.value('json', column(itemsAlias, 'item'));
  const value = many ? expressions.json.array(itemJson) : itemJson;
  const limit = many ? sql`` : sql`limit 1`;
  return sql`(select ${value} from (${items}) as ${sql.id(itemsAlias)} ${whereAll([hasItem])} ${limit})`;
}
