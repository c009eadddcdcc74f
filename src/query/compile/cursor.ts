import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { FromClause } from '../../database/dialect/sql-expressions.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import type { Page, PageCursor } from '../query.js';
import { column, orderByAll, whereAll } from './compile-context.js';
import type { CompileContext, RowScope } from './compile-context.js';
import { boundKind } from './parameterise.js';
import { compileOrder } from './sort.js';
import type { OrderKey } from './sort.js';
import { createRowScope, versionTable } from './version-rows.js';

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
