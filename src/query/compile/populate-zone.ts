import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { JsonRows, SqlJson } from '../../database/dialect/json-expressions.js';
import type { ZonePopulate } from '../query.js';
import { attributeOf, componentOf } from '../../model/lookup.js';
import { orderByAll, whereAll } from './compile-context.js';
import type { CompileContext } from './compile-context.js';
import { column, createItemScope } from './scope.js';
import type { ItemScope, Scope } from './scope.js';
import { compileSort } from './sort.js';

const COMPONENT_KEY = '__component';

const zoneJson = (scope: Scope, name: string): RawBuilder<unknown> => {
  const attribute = attributeOf(scope.schema, name);
  if (attribute.family !== 'dynamiczone')
    throw new TypeError(`${scope.schema.uid} ${name} is no dynamic zone`);
  return scope.kind === 'row' ? column(scope.alias, attribute.column.name) : scope.member(name);
};

/** Entries of a zone as rows: the JSON of each, and the uid of its component. */
interface ZoneRows {
  readonly from: RawBuilder<unknown>;
  readonly item: RawBuilder<unknown>;
  readonly label: RawBuilder<unknown>;
}

type ToScope = (uid: string, item: RawBuilder<unknown>) => ItemScope;

/** Condition that an entry is of a selected component and matches its filter. */
const isSelected = (
  context: CompileContext,
  { item, label }: Pick<ZoneRows, 'item' | 'label'>,
  toScope: ToScope,
  { on, filters = {} }: ZonePopulate,
): RawBuilder<unknown> => {
  const uids = Object.keys(on);
  const isOfComponent = sql`${label} in (${sql.join(uids.map((uid) => sql.lit(uid)))})`;
  const conditions = Object.entries(filters).map(
    ([uid, filter]) =>
      sql`when ${sql.lit(uid)} then ${context.condition(context, toScope(uid, item), filter)}`,
  );
  return conditions.length === 0
    ? isOfComponent
    : sql`${isOfComponent} and case ${label} ${sql.join(conditions, sql` `)} else 1 = 1 end`;
};

/**
 * The selected entries in the orders of their components: the entry that a component's order has first stands
 * where the first entry of the component stood, and so on.
 */
const sortedRows = (
  context: CompileContext,
  json: RawBuilder<unknown>,
  toScope: ToScope,
  node: ZonePopulate,
): ZoneRows => {
  const { expressions, nextAlias } = context;
  const entries = (columns: (rows: JsonRows, label: RawBuilder<unknown>) => RawBuilder<unknown>) => {
    const rows = expressions.json.rows(json, nextAlias('j'));
    const label = expressions.json.field(rows.item, COMPONENT_KEY, 'text');
    const where = whereAll([isSelected(context, { item: rows.item, label }, toScope, node)]);
    return sql`(select ${label} as label, ${columns(rows, label)} from ${rows.from} ${where})`;
  };
  const rank = (label: RawBuilder<unknown>, order: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
    sql`row_number() over (partition by ${label} ${orderByAll(order)})`;
  const sorted = entries(({ item, position }, label) => {
    const ranks = Object.entries(node.sorts ?? {}).map(([uid, sort]) => {
      const order = [...compileSort(context, toScope(uid, item), sort), position];
      return sql`when ${sql.lit(uid)} then ${rank(label, order)}`;
    });
    const place = sql`case ${label} ${sql.join(ranks, sql` `)} else ${rank(label, [position])} end`;
    return sql`${item} as item, ${place} as place`;
  });
  const places = entries(
    ({ position }, label) => sql`${position} as position, ${rank(label, [position])} as place`,
  );
  const [left, right, alias] = [nextAlias('s'), nextAlias('s'), nextAlias('s')];
  const joined = sql`${sorted} as ${sql.id(left)} join ${places} as ${sql.id(right)}
    on ${column(left, 'label')} = ${column(right, 'label')}
      and ${column(left, 'place')} = ${column(right, 'place')}`;
  return {
    from: sql`(select ${column(left, 'item')} as item, ${column(left, 'label')} as label from ${joined}
      order by ${column(right, 'position')}) as ${sql.id(alias)}`,
    item: column(alias, 'item'),
    label: column(alias, 'label'),
  };
};

/** Compiles a dynamic zone to the entries of the selected components. */
export function populateZone(context: CompileContext, scope: Scope, node: ZonePopulate): RawBuilder<SqlJson> {
  const { expressions } = context;
  const json = zoneJson(scope, node.attribute);
  const toScope: ToScope = (uid, item) =>
    createItemScope(expressions, scope, componentOf(context.model, uid), item);
  const plainRows = (): ZoneRows =>
    expressions.json.labelledRows(json, COMPONENT_KEY, context.nextAlias('j'));
  const isSorted = node.sorts !== undefined;
  const rows = isSorted ? sortedRows(context, json, toScope, node) : plainRows();
  const uids = Object.keys(node.on);
  if (uids.length === 0) return sql`${expressions.json.stored(sql.lit('[]'))}`;
  const cases = Object.entries(node.on).map(([uid, selection]) => {
    const record = context.record(context, toScope(uid, rows.item), selection, [
      [COMPONENT_KEY, expressions.json.value('text', sql.lit(uid))],
    ]);
    return sql`when ${sql.lit(uid)} then ${record}`;
  });
  const items = expressions.json.array(sql<SqlJson>`case ${rows.label} ${sql.join(cases, sql` `)} end`);
  const where = isSorted ? sql`` : whereAll([isSelected(context, rows, toScope, node)]);
  return sql`(select ${items} from ${rows.from} ${where})`;
}
