import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { FileIssue, GalleyError } from '../../errors/galley-error.js';

/** The most issues in the message of one error. */
const MAX_LISTED = 50;

const isAboutFile = (error: unknown): error is GalleyError =>
  isGalleyError(error) && error.details.fileIssues !== undefined;

const reasonOf = ({ path, message }: FileIssue): string =>
  path.length === 0 ? message : `${path.join('.')} ${message}`;

const locationOf = ({ file, line }: FileIssue): string => `${file}:${line}`;

/**
 * Throws one error for all issues of files.
 *
 * @throws `content/rejected-file`, or `content/rejected-files` if there are several issues
 */
export function rejectIssues(issues: readonly FileIssue[]): never {
  const details = { details: { fileIssues: issues } };
  const [first] = issues;
  if (issues.length === 1 && first !== undefined)
    throw createError(
      'content/rejected-file',
      { location: locationOf(first), reason: reasonOf(first) },
      details,
    );
  const printIssue = (issue: FileIssue): string => `${locationOf(issue)}: ${reasonOf(issue)}`;
  const rest = issues.length > MAX_LISTED ? [`and ${issues.length - MAX_LISTED} more`] : [];
  const list = [...issues.slice(0, MAX_LISTED).map(printIssue), ...rest].map((line) => `\n  ${line}`);
  throw createError('content/rejected-files', { count: issues.length, list: list.join('') }, details);
}

/**
 * Maps files, and throws one error at the end for the issues of all files.
 *
 * @throws `content/rejected-file`, `content/invalid-file`, or `content/rejected-files` if there are several
 */
export function mapFiles<File, Result>(
  files: readonly File[],
  map: (file: File) => Result,
): readonly Result[] {
  const errors: GalleyError[] = [];
  const results: Result[] = [];
  for (const file of files)
    try {
      results.push(map(file));
    } catch (error) {
      if (!isAboutFile(error)) throw error;
      errors.push(error);
    }
  const [first] = errors;
  if (first === undefined) return results;
  if (errors.length === 1) throw first;
  return rejectIssues(errors.flatMap(({ details }) => details.fileIssues ?? []));
}
