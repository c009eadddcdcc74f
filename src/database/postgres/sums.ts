import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { SumExpression } from '../dialect/sums.js';

/** The sum of a column of numbers, in a type that none overflows. */
export function postgresSum(kind: ColumnKind, value: Expression<unknown>): SumExpression {
  const only = ([part = sql`null`]: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => part;
  return {
    parts: [sql`sum(${value}::numeric)`],
    print: (parts) => (kind === 'bigint' ? sql`${only(parts)}::text` : only(parts)),
    order: only,
  };
}

/** The average of a column of numbers. */
export function postgresAverage(value: Expression<unknown>): RawBuilder<unknown> {
  return sql`avg(${value}::numeric)::float8`;
}
