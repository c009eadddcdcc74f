import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { SqlJson } from '../../database/dialect/sql-expressions.js';
import { attributeOf, linkAttributeOf, typeOf } from '../../model/lookup.js';
import type { LinkPopulate, LocalizationsPopulate, MorphPopulate, ReferrersPopulate } from '../query.js';
import { interruptibleRows, spendOnCount, spendOnVisit } from './budget.js';
import { column, compileSlice, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext, RowScope, Scope } from './compile-context.js';
import { morphRows, morphRowsOfItem } from './link-rows.js';
import type { MorphRows } from './link-rows.js';
import { linkedRows, mediaReferrers } from './filter.js';
import { compileSort } from './sort.js';
import { createRowScope, documentVersions, publicationConditions, versionTable } from './version-rows.js';
import type { LinkedRows } from './version-rows.js';

/** The linked rows that match the filter. */
interface MatchingRows {
  readonly rows: LinkedRows;
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<unknown>;
}

const matchingRows = (context: CompileContext, scope: Scope, node: LinkPopulate): MatchingRows => {
  const attribute = linkAttributeOf(scope.schema, node.attribute);
  const rows = linkedRows(context, scope, attribute);
  const { from, where } = context.expressions.paths.rows(rows.path);
  const conditions = [
    ...publicationConditions(context, rows.scope),
    ...(node.filter === null ? [] : [context.condition(context, rows.scope, node.filter)]),
  ];
  const visits = visitConditions(context, rows.scope, node, conditions);
  return { rows, from, where: whereAll([...where, ...visits]) };
};

/**
 * Returns the conditions on each linked row. If only some rows are returned, each visit spends from the
 * budget.
 */
