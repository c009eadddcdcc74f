import type { RawBuilder } from 'kysely';

/** SQL for exact sums: the columns to compute, and the expressions to print and sort them. */
export interface SumExpression {
  readonly parts: readonly RawBuilder<unknown>[];
  readonly print: (parts: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>;
  readonly order: (parts: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>;
}
