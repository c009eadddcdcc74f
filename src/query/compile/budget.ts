import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { SqlJson } from '../../database/dialect/sql-expressions.js';
import type { ScalarTypeName } from '../../model/fields/field-type.js';
import { attributeOf } from '../../model/lookup.js';
import type { ContentType } from '../../model/model.js';
import type { PopulateNode, Selection } from '../query.js';
import { column } from './compile-context.js';
import type { CompileContext, RowScope } from './compile-context.js';

/** Cost of visiting a row, relative to printing a record. */
const VISIT_COST = 0.1;

const BYTES_PER_RECORD = 1024;

/** Types whose values may be long. */
const LONG_TYPES: readonly ScalarTypeName[] = ['string', 'text', 'richtext', 'blocks', 'json'];

/** Statements can be ended about once per so many rows. A prime, because ids may all be even or all odd. */
const VISITS_PER_TICK = 251;

/** The branch of the records themselves. */
const ROOT_BRANCH = 'data';

/** Returns a context that spends for the records that one attribute populates. */
export function enterBranch(context: CompileContext, attribute: string): CompileContext {
  const { budget } = context;
  if (budget === null) return context;
  const branch = budget.branch === ROOT_BRANCH ? attribute : `${budget.branch}.${attribute}`;
  return { ...context, budget: { ...budget, branch } };
}

const spend = <T>(
  { budget, expressions }: CompileContext,
  cost: Expression<unknown>,
  value: RawBuilder<T>,
): RawBuilder<T> => (budget === null ? value : expressions.spending(cost, budget, value));

/**
 * Returns the number of times that a selection prints the JSON of a component: once, and again for each
 * component within.
 */
const timesPrinted = (node: PopulateNode): number => {
  const selections =
    node.kind === 'component' ? [node.selection] : node.kind === 'zone' ? Object.values(node.on) : null;
  if (selections === null) return 0;
  const nested = selections.flatMap(({ populate }) => populate.map(timesPrinted));
  return nested.reduce((sum, times) => sum + times, 1);
};

/** Without populated attributes, the page limits the response. */
export function budgetOf({ populate, maxRecords }: Selection): CompileContext['budget'] {
  return maxRecords === undefined || populate.length === 0
    ? null
    : { limit: maxRecords, branch: ROOT_BRANCH };
}

/** The columns whose kilobytes count, and how often. */
const longColumns = (
  { schema }: RowScope,
  { fields, populate }: Selection,
): readonly { readonly name: string; readonly times: number }[] => {
  const texts = fields.flatMap((name) => {
    const longColumn = longColumnOf(schema, name);
    return longColumn === null ? [] : [{ name: longColumn, times: 1 }];
  });
  const components = populate.flatMap((node) => {
    const times = timesPrinted(node);
    const attribute = times === 0 ? null : attributeOf(schema, node.attribute);
    return attribute !== null && 'column' in attribute ? [{ name: attribute.column.name, times }] : [];
  });
  return [...texts, ...components];
};

const longColumnOf = ({ attributes }: ContentType, name: string): string | null => {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.family === 'scalar' && LONG_TYPES.includes(attribute.type) ? attribute.column.name : null;
};

/** Spends on one record: more the longer its texts are. */
export function spendOnRecord(
  context: CompileContext,
  scope: RowScope,
  selection: Selection,
  record: RawBuilder<SqlJson>,
): RawBuilder<SqlJson> {
  if (context.budget === null) return record;
  const lengths = longColumns(scope, selection).map(({ name, times }) => {
    const bytes = context.expressions.byteLength(column(scope.alias, name));
    return times === 1 ? bytes : sql`${bytes} * ${sql.lit(times)}`;
  });
  const kilobytes = sql`(${sql.join(lengths, sql` + `)}) / ${sql.lit(BYTES_PER_RECORD)}`;
  return spend(context, lengths.length === 0 ? sql.lit(1) : sql`1 + ${kilobytes}`, record);
}

/** Spends on each row that a list visits, which may be many more than it returns. */
export function spendOnVisit(context: CompileContext, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return spend(context, sql.lit(VISIT_COST), condition);
}

/** The condition that allows ending a statement while it visits rows on which it spends nothing. */
export function interruptibleRows(
  { expressions }: CompileContext,
  { alias }: RowScope,
): readonly RawBuilder<unknown>[] {
  return expressions.interruptible === null
    ? []
    : [expressions.interruptible(column(alias, 'id'), VISITS_PER_TICK)];
}

/** Spends on the rows that were counted. */
export function spendOnCount(context: CompileContext, value: RawBuilder<SqlJson>): RawBuilder<SqlJson> {
  return spend(context, sql`1 + count(*) * ${sql.lit(VISIT_COST)}`, value);
}
