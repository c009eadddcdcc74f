import type { ColumnKind } from '../../lib/stored-value.js';

/** The kinds of values that text can stand for. */
export type TextForm = 'integer' | 'bigint' | 'double' | 'boolean' | 'date' | 'time' | 'datetime';

/**
 * SQL that converts stored values by way of their text form. That is how the API's JSON prints them: digits,
 * `true`, `2026-02-28`, `2026-02-28T13:45:00.000Z`, and JSON strings without their quotes. No expression
 * fails, whatever the value.
 */
export interface MigrationValues {
  /** The text form of a stored value. */
  readonly textOf: (kind: ColumnKind, value: string) => string;
  /** The usual text form of what a text stands for. Null where the text is no such value. */
  readonly normalize: (form: TextForm, text: string) => string;
  /** The JSON text of a string. */
  readonly jsonString: (text: string) => string;
  /** The text form of what an expression of the user returns, which is to become a value of a kind. */
  readonly resultText: (kind: ColumnKind, expression: string) => string;
  /** The stored value of a usual text form; of JSON text for `json`. */
  readonly storedOf: (kind: ColumnKind, text: string) => string;
  /** Creates a temporary table of new values by old ones, which are text of any length. */
  readonly createLookupTable: (name: string) => string;
}

/**
 * Evaluates an SQL expression once for several uses in another one, as the column `t`. The limit keeps the
 * planner from putting the expression into each place of use.
 */
export function bindText(text: string, use: string): string {
  return `(SELECT ${use} FROM (SELECT ${text} AS "t" LIMIT 1) AS "bound")`;
}

/** The usual form of a boolean in the bound text `t`. */
export const NORMAL_BOOLEAN = [
  `CASE WHEN "t" IN ('true', '1') THEN 'true'`,
  `WHEN "t" IN ('false', '0') THEN 'false' END`,
].join(' ');
