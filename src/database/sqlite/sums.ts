import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { ColumnKind } from '../../lib/stored-value.js';
import type { SumExpression } from '../dialect/sums.js';

/** Sums of large integers are kept in two parts, since a sum beyond 64 bits is an error. */
const BASE = 1_000_000_000;
const DIGITS = 9;

/** JSON has no infinity, which sums of very large numbers come to. */
const finite = (value: Expression<unknown>): RawBuilder<unknown> =>
  sql`case when abs(${value}) <= ${sql.raw(String(Number.MAX_VALUE))} then ${value} end`;

/** Both parts have the same sign after this, or one of them is zero. */
const normalise = (high: RawBuilder<unknown>, low: RawBuilder<unknown>): RawBuilder<unknown> => {
  const base = sql.lit(BASE);
  const carried = sql`select ${high} + ${low} / ${base} as h, ${low} % ${base} as l`;
  const borrow = sql`case when h > 0 and l < 0 then -1 when h < 0 and l > 0 then 1 else 0 end`;
  return sql`(select h + b as h, l - b * ${base} as l from (select h, l, ${borrow} as b from (${carried})))`;
};

const print = (high: RawBuilder<unknown>, low: RawBuilder<unknown>): RawBuilder<unknown> => {
  const long = sql`h || substr('000000000' || abs(l), -${sql.lit(DIGITS)})`;
  return sql`(select case when h = 0 then cast(l as text) else ${long} end from ${normalise(high, low)})`;
};

const inParts = (value: Expression<unknown>): SumExpression => ({
  parts: [sql`sum(${value} / ${sql.lit(BASE)})`, sql`sum(${value} % ${sql.lit(BASE)})`],
  print: ([high = sql`null`, low = sql`null`]) => print(high, low),
  order: ([high = sql`null`, low = sql`null`]) => sql`(${high} * ${sql.lit(BASE)}.0 + ${low})`,
});

/** The sum of a column of numbers. */
export function sqliteSum(kind: ColumnKind, value: Expression<unknown>): SumExpression {
  if (kind === 'bigint') return inParts(value);
  const only = ([part = sql`null`]: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => part;
  return { parts: [sql`sum(${value})`], print: (parts) => finite(only(parts)), order: only };
}

/** The average of a column of numbers. */
export function sqliteAverage(value: Expression<unknown>): RawBuilder<unknown> {
  return finite(sql`avg(${value})`);
}
