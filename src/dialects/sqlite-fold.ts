/** The function of that name folds case on read connections. */
export const SQLITE_FOLD = 'galley_fold';

/** Lower case without regard to where in a word a letter stands, so that a part of a text folds as it does in the whole. */
export function foldCase(text: unknown): string | null {
  return typeof text === 'string' ? text.toLowerCase().replaceAll('ς', 'σ') : null;
}
