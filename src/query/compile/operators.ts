import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { MatchPosition } from '../../database/dialect/sql-expressions.js';
import type { CompareNode, ComparisonOperator } from '../query.js';
import type { CompileContext } from './compile-context.js';
import type { ComparableValue } from './fields.js';
import { boundKind } from './parameter-slots.js';

/** A comparison: the value of the field on the left, the operand of the node on the right. */
interface ComparisonContext {
  readonly context: CompileContext;
  readonly node: CompareNode;
  readonly left: ComparableValue;
}

type ConditionWriter = (comparison: ComparisonContext) => RawBuilder<boolean>;

const isText = ({ left }: ComparisonContext): boolean => left.kind === 'text' || left.kind === 'json';

/** Returns the value to compare. JSON is compared as text. */
const valueOf = ({ context, left }: ComparisonContext): RawBuilder<unknown> =>
  left.kind === 'json' ? context.expressions.json.comparable(left.value) : left.value;

/** Returns the value to look for, in the form in which an index of the attribute holds it. */
const soughtValue = (comparison: ComparisonContext): Expression<unknown> =>
  comparison.left.isIndexed && isText(comparison)
    ? comparison.context.expressions.byCodePoint(valueOf(comparison))
    : valueOf(comparison);

const operandOf = ({ context, node, left }: ComparisonContext, offset = 0): RawBuilder<unknown> =>
  context.bind(node, boundKind(left.kind, node.operand), offset);

const compare =
  (operator: string): ConditionWriter =>
  (comparison) =>
    sql<boolean>`${soughtValue(comparison)} ${sql.raw(operator)} ${operandOf(comparison)}`;

/** Returns the value to order by. Text is ordered by code point. */
const orderedValue = (comparison: ComparisonContext): Expression<unknown> =>
  isText(comparison)
    ? comparison.context.expressions.byCodePoint(valueOf(comparison))
    : comparison.left.value;

const compareOrdered =
  (operator: string): ConditionWriter =>
  (comparison) =>
    sql<boolean>`${orderedValue(comparison)} ${sql.raw(operator)} ${operandOf(comparison)}`;

const compareFolded =
  (operator: string): ConditionWriter =>
  (comparison) => {
    const operand = comparison.context.expressions.fold(comparison.context.bind(comparison.node, 'text'));
    const text = comparison.context.expressions.fold(textOf(comparison));
    return sql<boolean>`${text} ${sql.raw(operator)} ${operand}`;
  };

const textOf = ({ context, left }: ComparisonContext): RawBuilder<string> =>
  left.kind === 'json'
    ? context.expressions.json.comparable(left.value)
    : context.expressions.asText(left.kind, left.value);

const search =
  (position: MatchPosition, { caseless }: { readonly caseless: boolean }): ConditionWriter =>
  (comparison) => {
    const { expressions, bind } = comparison.context;
    const needle = bind(comparison.node, 'text');
    const text = textOf(comparison);
    return caseless
      ? expressions.contains(expressions.fold(text), expressions.fold(needle), position)
      : expressions.contains(text, needle, position);
  };

const negated =
  (writer: ConditionWriter): ConditionWriter =>
  (comparison) =>
    sql<boolean>`not (${writer(comparison)})`;

const inList: ConditionWriter = (comparison) => {
  const { context, node, left } = comparison;
  const kind = boundKind(left.kind, node.operand);
  return context.expressions.inList(soughtValue(comparison), kind, context.bindList(node, kind));
};

const between: ConditionWriter = (comparison) =>
  sql<boolean>`${orderedValue(comparison)} between ${operandOf(comparison)} and ${operandOf(comparison, 1)}`;

const nullCheck =
  (nullWhen: boolean): ConditionWriter =>
  ({ left, node }) =>
    (node.operand === true) === nullWhen
      ? sql<boolean>`${left.value} is null`
      : sql<boolean>`${left.value} is not null`;

/** An indexed text is looked for in the range of texts that begin so. */
const startsWith: ConditionWriter = (comparison) => {
  const matches = search('start', CASED)(comparison);
  const { context, node, left } = comparison;
  if (!left.isIndexed || left.kind !== 'text') return matches;
  const prefix = context.bind(node, 'text');
  const from = sql`${orderedValue(comparison)} >= ${prefix}`;
  const to = sql`${orderedValue(comparison)} < ${context.expressions.afterPrefix(prefix)}`;
  return sql<boolean>`(${from} and ${to} and ${matches})`;
};

const CASED = { caseless: false };
const CASELESS = { caseless: true };

/** The SQL of each operator. Except $null and $notNull, none of them is true for null. */
const WRITERS: Readonly<Record<ComparisonOperator, ConditionWriter>> = {
  $eq: compare('='),
  $ne: compare('<>'),
  $eqi: compareFolded('='),
  $nei: compareFolded('<>'),
  $lt: compareOrdered('<'),
  $lte: compareOrdered('<='),
  $gt: compareOrdered('>'),
  $gte: compareOrdered('>='),
  $in: inList,
  $notIn: negated(inList),
  $between: between,
  $contains: search('anywhere', CASED),
  $notContains: negated(search('anywhere', CASED)),
  $containsi: search('anywhere', CASELESS),
  $notContainsi: negated(search('anywhere', CASELESS)),
  $startsWith: startsWith,
  $startsWithi: search('start', CASELESS),
  $endsWith: search('end', CASED),
  $endsWithi: search('end', CASELESS),
  $null: nullCheck(true),
  $notNull: nullCheck(false),
};

/** Compiles a comparison of a field's value with the operand of a node. */
export function compileComparison(
  context: CompileContext,
  node: CompareNode,
  left: ComparableValue,
): RawBuilder<boolean> {
  return WRITERS[node.operator]({ context, node, left });
}
