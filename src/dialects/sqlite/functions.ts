import type { Database as SqliteDatabase } from 'better-sqlite3';
import { createError } from '../../errors/catalogue.js';
import { foldCase, SQLITE_FOLD } from './fold.js';

/**
 * The SQL functions through which a statement spends its budget, and ends beyond it. Only the second one is
 * told the branch, since passing texts takes as long as the rest of a call.
 */
export const SQLITE_SPEND = 'galley_spend';
export const SQLITE_REFUSE = 'galley_refuse';

/** The SQL function that a statement calls every so many rows, so that it can be ended. */
export const SQLITE_TICK = 'galley_tick';

/**
 * The SQL functions through which a statement remembers what it found in the schema, while that stays the
 * same.
 */
export const SQLITE_SEEN = 'galley_seen';
export const SQLITE_NOTE = 'galley_note';

/** What spends or folds is called for each row: most calls do not look at a clock. */
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

/** Called from within a running statement. Where it throws, the statement ends with that error. */
export type AssertRunning = () => void;

/**
 * Every change of a schema gives it another version, which a statement reads in its own state of the
 * database.
 */
const addSchemaMemory = (database: SqliteDatabase): void => {
  const versions = new Map<string, number>();
  database.function(SQLITE_SEEN, { directOnly: true }, (subject: string, version: number) =>
    versions.get(subject) === version ? 1 : 0,
  );
  database.function(SQLITE_NOTE, { directOnly: true }, (subject: string, version: number, holds: number) => {
    if (holds === 1) versions.set(subject, version);
    return holds;
  });
};

/** Adds the functions that compiled statements call, which neither count nor end anything. */
export function addUnlimitedFunctions(database: SqliteDatabase): void {
  database.function(SQLITE_FOLD, { deterministic: true }, foldCase);
  database.function(SQLITE_TICK, { directOnly: true }, () => 1);
  database.function(SQLITE_SPEND, { directOnly: true, varargs: true }, () => 1);
  database.function(SQLITE_REFUSE, { directOnly: true, varargs: true }, () => null);
  addSchemaMemory(database);
}

/** What the running statement has spent. */
export interface Spending {
  /** To be called before each statement of a read. */
  readonly reset: () => void;
  readonly total: () => number;
}

/** Adds the functions that compiled statements call. */
export function addFunctions(database: SqliteDatabase, assertRunning: AssertRunning): Spending {
  let spent = 0;
  let calls = 0;
  const countCall = (): void => {
    calls += 1;
    if (calls % CALLS_PER_TICK === 0) assertRunning();
  };
  database.function(SQLITE_FOLD, { deterministic: true }, (value: unknown) => {
    countCall();
    return foldCase(value);
  });
  database.function(SQLITE_TICK, { directOnly: true }, () => {
    assertRunning();
    return 1;
  });
  database.function(SQLITE_SPEND, { directOnly: true }, (cost: number, limit: number) => {
    countCall();
    spent += cost;
    return spent > limit ? 0 : 1;
  });
  database.function(SQLITE_REFUSE, { directOnly: true }, (limit: number, branch: string) => {
    throw new OverBudget(limit, branch);
  });
  addSchemaMemory(database);
  return {
    reset: () => {
      spent = 0;
    },
    total: () => spent,
  };
}
