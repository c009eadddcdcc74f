import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { JsonPairs, SqlExpressions, SqlJson } from '../../database/dialect/sql-expressions.js';
import { assertNever } from '../../lib/assert.js';
import type { ColumnKind } from '../../lib/stored-value.js';
import { typeOf } from '../../model/lookup.js';
import type { ContentModel } from '../../model/model.js';
import { TIME_UNITS, VALUE_FUNCTIONS } from '../aggregate.js';
import type { AggregateOrder, AggregateQuery, AggregateValue, GroupKey } from '../aggregate.js';
import { column, compileSlice, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext, RowScope } from './compile-context.js';
import { contextFor, rootConditions, toCompiledRead } from './compile-read.js';
import type { CompiledRead } from './compile-read.js';
import { fieldValue } from './fields.js';
import { followedRows } from './filter.js';
import { parameteriseAggregate } from './parameterise.js';
import { createRowScope, documentIdOf, publicationConditions, versionTable } from './version-rows.js';

/** The subquery with one row per group. */
const GROUPS = 'g';

/** A figure: the columns computed per group, its printed form, and its sort key. */
interface Figure {
  readonly columns: readonly RawBuilder<unknown>[];
  readonly json: RawBuilder<SqlJson>;
  readonly order: RawBuilder<unknown>;
}

const COUNT = column(GROUPS, 'n');

const plainFigure = (
  { expressions }: CompileContext,
  name: string,
  value: RawBuilder<unknown>,
  kind: ColumnKind,
): Figure => {
  const result = column(GROUPS, name);
  const order = kind === 'text' ? sql`${expressions.byCodePoint(result)}` : result;
  return { columns: [sql`${value} as ${sql.id(name)}`], json: expressions.json.value(kind, result), order };
};

const sumFigure = (
  { expressions }: CompileContext,
  name: string,
  value: RawBuilder<unknown>,
  kind: ColumnKind,
): Figure => {
  const { parts, print, order } = expressions.sum(kind, value);
  const results = parts.map((_part, index) => column(GROUPS, `${name}_${index}`));
  return {
    columns: parts.map((part, index) => sql`${part} as ${sql.id(`${name}_${index}`)}`),
    json: expressions.json.value(kind === 'bigint' ? 'text' : 'double', print(results)),
    order: order(results),
  };
};

const valueFigure = (
  context: CompileContext,
  scope: RowScope,
  { function: name, field }: AggregateValue,
  index: number,
): Figure => {
  const { expressions } = context;
  const { value, kind } = fieldValue(context, scope, field);
  const comparable = kind === 'text' ? sql`${expressions.byCodePoint(value)}` : value;
  switch (name) {
    case 'sum':
      return sumFigure(context, `v${index}`, value, kind);
    case 'avg':
      return plainFigure(context, `v${index}`, expressions.average(value), 'double');
    case 'min':
    case 'max':
      return plainFigure(context, `v${index}`, sql`${sql.raw(name)}(${comparable})`, kind);
    default:
      return assertNever(name, 'function');
  }
};

/** The id of the linked document, as far as a version of it is visible. */
const linkedDocumentId = (context: CompileContext, scope: RowScope, name: string): RawBuilder<unknown> => {
  const rows = followedRows(context, scope, name);
  const { from, where } = context.expressions.paths.rows(rows.path);
  const conditions = whereAll([...where, ...publicationConditions(context, rows.scope)]);
  const tail = sql`${conditions} ${orderByAll(rows.order)} limit 1`;
  return sql`(select ${documentIdOf(rows.scope)} from ${from} ${tail})`;
};

const keyFigure = (context: CompileContext, scope: RowScope, key: GroupKey, index: number): Figure => {
  const { expressions } = context;
  const name = `k${index}`;
  if (key.kind === 'link')
    return plainFigure(context, name, linkedDocumentId(context, scope, key.name), 'text');
  const { value, kind } = fieldValue(context, scope, key.name);
  if (key.unit !== null) {
    const text = sql`substr(${expressions.asText(kind, value)}, 1, ${sql.lit(TIME_UNITS[key.unit])})`;
    return plainFigure(context, name, text, 'text');
  }
  return plainFigure(context, name, kind === 'text' ? sql`${expressions.byCodePoint(value)}` : value, kind);
};

interface Figures {
  readonly keys: readonly Figure[];
  readonly values: readonly Figure[];
}

const pairsOf = (
  { expressions }: CompileContext,
  { keys, values, withCount }: AggregateQuery,
  figures: Figures,
): JsonPairs => {
  const ofFunction = (name: string): JsonPairs =>
    values.flatMap((value, index) => {
      const figure = figures.values[index];
      return value.function === name && figure !== undefined ? [[value.field, figure.json] as const] : [];
    });
  const results = VALUE_FUNCTIONS.map((name) => [name, ofFunction(name)] as const)
    .filter(([, pairs]) => pairs.length > 0)
    .map(([name, pairs]) => [name, expressions.json.object(pairs)] as const);
  const group = keys.flatMap(({ name }, index) => {
    const figure = figures.keys[index];
    return figure === undefined ? [] : [[name, figure.json] as const];
  });
  return [
    ...(group.length === 0 ? [] : [['group', expressions.json.object(group)] as const]),
    ...(withCount ? [['count', expressions.json.value('integer', COUNT)] as const] : []),
    ...results,
  ];
};

const orderItem = (
  { expressions }: CompileContext,
  figures: Figures,
  { by, index, direction }: AggregateOrder,
): RawBuilder<unknown> => {
  const figure = by === 'value' ? figures.values[index] : figures.keys[index];
  return expressions.orderBy(by === 'count' || figure === undefined ? COUNT : figure.order, direction);
};

/**
 * Compiles an aggregate to one statement. Its only column is the JSON text of one group, or of the figures
 * without groups.
 */
export function compileAggregate(
  model: ContentModel,
  aggregate: AggregateQuery,
  expressions: SqlExpressions,
): CompiledRead {
  const { query, keys, values, order, slice } = aggregate;
  const context = contextFor(model, expressions, query, parameteriseAggregate(aggregate));
  const scope = createRowScope(context, typeOf(model, query.type));
  const figures: Figures = {
    keys: keys.map((key, index) => keyFigure(context, scope, key, index)),
    values: values.map((value, index) => valueFigure(context, scope, value, index)),
  };
  const columns = [...figures.keys, ...figures.values].flatMap((figure) => figure.columns);
  const selected = sql.join([...columns, sql`count(*) as ${sql.id('n')}`]);
  const where = whereAll(rootConditions(context, scope, query));
  const positions = sql.join(keys.map((_key, index) => sql.lit(index + 1)));
  const groupBy = keys.length === 0 ? sql`` : sql`group by ${positions}`;
  const rows = sql`select ${selected} from ${versionTable(scope)} ${where} ${groupBy}`;
  const groups = sql`(${rows}) as ${sql.id(GROUPS)}`;
  const sorted = orderByAll(order.map((item) => orderItem(context, figures, item)));
  const json = expressions.json.text(expressions.json.object(pairsOf(context, aggregate, figures)));
  return toCompiledRead(
    context,
    sql`select ${json} from ${groups} ${sorted} ${compileSlice(context, slice)}`,
  );
}