const visitConditions = (
  context: CompileContext,
  scope: RowScope,
  { slice, count }: LinkPopulate,
  conditions: readonly RawBuilder<unknown>[],
): readonly RawBuilder<unknown>[] => {
  const isPartial = conditions.length > 0 || (slice !== null && !count);
  if (context.budget === null) return [...interruptibleRows(context, scope), ...conditions];
  if (!isPartial) return [];
  const all = conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`;
  return [spendOnVisit(context, all)];
};

const recordCount = (context: CompileContext, { from, where }: MatchingRows): RawBuilder<SqlJson> => {
  const { json } = context.expressions;
  const value = json.object([['count', json.value('integer', sql`count(*)`)]]);
  return sql`(select ${spendOnCount(context, value)} from ${from} ${where})`;
};

/** Sorts the rows in a subquery before their conversion to JSON, because a sort copies the rows. */
const orderedRows = (
  { rows, from, where }: MatchingRows,
  orderAndSlice: RawBuilder<unknown>,
): RawBuilder<unknown> => {
  const alias = sql.id(rows.scope.alias);
  return sql`(select ${alias}.* from ${from} ${where} ${orderAndSlice}) as ${alias}`;
};

const singleRecord = (
  context: CompileContext,
  matching: MatchingRows,
  node: LinkPopulate,
): RawBuilder<SqlJson> => {
  const { rows, from, where } = matching;
  const record = context.record(context, rows.scope, node.selection);
  if (rows.order.length === 0) return sql`(select ${record} from ${from} ${where})`;
  return sql`(select ${record} from ${orderedRows(matching, sql`${orderByAll(rows.order)} limit 1`)})`;
};

const recordList = (
  context: CompileContext,
  matching: MatchingRows,
  node: LinkPopulate,
): RawBuilder<SqlJson> => {
  const { expressions } = context;
  const order = orderByAll([...compileSort(context, matching.rows.scope, node.sort), ...matching.rows.order]);
  const slice = compileSlice(context, node.slice);
  const items = expressions.json.array(context.record(context, matching.rows.scope, node.selection));
  return sql`(select ${items} from ${orderedRows(matching, sql`${order} ${slice}`)})`;
};

/** Compiles a relation or media attribute to one record or null, a list, or `{count: n}`. */
export function populateLink(context: CompileContext, scope: Scope, node: LinkPopulate): RawBuilder<SqlJson> {
  const { many } = linkAttributeOf(scope.schema, node.attribute);
  const matching = matchingRows(context, scope, node);
  if (node.count) return recordCount(context, matching);
  return many ? recordList(context, matching, node) : singleRecord(context, matching, node);
}

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

/**
 * Returns the ids of the rows that link a file by one attribute. UNION removes duplicates over several
 * attributes.
 */
const referrerIds = (
  context: CompileContext,
  file: RowScope,
  { uid, name }: { readonly uid: string; readonly name: string },
): RawBuilder<unknown> => {
  const attribute = attributeOf(typeOf(context.model, uid), name);
  if (attribute.family !== 'media') throw new TypeError(`${uid} ${name} is no media attribute`);
  const { scope, path } = mediaReferrers(context, file, attribute);
  const { from, where } = context.expressions.paths.rows(path);
  return sql`select ${column(scope.alias, 'id')} from ${from} ${whereAll(where)}`;
};

/**
 * Compiles the documents that link a file, by type in the order of the model, then by id. Each record has its
 * type as `__type`.
 */
export function populateReferrers(
  context: CompileContext,
  file: Scope,
  node: ReferrersPopulate,
): RawBuilder<SqlJson> {
  if (file.kind !== 'row') throw new TypeError(`${file.schema.uid} is no file`);
  const { json } = context.expressions;
  const selects = Object.entries(node.on).map(([uid, selection], typeIndex) => {
    const scope = createRowScope(context, typeOf(context.model, uid));
    const id = column(scope.alias, 'id');
    const ids = sql.join(
      (node.mediaAttributes[uid] ?? []).map((name) => referrerIds(context, file, { uid, name })),
      sql` union `,
    );
    const filter = node.filters[uid];
    const conditions = [
      sql`${id} in (${ids})`,
      ...publicationConditions(context, scope),
      ...(filter === undefined ? [] : [context.condition(context, scope, filter)]),
    ];
    const record = context.record(context, scope, selection, [['__type', json.value('text', sql.lit(uid))]]);
    const columns = sql`${record} as item, ${sql.lit(typeIndex)} as place, ${id} as id`;
    return sql`select ${columns} from ${versionTable(scope)} ${whereAll(conditions)}`;
  });
  const [unionAlias, sortedAlias] = [context.nextAlias('m'), context.nextAlias('m')];
  const rows = sql`(${sql.join(selects, sql` union all `)}) as ${sql.id(unionAlias)}`;
  const order = orderByAll([column(unionAlias, 'place'), column(unionAlias, 'id')]);
  const ordered = sql`select ${column(unionAlias, 'item')} as item from ${rows} ${order}`;
  const items = json.array(json.value('json', column(sortedAlias, 'item')));
  return sql`(select ${items} from (${ordered}) as ${sql.id(sortedAlias)})`;
}

/** Compiles the versions of the same document in other locales, by locale. */
export function populateLocalizations(
  context: CompileContext,
  scope: Scope,
  node: LocalizationsPopulate,
): RawBuilder<SqlJson> {
  if (scope.kind !== 'row') throw new TypeError(`${scope.schema.uid} is a component and has no locales`);
  const { scope: other, path, order } = documentVersions(context, scope);
  const { from, where } = context.expressions.paths.rows(path);
  const isOther = sql`${column(other.alias, 'locale')} <> ${column(scope.alias, 'locale')}`;
  const alias = sql.id(other.alias);
  const conditions = [
    ...where,
    isOther,
    ...publicationConditions(context, other),
    ...(node.filter === undefined ? [] : [context.condition(context, other, node.filter)]),
  ];
  const sort = orderByAll([...compileSort(context, other, node.sort ?? []), ...order]);
  const slice = node.slice === undefined ? [] : [compileSlice(context, node.slice)];
  const clauses = [sql`select ${alias}.* from ${from}`, whereAll(conditions), sort, ...slice];
  const rows = sql.join(clauses, sql` `);
  const items = context.expressions.json.array(context.record(context, other, node.selection));
  return sql`(select ${items} from (${rows}) as ${alias})`;
}
