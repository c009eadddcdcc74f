import { createError } from '../../errors/catalogue.js';
import type { GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { defined } from '../../lib/assert.js';

/** Maximum number of issues in one response. */
const ISSUE_LIMIT = 100;

/** Maximum number of quoted characters of a client's key. */
const MAX_KEY_LENGTH = 60;

export type Path = readonly string[];

/** A message about the value at a path. */
export interface Issue {
  readonly path: Path;
  readonly message: string;
  /** The value that clients see, if any. */
  readonly value?: unknown;
}

/** Collects the invalid values of one write. */
export interface IssueList {
  /** Adds an issue. Clients see `value`. */
  readonly add: (path: Path, message: string, value?: unknown) => void;
  /** Returns the first issues, up to the limit of the list. */
  readonly list: () => readonly ValidationIssue[];
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

const shortKey = (key: string): string =>
  key.length > MAX_KEY_LENGTH ? `${key.slice(0, MAX_KEY_LENGTH)}…` : key;

const keyError = (key: string, path: Path, reason: string): GalleyError =>
  createError(
    'request/invalid-key',
    { key: shortKey(key), reason },
    { details: { key: shortKey(key), path: path.length === 0 ? null : printPath(path), source: 'body' } },
  );

/** Creates the error for an unexpected key of the body. The path contains only attributes. */
export function invalidKey(key: string, path: Path = []): GalleyError {
  return keyError(key, path, '.');
}

/**
 * Creates the error for a key of the body that the request does not support. `reason` explains this and names
 * the alternative.
 */
export function unsupportedKey(key: string, reason: string): GalleyError {
  return keyError(key, [], `: ${reason}`);
}

/** Creates an empty list. It counts issues beyond the limit, which by default is that of one response. */
export function createIssueList(limit = ISSUE_LIMIT): IssueList {
  const issues: ValidationIssue[] = [];
  let count = 0;
  const add: IssueList['add'] = (path, message, value) => {
    count += 1;
    if (issues.length < limit)
      issues.push({ path, message, name: 'ValidationError', ...(value === undefined ? {} : { value }) });
  };
  return {
    add,
    list: () => issues,
    throwIfAny: () => {
      if (count > 0) throw invalidValues(issues, count);
    },
  };
}

/** Throws `request/invalid-values` if there are any issues. */
export function throwIssues(issues: readonly Issue[]): void {
  const list = createIssueList();
  for (const { path, message, value } of issues) list.add(path, message, value);
  list.throwIfAny();
}
