import type { BoundValue, SqlExpressions } from '../../database/dialect/sql-expressions.js';
import { MAX_INT64, MIN_INT64 } from '../../lib/int64.js';
import type { ColumnKind, StoredScalar } from '../../lib/stored-value.js';

/** A value in a query. */
export type Operand = StoredScalar | readonly StoredScalar[];

/** A parameter of a compiled statement, to be filled with a value of the query. */
export interface ParameterSlot {
  /** The index of the value. */
  readonly index: number;
  /** The kind of column that it is compared with. */
  readonly kind: ColumnKind;
  /** True if the value is a list, bound as one parameter. */
  readonly isList: boolean;
}

/** True if a number can be bound as a 64-bit integer. */
const isInteger = (value: unknown): boolean =>
  typeof value === 'bigint' ? value >= MIN_INT64 && value <= MAX_INT64 : Number.isSafeInteger(value);

/** Returns what a value contributes to the shape of a query: fractions cannot be bound as integers. */
export function operandClass(operand: Operand): 'integer' | 'other' {
  const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  return values.every(isInteger) ? 'integer' : 'other';
}

/** Returns the kind as which an operand is bound, for comparison with a column of a kind. */
export function boundKind(kind: ColumnKind, operand: Operand): ColumnKind {
  if (kind !== 'integer' && kind !== 'bigint') return kind;
  return operandClass(operand) === 'integer' ? kind : 'double';
}

const isListOperand = (operand: Operand | undefined): operand is readonly StoredScalar[] =>
  Array.isArray(operand);

/** Returns the parameters of a statement, in its order. */
export function bindSlots(
  expressions: Pick<SqlExpressions, 'encode' | 'encodeList'>,
  slots: readonly ParameterSlot[],
  values: readonly Operand[],
): readonly BoundValue[] {
  return slots.map(({ index, kind, isList }) => {
    const value = values[index];
    if (!isList) return expressions.encode(kind, (value ?? null) as StoredScalar);
    return expressions.encodeList(kind, isListOperand(value) ? value : []);
  });
}
