import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ZonePopulate } from '../query/query.js';
import { componentOf, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { attributeOf } from './links.js';
import { column, itemScope } from './scope.js';
import type { Scope } from './scope.js';

const KIND = '__component';

const zoneJson = (scope: Scope, name: string): RawBuilder<unknown> => {
  const attribute = attributeOf(scope.holder, name);
  if (attribute.family !== 'dynamiczone') throw new TypeError(`${scope.holder.uid} ${name} is no dynamic zone`);
  return scope.kind === 'row' ? column(scope.alias, attribute.column.name) : scope.member(name);
};

/** A dynamic zone: the entries of the components asked for, each with what is selected of its kind. */
export function populateZone(context: CompileContext, scope: Scope, node: ZonePopulate): RawBuilder<unknown> {
  const { dialect } = context;
  const { from, item, label: kind } = dialect.jsonLabelledRows(zoneJson(scope, node.attribute), KIND, context.alias('j'));
  const uids = Object.keys(node.on);
  if (uids.length === 0) return sql`(select ${dialect.jsonArray(item)} from ${from} where 1 = 0)`;
  const cases = Object.entries(node.on).map(([uid, selection]) => {
    const entry = itemScope(dialect, scope, componentOf(context, uid), item);
    return sql`when ${sql.lit(uid)} then ${context.record(context, entry, selection, [[KIND, sql.lit(uid)]])}`;
  });
  const isWanted = sql`${kind} in (${sql.join(uids.map((uid) => sql.lit(uid)))})`;
  return sql`(select ${dialect.jsonArray(sql`case ${kind} ${sql.join(cases, sql` `)} end`)} from ${from} ${whereAll([isWanted])})`;
}
