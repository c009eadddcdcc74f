import { foldText } from '../../lib/fold-text.js';

/** The SQL function that folds case, defined on read connections. */
export const SQLITE_FOLD = 'galley_fold';

/** The implementation of the SQL function. Returns null for values that are no text. */
export function foldCase(value: unknown): string | null {
  return typeof value === 'string' ? foldText(value) : null;
}
