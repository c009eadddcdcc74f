import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { FromClause } from '../../database/dialect/sql-expressions.js';
import { componentOf } from '../../model/lookup.js';
import type { ComponentAttribute } from '../../model/model.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import type { SearchTerm, SortNode, Page, PageCursor } from '../query.js';
import { createItemScope, orderByAll, whereAll, column } from './compile-context.js';
import type { CompileContext, Scope, RowScope } from './compile-context.js';
import { fieldValue } from './fields.js';
import type { ComparableValue } from './fields.js';
import { componentJson, followedRows } from './filter.js';
import { boundKind } from './parameterise.js';
import { createRowScope, versionTable } from './version-rows.js';

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

/** Separates a record's position in the order from the record. JSON text contains no plain line break. */
export const POSITION_END = '\n';

type Position = readonly StoredScalar[];

/** The rows of a list, seen under an alias. */
interface ListRows {
  readonly matching: (scope: RowScope) => FromClause;
  readonly keys: (scope: RowScope) => readonly OrderKey[];
}

interface CursorPage {
  readonly page: Page;
  readonly cursor: PageCursor;
  readonly position: Position;
}

/** A comparison of the key at an index with its value of the position. */
interface KeyComparison {
  readonly index: number;
  readonly operator: 'equals' | 'follows' | 'is null';
}

/**
 * The rows that follow a position, as consecutive parts of the order: first those that share all its values
 * but the last, then those that share one value less, and so on. Each part is one range of an index of the
 * keys; their union is not.
 */
const partsBeyond = (
  position: Position,
  keys: readonly OrderKey[],
): readonly (readonly KeyComparison[])[] => {
  const equal = keys.map((_key, index): KeyComparison => ({ index, operator: 'equals' }));
  const parts = keys.map((key, index) => {
    const same = equal.slice(0, index);
    const isNull = position[index] === null;
    // Null is first in an ascending order and last in a descending one.
    if (isNull && key.direction === 'desc') return [];
    const follows: KeyComparison[] = [...same, { index, operator: 'follows' }];
    const nullsFollow = !isNull && key.direction === 'desc' && key.isNullable;
    return nullsFollow ? [follows, [...same, { index, operator: 'is null' } as const]] : [follows];
  });
  return parts.toReversed().flat();
};

const compileComparison = (
  context: CompileContext,
  keys: readonly OrderKey[],
  { cursor, position }: CursorPage,
  { index, operator }: KeyComparison,
): RawBuilder<unknown> => {
  const { value, kind, direction } = keyAt(keys, index);
  const operand = position[index] ?? null;
  if (operator === 'is null') return sql`${value} is null`;
  if (operand === null) return operator === 'equals' ? sql`${value} is null` : sql`${value} is not null`;
  const sign = operator === 'equals' ? '=' : direction === 'asc' ? '>' : '<';
  return sql`${value} ${sql.raw(sign)} ${context.bind(cursor, boundKind(kind, operand), index)}`;
};

const keyAt = (keys: readonly OrderKey[], index: number): OrderKey => {
  const key = keys[index];
  if (key === undefined) throw new TypeError(`The order has no key ${index}`);
  return key;
};

/**
 * Compiles the conditions for rows on a page that begins after a cursor. Rows before the cursor are not
 * visited, so that the cost of a page does not depend on its position.
 */
export function beyondCursor(
  context: CompileContext,
  scope: RowScope,
  cursorPage: CursorPage,
  rows: ListRows,
): FromClause {
  const { page, position } = cursorPage;
  const parts = partsBeyond(position, rows.keys(scope));
  const comparisons = (keys: readonly OrderKey[], part: readonly KeyComparison[]): RawBuilder<unknown>[] =>
    part.map((comparison) => compileComparison(context, keys, cursorPage, comparison));
  const [first] = parts;
  if (first === undefined) return { from: versionTable(scope), where: [sql`1 = 0`] };
  if (parts.length === 1) {
    const { from, where } = rows.matching(scope);
    return { from, where: [...where, ...comparisons(rows.keys(scope), first)] };
  }
  const limit = (): RawBuilder<unknown> => context.bind(page, 'integer');
  const lists = parts.map((part) => {
    const inner = createRowScope(context, scope.schema);
    const keys = rows.keys(inner);
    const { from, where } = rows.matching(inner);
    const conditions = whereAll([...where, ...comparisons(keys, part)]);
    const order = orderByAll(compileOrder(context, keys));
    const slice = context.expressions.slice(limit(), sql.lit(0));
    const ids = sql`select ${column(inner.alias, 'id')}
      from ${from} ${conditions} ${order} ${slice}`;
    return sql`select ${sql.id('id')} from (${ids}) as ${sql.id(`${inner.alias}p`)}`;
  });
  const ids = context.expressions.firstOf(lists, limit());
  return { from: versionTable(scope), where: [sql`${column(scope.alias, 'id')} in (${ids})`] };
}

/** Prints a record's position before the record: an object of the keys' values, by their index. */
export function withPosition(
  { expressions }: CompileContext,
  keys: readonly OrderKey[],
  record: RawBuilder<string>,
): RawBuilder<string> {
  const values = keys.map(
    ({ value, kind }, index) => [String(index), expressions.json.value(kind, value)] as const,
  );
  const position = expressions.json.text(expressions.json.object(values));
  return sql`${position} || ${sql.lit(POSITION_END)} || ${record}`;
}
