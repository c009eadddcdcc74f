import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FromClause } from '../../database/dialect/sql-expressions.js';
import { componentOf } from '../../model/lookup.js';
import type { ComponentAttribute } from '../../model/model.js';
import type { SearchTerm, SortNode } from '../query.js';
import { createItemScope, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext, Scope } from './compile-context.js';
import { fieldValue } from './fields.js';
import type { ComparableValue } from './fields.js';
import { componentJson } from './filter.js';
import { followedRows } from './linked-rows.js';

/** The parameters of BM25, as they are commonly chosen. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/** Counted in letters. The average of all texts, which BM25 has instead, changes with every write. */
const TYPICAL_LENGTH = 500;

const fieldScore = (
  context: CompileContext,
  scope: Scope,
  field: string,
  search: SearchTerm,
): RawBuilder<unknown> => {
  const { expressions } = context;
  const { value, kind } = fieldValue(context, scope, field);
  const text = expressions.fold(expressions.asText(kind, value));
  const term = expressions.fold(context.bind(search, 'text'));
  const [texts, counts] = [sql.id(context.nextAlias('s')), sql.id(context.nextAlias('s'))];
  // The limits keep planners from inlining subqueries, which would fold again at each use.
  const folded = sql`(select ${text} as body, ${term} as term limit 1) as ${texts}`;
  const hits = sql`cast(length(body) - length(replace(body, term, '')) as double precision) / length(term)`;
  const counted = sql`(select ${hits} as hits, length(body) as size from ${folded} limit 1) as ${counts}`;
  const ofLength = sql.lit((SATURATION * LENGTH_WEIGHT) / TYPICAL_LENGTH);
  const damping = sql`${sql.lit(SATURATION * (1 - LENGTH_WEIGHT))} + ${ofLength} * size`;
  return sql`coalesce((select hits / (hits + ${damping}) from ${counted}), 0)`;
};

/**
 * Returns the relevance of a record to a search: BM25 of the term in all searched texts. It is higher the
 * more often the term occurs and the shorter the text is. The same on every database.
 */
function scoreValue(context: CompileContext, scope: Scope, search: SearchTerm): RawBuilder<unknown> {
  return sql`(${sql.join(
    search.fields.map((field) => fieldScore(context, scope, field, search)),
    sql` + `,
  )})`;
}

type Direction = SortNode['direction'];

/**
 * Returns the sort value if several records or components are linked: the minimum for ascending order, the
 * maximum for descending order.
 */
const decidingValue = (
  context: CompileContext,
  value: RawBuilder<unknown>,
  rows: FromClause,
  direction: Direction,
): RawBuilder<unknown> => {
  const order = orderByAll([context.expressions.orderBy(sql`1`, direction)]);
  return sql`(select ${value} from ${rows.from} ${whereAll(rows.where)} ${order} limit 1)`;
};

const componentValue = (
  context: CompileContext,
  scope: Scope,
  attribute: ComponentAttribute,
  { path, direction }: SortNode,
): SortValue => {
  const json = componentJson(scope, attribute);
  const schema = componentOf(context.model, attribute.component);
  const valueIn = (item: RawBuilder<unknown>): SortValue =>
    sortValue(context, createItemScope(context.expressions, scope, schema, item), { path, direction });
  if (!attribute.repeatable) return valueIn(json);
  const { from, item } = context.expressions.json.rows(json, context.nextAlias('j'));
  const { value, kind } = valueIn(item);
  return { value: decidingValue(context, value, { from, where: [] }, direction), kind };
};

/** A value to sort by, with the kind as which it compares. */
type SortValue = Pick<ComparableValue, 'value' | 'kind'>;

const sortValue = (
  context: CompileContext,
  scope: Scope,
  { path: [name = '', ...path], direction, score }: SortNode,
): SortValue => {
  if (score !== undefined) return { value: scoreValue(context, scope, score), kind: 'double' };
  if (path.length === 0) {
    const { value, kind } = fieldValue(context, scope, name);
    return { value: kind === 'text' ? sql`${context.expressions.byCodePoint(value)}` : value, kind };
  }
  const attribute = Object.hasOwn(scope.schema.attributes, name) ? scope.schema.attributes[name] : undefined;
  if (attribute?.family === 'component')
    return componentValue(context, scope, attribute, { path, direction });
  const rows = followedRows(context, scope, name);
  const fromClause = context.expressions.paths.rows(rows.path);
  const { value, kind } = sortValue(context, rows.scope, { path, direction });
  if (rows.many) return { value: decidingValue(context, value, fromClause, direction), kind };
  const tail = sql`${whereAll(fromClause.where)} ${orderByAll(rows.order)} limit 1`;
  return { value: sql`(select ${value} from ${fromClause.from} ${tail})`, kind };
};

/** Fields that every row has. */
const REQUIRED_FIELDS: ReadonlySet<string> = new Set(['id', 'documentId', 'createdAt', 'updatedAt']);

/** One of the values that decide an order. */
export interface OrderKey extends SortValue {
  readonly direction: Direction;
  /** Null, also for a missing relation, is lowest. */
  readonly isNullable: boolean;
  /** The field of the row. Null: a field of a linked record or of a component. */
  readonly field: string | null;
}

/** Returns the keys of an order, in the direction of the order or against it. */
export function compileOrderKeys(
  context: CompileContext,
  scope: Scope,
  nodes: readonly SortNode[],
  isReversed = false,
): readonly OrderKey[] {
  return nodes.map((node) => {
    const [name = '', ...nestedPath] = node.path;
    const { value, kind } = sortValue(context, scope, node);
    const field = scope.kind === 'row' && nestedPath.length === 0 ? name : null;
    const isDescending = (node.direction === 'desc') !== isReversed;
    return {
      value,
      kind,
      direction: isDescending ? 'desc' : 'asc',
      isNullable: field === null || !REQUIRED_FIELDS.has(field),
      field,
    };
  });
}

/** Returns the `ORDER BY` items of keys. */
export function compileOrder(
  { expressions }: CompileContext,
  keys: readonly OrderKey[],
): readonly RawBuilder<unknown>[] {
  return keys.map(({ value, direction, field }) => {
    // Ids are never null, so an index can provide the order.
    if (field === 'id') return direction === 'asc' ? value : sql`${value} desc`;
    return expressions.orderBy(value, direction);
  });
}

/** Compiles the `ORDER BY` items for rows of `scope`. */
export function compileSort(
  context: CompileContext,
  scope: Scope,
  nodes: readonly SortNode[],
): readonly RawBuilder<unknown>[] {
  return compileOrder(context, compileOrderKeys(context, scope, nodes));
}
