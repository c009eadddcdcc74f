import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlJson } from '../../database/dialect/json-expressions.js';
import type { LinkPopulate } from '../query.js';
import { orderByAll, whereAll } from './compile-context.js';
import { interruptibleRows, spendOnCount, spendOnVisit } from './budget.js';
import type { CompileContext } from './compile-context.js';
import { linkedRows } from './linked-rows.js';
import { linkAttributeOf } from '../../model/lookup.js';
import type { LinkedRows } from './version-rows.js';
import { publicationConditions } from './publication.js';
import type { RowScope, Scope } from './scope.js';
import { compileSlice } from './slice.js';
import { compileSort } from './sort.js';

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

/** Sorts the rows in a subquery, before they are converted to JSON, since a sort copies what it sorts. */
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
