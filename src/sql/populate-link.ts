import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { LinkPopulate } from '../query/query.js';
import { orderByAll, whereAll } from './compile-context.js';
import { interruptibleRows, spendOnCount, spendOnVisit } from './budget.js';
import type { CompileContext } from './compile-context.js';
import { linkedRows } from './linked-rows.js';
import { linkAttributeOf } from '../model/lookup.js';
import type { LinkedRows } from './version-rows.js';
import { checkedList } from './output.js';
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
  const visits = visitConditions(context, rows.scope, node, { conditions, isList: attribute.many });
  return { rows, from, where: whereAll([...where, ...visits]) };
};

/** The conditions on each linked row. Where only some rows are returned, looking at one has its cost. */
const visitConditions = (
  context: CompileContext,
  scope: RowScope,
  { slice, count }: LinkPopulate,
  { conditions, isList }: { readonly conditions: readonly RawBuilder<unknown>[]; readonly isList: boolean },
): readonly RawBuilder<unknown>[] => {
  const isPartial = conditions.length > 0 || (slice !== null && !count);
  if (context.budget === null) return [...interruptibleRows(context, scope), ...conditions];
  if (!isPartial)
    return isList && context.budget.counted === 'unprinted' ? interruptibleRows(context, scope) : [];
  const all = conditions.length === 0 ? sql`1 = 1` : sql`(${sql.join(conditions, sql` and `)})`;
  return [spendOnVisit(context, all)];
};

const recordCount = (context: CompileContext, { from, where }: MatchingRows): RawBuilder<unknown> => {
  const value = context.expressions.json.object([['count', sql`count(*)`]]);
  return sql`(select ${spendOnCount(context, value)} from ${from} ${where})`;
};

/**
 * Sorts the rows in a subquery before they are converted to JSON: a sort would turn the JSON of a record into
 * text.
 */
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
): RawBuilder<unknown> => {
  const { rows, from, where } = matching;
  const record = context.record(context, rows.scope, node.selection);
  if (rows.order.length === 0) return sql`(select ${record} from ${from} ${where})`;
  return sql`(select ${record} from ${orderedRows(matching, sql`${orderByAll(rows.order)} limit 1`)})`;
};

const recordList = (
  context: CompileContext,
  matching: MatchingRows,
  node: LinkPopulate,
): RawBuilder<unknown> => {
  const { expressions } = context;
  const order = orderByAll([...compileSort(context, matching.rows.scope, node.sort), ...matching.rows.order]);
  const slice = compileSlice(context, node.slice);
  const array = expressions.json.array(context.record(context, matching.rows.scope, node.selection));
  const items = checkedList(context, node.list, array);
  return sql`(select ${items} from ${orderedRows(matching, sql`${order} ${slice}`)})`;
};

/** Compiles a relation or media attribute to one record or null, a list, or `{count: n}`. */
export function populateLink(context: CompileContext, scope: Scope, node: LinkPopulate): RawBuilder<unknown> {
  const { many } = linkAttributeOf(scope.schema, node.attribute);
  const matching = matchingRows(context, scope, node);
  if (node.count) return recordCount(context, matching);
  return many ? recordList(context, matching, node) : singleRecord(context, matching, node);
}
