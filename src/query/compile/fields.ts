import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';
import type { MatchPosition, SqlJson } from '../../database/dialect/sql-expressions.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { ContentSchema, ContentType } from '../../model/model.js';
import type { CompareNode, ComparisonOperator } from '../query.js';
import { column } from './compile-context.js';
import type { CompileContext, ItemScope, RowScope, Scope } from './compile-context.js';
import { boundKind } from './parameterise.js';
import { orderIdOf, publishedAtOf, recordIdOf } from './version-rows.js';

/** A scalar value in SQL, with the kind as which it compares. */
export interface ComparableValue {
  readonly value: RawBuilder<unknown>;
  readonly kind: ColumnKind;
  /** True if an index stores it in the order of the API. */
  readonly isIndexed: boolean;
}

interface StoredField {
  readonly column: string;
  readonly kind: ColumnKind;
}

const SYSTEM_FIELDS: Readonly<Record<string, StoredField>> = {
  id: { column: 'id', kind: 'integer' },
  documentId: { column: 'document_id', kind: 'text' },
  locale: { column: 'locale', kind: 'text' },
  createdAt: { column: 'created_at', kind: 'datetime' },
  updatedAt: { column: 'updated_at', kind: 'datetime' },
  publishedAt: { column: 'published_at', kind: 'datetime' },
};

const scalarOf = (schema: ContentSchema, field: string): StoredField | undefined => {
  const attribute = Object.hasOwn(schema.attributes, field) ? schema.attributes[field] : undefined;
  return attribute?.family === 'scalar'
    ? { column: attribute.column.name, kind: attribute.column.kind }
    : undefined;
};

const storedField = (type: ContentType, field: string): StoredField => {
  const stored = scalarOf(type, field) ?? SYSTEM_FIELDS[field];
  if (stored === undefined) throw new TypeError(`${type.uid} has no field ${field}`);
  return stored;
};

/** True if an index of the type's version table begins with the fields, in the order of the API. */
export function isIndexed(type: ContentType, ...fields: readonly string[]): boolean {
  const names = fields.map((field) => storedField(type, field).column);
  return type.indexes.some((index) => names.every((name, position) => index[position]?.column === name));
}

const itemKind = (scope: ItemScope, field: string): ColumnKind => {
  const kind = field === 'id' ? 'integer' : scalarOf(scope.schema, field)?.kind;
  if (kind === undefined) throw new TypeError(`${scope.schema.uid} has no field ${field}`);
  return kind;
};

/** Returns the value of a column. `id` and `publishedAt` of a previewed release are not those of the row. */
const columnValue = (
  context: CompileContext,
  scope: RowScope,
  { column: name }: StoredField,
  idIn: typeof recordIdOf,
): RawBuilder<unknown> => {
  if (name === 'id') return idIn(context, scope);
  return name === 'published_at' ? publishedAtOf(context, scope) : column(scope.alias, name);
};

/** Returns a field to compare or sort by. Inside components times are ISO text, which has the same order. */
export function fieldValue(context: CompileContext, scope: Scope, field: string): ComparableValue {
  const { expressions } = context;
  if (scope.kind === 'row') {
    const stored = storedField(scope.schema, field);
    const value = columnValue(context, scope, stored, orderIdOf);
    return { value, kind: stored.kind, isIndexed: isIndexed(scope.schema, field) };
  }
  const kind = itemKind(scope, field);
  return {
    value: expressions.json.field(scope.json, field, kind),
    kind: kind === 'datetime' ? 'text' : kind,
    isIndexed: false,
  };
}

const printsMilliseconds = ({ attributes }: ContentSchema, field: string): boolean => {
  const attribute = Object.hasOwn(attributes, field) ? attributes[field] : undefined;
  return attribute?.family === 'scalar' && attribute.field.printsMilliseconds === true;
};

/** Returns a field as JSON, with moments as ISO text. */
function storedJson(context: CompileContext, scope: Scope, field: string): RawBuilder<SqlJson> {
  if (scope.kind === 'item') return scope.member(field);
  const stored = storedField(scope.schema, field);
  if (stored.column === 'locale' && !scope.schema.localized && field === 'locale') return sql`null`;
  const value = columnValue(context, scope, stored, recordIdOf);
  return context.expressions.json.value(stored.kind, value);
}

/** Returns a field as the JSON of REST. */
export function fieldJson(context: CompileContext, scope: Scope, field: string): RawBuilder<SqlJson> {
  if (!printsMilliseconds(scope.schema, field)) return storedJson(context, scope, field);
  const { value } = fieldValue(context, scope, field);
  const { json } = context.expressions;
  return json.value('text', json.milliseconds(value, scope.kind === 'row' ? 'datetime' : 'text'));
}

/** A comparison: the value of the field on the left, the operand of the node on the right. */
interface ComparisonContext {
  readonly context: CompileContext;
  readonly node: CompareNode;
  readonly left: ComparableValue;
}

type ConditionWriter = (comparison: ComparisonContext) => RawBuilder<boolean>;

const isText = ({ left }: ComparisonContext): boolean => left.kind === 'text' || left.kind === 'json';

/** Returns the value to compare. JSON is compared as text. */
const comparedValue = ({ context, left }: ComparisonContext): RawBuilder<unknown> =>
  left.kind === 'json' ? context.expressions.json.comparable(left.value) : left.value;

/** Returns the value to look up, in the form that an index of the attribute stores. */
const soughtValue = (comparison: ComparisonContext): Expression<unknown> =>
  comparison.left.isIndexed && isText(comparison)
    ? comparison.context.expressions.byCodePoint(comparedValue(comparison))
    : comparedValue(comparison);

const operandOf = ({ context, node, left }: ComparisonContext, offset = 0): RawBuilder<unknown> =>
  context.bind(node, boundKind(left.kind, node.operand), offset);

const compare =
  (operator: string): ConditionWriter =>
  (comparison) =>
    sql<boolean>`${soughtValue(comparison)} ${sql.raw(operator)} ${operandOf(comparison)}`;

/** Returns the value to order by. Text is ordered by code point. */
const orderedValue = (comparison: ComparisonContext): Expression<unknown> =>
  isText(comparison)
    ? comparison.context.expressions.byCodePoint(comparedValue(comparison))
    : comparison.left.value;

const compareOrdered =
  (operator: string): ConditionWriter =>
  (comparison) =>
    sql<boolean>`${orderedValue(comparison)} ${sql.raw(operator)} ${operandOf(comparison)}`;

const compareFolded =
  (operator: string): ConditionWriter =>
  (comparison) => {
    const operand = comparison.context.expressions.fold(comparison.context.bind(comparison.node, 'text'));
    const text = comparison.context.expressions.fold(comparedText(comparison));
    return sql<boolean>`${text} ${sql.raw(operator)} ${operand}`;
  };

const comparedText = ({ context, left }: ComparisonContext): RawBuilder<string> =>
  left.kind === 'json'
    ? context.expressions.json.comparable(left.value)
    : context.expressions.asText(left.kind, left.value);

const search =
  (position: MatchPosition, { caseless }: { readonly caseless: boolean }): ConditionWriter =>
  (comparison) => {
    const { expressions, bind } = comparison.context;
    const needle = bind(comparison.node, 'text');
    const text = comparedText(comparison);
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

/** Looks up an indexed text in the range of texts with the prefix. */
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
