import type { Expression, RawBuilder } from 'kysely';
import { sql } from 'kysely';
import { createError } from '../../errors/catalogue.js';
import { hasErrorCode } from '../../lib/error-code.js';
import type { ReadOptions } from '../dialect/database-driver.js';
import type { ReadBudget } from '../dialect/sql-expressions.js';

/** A setting of the statement's transaction, which counts what it has spent. */
const SETTING = sql.lit('galley.spent');

const MARK = 'galley over budget';
const OVER_BUDGET = new RegExp(`${MARK} (\\d+) (\\S+) `);

/**
 * The value, while the statement's budget lasts. Beyond it, a cast fails, since SQL has no other way to fail.
 * Its text refers to the setting, so that the planner does not cast it beforehand.
 */
export function spending<T>(
  cost: Expression<unknown>,
  { limit, branch }: ReadBudget,
  value: Expression<T>,
): RawBuilder<T> {
  const before = sql`coalesce(nullif(current_setting(${SETTING}, true), ''), '0')`;
  const after = sql`set_config(${SETTING}, (${before}::float8 + ${cost})::text, true)`;
  const failure = sql`(${sql.lit(`${MARK} ${limit} ${branch} `)} || ${before})::boolean`;
  const isWithin = sql`case when ${after}::float8 <= ${sql.lit(limit)} then true else ${failure} end`;
  return sql`case when ${isWithin} then ${value} end`;
}

const CANCELED = '57014';

/** Returns the error of a statement that ran out of its budget or its time; any other error as it is. */
export function toReadError(error: unknown, { timeoutMs }: ReadOptions): unknown {
  if (timeoutMs !== null && hasErrorCode(error, CANCELED))
    return createError('database/read-timeout', { ms: timeoutMs }, { cause: error });
  const [, limit, branch] = OVER_BUDGET.exec(error instanceof Error ? error.message : '') ?? [];
  return limit === undefined || branch === undefined
    ? error
    : createError('request/too-many-records', { limit: Number(limit), branch });
}
