import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { NeedlePlace } from '../dialects/dialect.js';
import type { CompareNode, ComparisonOperator } from '../query/query.js';
import type { CompileContext } from './compile-context.js';
import type { ComparableValue } from './fields.js';
import { boundKind } from './slots.js';

/** A comparison about to be written: the field's value on the left, the node's operand on the right. */
interface Comparing {
  readonly context: CompileContext;
  readonly node: CompareNode;
  readonly left: ComparableValue;
}

type Writer = (comparing: Comparing) => RawBuilder<boolean>;

const isText = ({ left }: Comparing): boolean => left.kind === 'text' || left.kind === 'json';

/** JSON is compared by its text. */
const valueOf = ({ context, left }: Comparing): RawBuilder<unknown> => (left.kind === 'json' ? context.dialect.asText('json', left.value) : left.value);

const operandOf = ({ context, node, left }: Comparing, offset = 0): RawBuilder<unknown> => context.bind(node, boundKind(left.kind, node.operand), offset);

const compare = (operator: string): Writer => (comparing) => sql<boolean>`${valueOf(comparing)} ${sql.raw(operator)} ${operandOf(comparing)}`;

/** The value as it is ordered: text by code point. */
const orderedValue = (comparing: Comparing): Expression<unknown> =>
  isText(comparing) ? comparing.context.dialect.byCodePoint(valueOf(comparing)) : comparing.left.value;

const order = (operator: string): Writer => (comparing) => sql<boolean>`${orderedValue(comparing)} ${sql.raw(operator)} ${operandOf(comparing)}`;

const folded = (operator: string): Writer => (comparing) => {
  const { fold } = comparing.context.dialect;
  return sql<boolean>`${fold(textOf(comparing))} ${sql.raw(operator)} ${fold(comparing.context.bind(comparing.node, 'text'))}`;
};

const textOf = ({ context, left }: Comparing): RawBuilder<string> => context.dialect.asText(left.kind, left.value);

const search = (where: NeedlePlace, { caseless }: { readonly caseless: boolean }): Writer => (comparing) => {
  const { dialect, bind } = comparing.context;
  const needle = bind(comparing.node, 'text');
  return caseless ? dialect.contains(dialect.fold(textOf(comparing)), dialect.fold(needle), where) : dialect.contains(textOf(comparing), needle, where);
};

const inverted = (writer: Writer): Writer => (comparing) => sql<boolean>`not (${writer(comparing)})`;

const among: Writer = (comparing) => {
  const { context, node, left } = comparing;
  const kind = boundKind(left.kind, node.operand);
  return context.dialect.among(valueOf(comparing), kind, context.list(node, kind));
};

const between: Writer = (comparing) =>
  sql<boolean>`${orderedValue(comparing)} between ${operandOf(comparing)} and ${operandOf(comparing, 1)}`;

const nullness = (nullWhen: boolean): Writer => ({ left, node }) =>
  (node.operand === true) === nullWhen ? sql<boolean>`${left.value} is null` : sql<boolean>`${left.value} is not null`;

const CASED = { caseless: false };
const CASELESS = { caseless: true };

/** What each operator is in SQL. None of them is true of null but the two that ask for it. */
const WRITERS: Readonly<Record<ComparisonOperator, Writer>> = {
  $eq: compare('='),
  $ne: compare('<>'),
  $eqi: folded('='),
  $nei: folded('<>'),
  $lt: order('<'),
  $lte: order('<='),
  $gt: order('>'),
  $gte: order('>='),
  $in: among,
  $notIn: inverted(among),
  $between: between,
  $contains: search('anywhere', CASED),
  $notContains: inverted(search('anywhere', CASED)),
  $containsi: search('anywhere', CASELESS),
  $notContainsi: inverted(search('anywhere', CASELESS)),
  $startsWith: search('start', CASED),
  $startsWithi: search('start', CASELESS),
  $endsWith: search('end', CASED),
  $endsWithi: search('end', CASELESS),
  $null: nullness(true),
  $notNull: nullness(false),
};

export function compileComparison(context: CompileContext, node: CompareNode, left: ComparableValue): RawBuilder<boolean> {
  return WRITERS[node.operator]({ context, node, left });
}
