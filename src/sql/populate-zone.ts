import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ZonePopulate } from '../query/query.js';
import { attributeOf, componentOf } from '../model/lookup.js';
import { whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { column, createItemScope } from './scope.js';
import type { Scope } from './scope.js';

const COMPONENT_KEY = '__component';

const zoneJson = (scope: Scope, name: string): RawBuilder<unknown> => {
  const attribute = attributeOf(scope.schema, name);
  if (attribute.family !== 'dynamiczone')
    throw new TypeError(`${scope.schema.uid} ${name} is no dynamic zone`);
  return scope.kind === 'row' ? column(scope.alias, attribute.column.name) : scope.member(name);
};

/** Compiles a dynamic zone to the entries of the selected components. */
export function populateZone(context: CompileContext, scope: Scope, node: ZonePopulate): RawBuilder<unknown> {
  const { expressions } = context;
  const {
    from,
    item,
    label: kind,
  } = expressions.json.labelledRows(zoneJson(scope, node.attribute), COMPONENT_KEY, context.nextAlias('j'));
  const uids = Object.keys(node.on);
  if (uids.length === 0) return sql`(select ${expressions.json.array(item)} from ${from} where 1 = 0)`;
  const cases = Object.entries(node.on).map(([uid, selection]) => {
    const entry = createItemScope(expressions, scope, componentOf(context.model, uid), item);
    const record = context.record(context, entry, selection, [[COMPONENT_KEY, sql.lit(uid)]]);
    return sql`when ${sql.lit(uid)} then ${record}`;
  });
  const isSelected = sql`${kind} in (${sql.join(uids.map((uid) => sql.lit(uid)))})`;
  const items = expressions.json.array(sql`case ${kind} ${sql.join(cases, sql` `)} end`);
  return sql`(select ${items} from ${from} ${whereAll([isSelected])})`;
}
