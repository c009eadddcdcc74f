import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { MorphPopulate } from '../query/query.js';
import { orderByAll, typeOf, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { linkAttributeOf, morphRows, morphTargetRows } from './links.js';
import { publicationConditions } from './publication.js';
import { column } from './scope.js';
import type { Scope } from './scope.js';

/** A polymorphic relation: records of several types, each saying its own as `__type`. */
export function populateMorph(context: CompileContext, scope: Scope, node: MorphPopulate): RawBuilder<unknown> {
  const { link, many } = linkAttributeOf(scope.holder, node.attribute);
  if (scope.kind !== 'row' || link?.kind !== 'morph') throw new TypeError(`${scope.holder.uid} ${node.attribute} is not polymorphic`);
  const { dialect } = context;
  const { alias, from, where, order } = morphRows(context, scope, link);
  const cases = Object.entries(node.on).map(([uid, selection]) => {
    const rows = morphTargetRows(context, scope, { link, alias, target: typeOf(context, uid) });
    const record = context.record(context, rows.scope, selection, [['__type', sql.lit(uid)]]);
    const found = dialect.rowsAlong(rows.path);
    const filter = node.filters?.[uid];
    const conditions = [...found.where, ...publicationConditions(context, rows.scope), ...(filter === undefined ? [] : [context.condition(context, rows.scope, filter)])];
    return sql`when ${rows.key} is not null then (select ${record} from ${found.from} ${whereAll(conditions)} ${orderByAll(rows.order)} limit 1)`;
  });
  const item = cases.length === 0 ? dialect.jsonObject([]) : sql`case ${sql.join(cases, sql` `)} end`;
  const items = sql`select ${item} as item from ${from} ${whereAll([where])} ${orderByAll(order)}`;
  const outer = context.alias('m');
  const present = cases.length === 0 ? sql`1 = 0` : sql`${column(outer, 'item')} is not null`;
  const printed = dialect.jsonValue('json', column(outer, 'item'));
  const answer = many ? dialect.jsonArray(printed) : printed;
  return sql`(select ${answer} from (${items}) as ${sql.id(outer)} ${whereAll([present])} ${many ? sql`` : sql`limit 1`})`;
}
