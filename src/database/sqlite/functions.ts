import { createError } from '../../errors/catalogue.js';
import { foldText } from '../../lib/text.js';
import type { SqliteConnection } from './drivers/connection.js';

/** The SQL function that folds case, defined on read connections. */
export const SQLITE_FOLD = 'galley_fold';

/** The implementation of the SQL function. Returns null for values that are not text. */
export function foldCase(value: unknown): string | null {
  return typeof value === 'string' ? foldText(value) : null;
}

/** The SQL function that prints a number as JSON text of JavaScript does, such as `1e+21`. */
export const SQLITE_NUMBER = 'galley_number';

/**
 * The SQL functions through which a statement spends its budget, and ends beyond it. Only the second one
 * receives the branch, because passing a text takes as long as the rest of a call.
 */
export const SQLITE_SPEND = 'galley_spend';
export const SQLITE_REFUSE = 'galley_refuse';

/** The SQL function that a statement calls regularly, so that it can be ended. */
export const SQLITE_TICK = 'galley_tick';

/** Number of calls per check of the clock: functions that spend or fold are called for each row. */
const CALLS_PER_TICK = 8;

/** A statement spent more than its budget. */
export class OverBudget extends Error {
  override readonly name = 'OverBudget';

  constructor(
    readonly limit: number,
    /** The part of the request that was read. */
    readonly branch: string,
  ) {
    super(`${branch} spent more than ${limit}`);
  }
}

/** Returns the error of a statement that ran out of its budget; any other error as it is. */
export function toBudgetError(error: unknown): unknown {
  if (!(error instanceof OverBudget)) return error;
  const { limit, branch } = error;
  return createError('request/too-many-records', { limit, branch });
}

/** Integers are not folded, so any is accepted. */
const FOLDING = { deterministic: true, bigints: true };

/** Called from within a running statement. If it throws, the statement ends with that error. */
export type AssertRunning = () => void;

/** Adds the functions that compiled statements call, which neither count nor end anything. */
export function addUnlimitedFunctions(database: SqliteConnection): void {
  database.define(SQLITE_FOLD, FOLDING, foldCase);
  database.define(SQLITE_NUMBER, { deterministic: true }, String);
  database.define(SQLITE_TICK, { directOnly: true }, () => 1);
  database.define(SQLITE_SPEND, { directOnly: true, varargs: true }, () => 1);
  database.define(SQLITE_REFUSE, { directOnly: true, varargs: true }, () => null);
}

/**
 * Adds the functions that compiled statements call. Returns a function to be called before each statement,
 * which has spent nothing yet.
 */
export function addFunctions(database: SqliteConnection, assertRunning: AssertRunning): () => void {
  let spent = 0;
  let calls = 0;
  const countCall = (): void => {
    calls += 1;
    if (calls % CALLS_PER_TICK === 0) assertRunning();
  };
  database.define(SQLITE_FOLD, FOLDING, (value: unknown) => {
    countCall();
    return foldCase(value);
  });
  database.define(SQLITE_NUMBER, { deterministic: true }, (value: unknown) => {
    countCall();
    return String(value);
  });
  database.define(SQLITE_TICK, { directOnly: true }, () => {
    assertRunning();
    return 1;
  });
  database.define(SQLITE_SPEND, { directOnly: true }, (cost: number, limit: number) => {
    countCall();
    spent += cost;
    return spent > limit ? 0 : 1;
  });
  database.define(SQLITE_REFUSE, { directOnly: true }, (limit: number, branch: string) => {
    throw new OverBudget(limit, branch);
  });
  return () => {
    spent = 0;
  };
}
