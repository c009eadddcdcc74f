import type { BoundValue, Dialect } from '../dialects/dialect.js';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';

/** What a query compares with or cuts by. */
export type Operand = StoredScalar | readonly StoredScalar[];

/** A place in a compiled statement for one of a query's values. */
export interface Slot {
  /** Which of the values. */
  readonly index: number;
  /** What it is compared with. */
  readonly kind: ColumnKind;
  /** Whether the value is a list, bound as one. */
  readonly list: boolean;
}

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** Whether a number can be bound as a 64-bit integer. */
const isInteger = (value: unknown): boolean => (typeof value === 'bigint' ? value >= LOWEST && value <= HIGHEST : Number.isSafeInteger(value));

/** Where values change a statement's text by more than themselves: a fraction is not bound as an integer. Part of a query's shape. */
export function operandClass(operand: Operand): 'integer' | 'other' {
  const values: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  return values.every(isInteger) ? 'integer' : 'other';
}

/** As what an operand is bound to be compared with a column of that kind. */
export function boundKind(kind: ColumnKind, operand: Operand): ColumnKind {
  if (kind !== 'integer' && kind !== 'bigint') return kind;
  return operandClass(operand) === 'integer' ? kind : 'double';
}

const isList = (operand: Operand | undefined): operand is readonly StoredScalar[] => Array.isArray(operand);

/** The parameters of a statement, in its order, from a query's values. */
export function bindSlots(dialect: Pick<Dialect, 'encode' | 'encodeList'>, slots: readonly Slot[], values: readonly Operand[]): readonly BoundValue[] {
  return slots.map(({ index, kind, list }) => {
    const value = values[index];
    if (!list) return dialect.encode(kind, (value ?? null) as StoredScalar);
    return dialect.encodeList(kind, isList(value) ? value : []);
  });
}
