import type { RawBuilder } from 'kysely';

/** How values are summed up exactly: by which columns, and how these are printed and sorted by. */
export interface SumExpression {
  readonly parts: readonly RawBuilder<unknown>[];
  readonly print: (parts: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>;
  readonly order: (parts: readonly RawBuilder<unknown>[]) => RawBuilder<unknown>;
}
