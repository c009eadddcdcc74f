import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ScalarTypeName } from '../fields/field-type.js';
import { attributeOf } from '../model/lookup.js';
import type { ContentType } from '../model/model.js';
import type { PopulateNode, Selection } from '../query/query.js';
import type { CompileContext } from './compile-context.js';
import { column } from './scope.js';
import type { RowScope } from './scope.js';

/** What looking at a row costs, compared with printing a record. */
const VISIT_COST = 0.1;

const BYTES_PER_RECORD = 1024;

/** Types whose values may be long. */
const LONG_TYPES: readonly ScalarTypeName[] = ['string', 'text', 'richtext', 'blocks', 'json'];

/** Those of which less may be printed than is stored. */
const JSON_TYPES: readonly ScalarTypeName[] = ['blocks', 'json'];

/** Intervals at which statements can be ended: about every 250 rows, or every 30 that may be printed. */
const [VISITS_PER_TICK, RECORDS_PER_TICK] = [251, 31];

/** The branch of the records themselves. */
const ROOT_BRANCH = 'data';

/** Returns a context that spends for what one attribute populates. */
export function enterBranch(context: CompileContext, attribute: string): CompileContext {
  const { budget } = context;
  if (budget === null) return context;
  const branch = budget.branch === ROOT_BRANCH ? attribute : `${budget.branch}.${attribute}`;
  return { ...context, budget: { ...budget, branch } };
}

const spend = (
  { budget, expressions }: CompileContext,
  cost: Expression<unknown>,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> => (budget === null ? value : expressions.spending(cost, budget, value));

/** How often a selection prints the JSON of a component: once, and again for each component within. */
const timesPrinted = (node: PopulateNode): number => {
  const selections =
    node.kind === 'component' ? [node.selection] : node.kind === 'zone' ? Object.values(node.on) : null;
  if (selections === null) return 0;
  const nested = selections.flatMap(({ populate }) => populate.map(timesPrinted));
  return nested.reduce((sum, times) => sum + times, 1);
};

/** What a statement counts of the records that it prints. */
export type Counted = NonNullable<CompileContext['budget']>['counted'];

/** Without populated attributes, the page limits the answer. */
export function budgetOf(
  { populate, maxRecords, hasFewRecords = false }: Selection,
  counted: Counted = hasFewRecords ? 'texts' : 'all',
): CompileContext['budget'] {
  return maxRecords === undefined || populate.length === 0
    ? null
    : { limit: maxRecords, branch: ROOT_BRANCH, counted };
}

/** The columns of which the kilobytes count, and how often. */
const longColumns = (
  { schema }: RowScope,
  { fields, populate, output }: Selection,
  counted: Counted,
): readonly { readonly name: string; readonly times: number }[] => {
  // Printed by REST, they are part of the answer.
  const types = counted === 'unprinted' && output === undefined ? JSON_TYPES : LONG_TYPES;
  const texts = fields.flatMap((name) => {
    const longColumn = columnOf(schema, name, types);
    return longColumn === null ? [] : [{ name: longColumn, times: 1 }];
  });
  const components = populate.flatMap((node) => {
    const times = timesPrinted(node);
    const attribute = times === 0 ? null : attributeOf(schema, node.attribute);
    return attribute !== null && 'column' in attribute ? [{ name: attribute.column.name, times }] : [];
  });
  return [...texts, ...components];
};

const columnOf = (
  { attributes }: ContentType,
  name: string,
  types: readonly ScalarTypeName[],
): string | null => {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return attribute?.family === 'scalar' && types.includes(attribute.type) ? attribute.column.name : null;
};

/** Spends on one record: more the longer its texts are. */
export function spendOnRecord(
  context: CompileContext,
  scope: RowScope,
  selection: Selection,
  record: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (context.budget === null) return record;
  const { counted } = context.budget;
  const lengths = longColumns(scope, selection, counted).map(({ name, times }) => {
    const bytes = context.expressions.byteLength(column(scope.alias, name));
    return times === 1 ? bytes : sql`${bytes} * ${sql.lit(times)}`;
  });
  const kilobytes = sql`(${sql.join(lengths, sql` + `)}) / ${sql.lit(BYTES_PER_RECORD)}`;
  if (counted === 'all')
    return spend(context, lengths.length === 0 ? sql.lit(1) : sql`1 + ${kilobytes}`, record);
  if (lengths.length === 0) return record;
  // Spending takes longer than finding out that there is nothing to spend.
  const isWithin = spend(context, kilobytes, sql`1 = 1`);
  return sql`case when ${kilobytes} = 0 or ${isWithin} then ${record} end`;
}

/** Spends on each row that a list looks at, which may be many more than it returns. */
export function spendOnVisit(context: CompileContext, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return spend(context, sql.lit(VISIT_COST), condition);
}

/** The condition by which a statement can be ended while it looks at rows on which it spends nothing. */
export function interruptibleRows(
  { expressions, budget }: CompileContext,
  { alias }: RowScope,
): readonly RawBuilder<unknown>[] {
  const interval = budget?.counted === 'unprinted' ? RECORDS_PER_TICK : VISITS_PER_TICK;
  return expressions.interruptible === null ? [] : [expressions.interruptible(column(alias, 'id'), interval)];
}

/** Spends on the rows that were counted. */
export function spendOnCount(context: CompileContext, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return spend(context, sql`1 + count(*) * ${sql.lit(VISIT_COST)}`, value);
}
