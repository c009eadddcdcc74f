import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { JsonPairs, JsonRows, SqlJson } from '../../database/dialect/sql-expressions.js';
import { assertNever } from '../../lib/assert.js';
import { attributeOf, componentOf } from '../../model/lookup.js';
import type { ComponentPopulate, ListRange, PopulateNode, Selection, ZonePopulate } from '../query.js';
import { enterBranch, spendOnRecord } from './budget.js';
import { column, compileSlice, createItemScope, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext, ItemScope, Scope } from './compile-context.js';
import { fieldJson } from './fields.js';
import { componentAttributeOf, componentJson } from './filter.js';
import { populateLink, populateLocalizations, populateMorph, populateReferrers } from './populate-links.js';
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
 * The selected entries in the orders of their components: the first entry in a component's order takes the
 * position of the component's first entry in the zone, and so on.
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
function populateZone(context: CompileContext, scope: Scope, node: ZonePopulate): RawBuilder<SqlJson> {
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
function populateComponent(
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

const compilePopulate = (context: CompileContext, scope: Scope, node: PopulateNode): RawBuilder<SqlJson> => {
  switch (node.kind) {
    case 'link':
      return populateLink(context, scope, node);
    case 'morph':
      return populateMorph(context, scope, node);
    case 'component':
      return populateComponent(context, scope, node);
    case 'zone':
      return populateZone(context, scope, node);
    case 'referrers':
      return populateReferrers(context, scope, node);
    case 'localizations':
      return populateLocalizations(context, scope, node);
    default:
      return assertNever(node, 'populate node');
  }
};

/** The names that identify a record, which come first in it. */
const identityOf = (scope: Scope, { asInput }: Selection): readonly string[] => {
  if (asInput === 'content') return [];
  if (scope.kind === 'item') return ['id'];
  return asInput === 'link' ? ['documentId'] : ['id', 'documentId'];
};

const pairsOf = (context: CompileContext, scope: Scope, selection: Selection): JsonPairs => {
  const { fields, populate } = selection;
  const populated = (node: PopulateNode): RawBuilder<SqlJson> =>
    compilePopulate(enterBranch(context, node.attribute), scope, node);
  return [
    ...[...identityOf(scope, selection), ...fields].map(
      (name) => [name, fieldJson(context, scope, name)] as const,
    ),
    ...populate.map((node) => [node.key, populated(node)] as const),
  ];
};

const itemRecord = (
  context: CompileContext,
  scope: ItemScope,
  selection: Selection,
  leading: JsonPairs,
): RawBuilder<SqlJson> => {
  const { expressions } = context;
  const keys = [
    ...identityOf(scope, selection),
    ...selection.fields,
    ...selection.populate.map(({ attribute }) => attribute),
  ];
  const { from, member } = expressions.json.members(scope.json, keys, context.nextAlias('c'));
  const object = expressions.json.object([...leading, ...pairsOf(context, { ...scope, member }, selection)]);
  return from === null ? object : sql`(select ${object} from ${from})`;
};

/**
 * Compiles the JSON of one record: only its ids, the selected fields and the populated attributes; or its
 * writable values.
 *
 * @param leading keys that come before all others
 */
export function compileRecord(
  context: CompileContext,
  scope: Scope,
  selection: Selection,
  leading: JsonPairs = [],
): RawBuilder<SqlJson> {
  if (scope.kind === 'item') return itemRecord(context, scope, selection, leading);
  if (selection.asInput === 'link' && leading.length === 0) return fieldJson(context, scope, 'documentId');
  const record = context.expressions.json.object([...leading, ...pairsOf(context, scope, selection)]);
  return spendOnRecord(context, scope, selection, record);
}
