import { createError } from '../../errors/catalogue.js';
import type { GalleyError, ValidationIssue } from '../../errors/galley-error.js';

/** The most issues that one response lists. */
const ISSUE_LIMIT = 1000;

/** Returns the issues of an item, with paths that begin with its position. */
const issuesOf = (error: GalleyError, index: number): readonly ValidationIssue[] => {
  const { errors } = error.details;
  if (errors === undefined)
    return [{ path: [String(index)], message: error.message, name: 'ValidationError' }];
  return errors.map(({ path, message }) => ({
    path: [String(index), 'data', ...path],
    message,
    name: 'ValidationError',
  }));
};

/** Returns the error of a bulk of which nothing is written. Null: every item could be written. */
export function createBulkError(outcomes: readonly object[]): GalleyError | null {
  const failed = outcomes.flatMap((outcome, index) =>
    'error' in outcome ? [{ error: outcome.error as GalleyError, index }] : [],
  );
  const [first] = failed;
  if (first === undefined) return null;
  const errors = failed.flatMap(({ error, index }) => issuesOf(error, index)).slice(0, ISSUE_LIMIT);
  return createError(
    'request/invalid-bulk',
    { failed: failed.length, total: outcomes.length, index: first.index, reason: first.error.message },
    { details: { errors } },
  );
}
