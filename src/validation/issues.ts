import { createError } from '../errors/catalogue.js';
import type { GalleyError, ValidationIssue } from '../errors/galley-error.js';
import { defined } from '../lib/defined.js';

/** The most issues that one response lists. */
const ISSUE_LIMIT = 100;

export type Path = readonly string[];

/** A message about the value at a path. */
export interface Issue {
  readonly path: Path;
  readonly message: string;
}

/** Collects what is wrong with the values of one write. */
export interface IssueList {
  readonly add: (path: Path, message: string) => void;
  /** @throws `request/invalid-values` if there are any issues */
  readonly throwIfAny: () => void;
}

const printPath = (path: Path): string => path.join('.');

/** Creates the error that lists the issues. Its message contains the first one. */
export function invalidValues(
  issues: readonly ValidationIssue[],
  count: number = issues.length,
): GalleyError {
  const first = defined(issues[0], 'The first issue of an error');
  const firstIssue = `${printPath(first.path)} ${first.message}`;
  const summary = count > 1 ? `${firstIssue} (and ${count - 1} more)` : firstIssue;
  return createError('request/invalid-values', { summary }, { details: { errors: issues } });
}

/** Creates the error for a single issue. */
export function invalidValue(path: Path, message: string): GalleyError {
  return invalidValues([{ path, message, name: 'ValidationError' }]);
}

/** Starts a list, with the issues that were found before. */
export function createIssueList(earlierIssues: readonly Issue[] = []): IssueList {
  const issues: ValidationIssue[] = [];
  let count = 0;
  const add: IssueList['add'] = (path, message) => {
    count += 1;
    if (issues.length < ISSUE_LIMIT) issues.push({ path, message, name: 'ValidationError' });
  };
  for (const { path, message } of earlierIssues) add(path, message);
  return {
    add,
    throwIfAny: () => {
      if (count > 0) throw invalidValues(issues, count);
    },
  };
}
