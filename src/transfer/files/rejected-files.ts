import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { FileIssue, GalleyError } from '../../errors/galley-error.js';
import { diffIndices } from 'node-diff3';
import type { ContentType } from '../../model/model.js';
import { lineOfValue } from '../store/document-text.js';

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

const FILE_MARKER = '<<<<<<< file';
const MIDDLE_MARKER = '=======';
const DATABASE_MARKER = '>>>>>>> database';

const MARKER_LINE = new RegExp(`^(?:${FILE_MARKER}|${DATABASE_MARKER})$`);

/**
 * Rejects a file with conflict markers.
 *
 * @throws `content/rejected-file`
 */
export function assertNoMarkers(path: string, text: string): void {
  const index = text.split(/\r?\n/).findIndex((line) => MARKER_LINE.test(line));
  if (index === -1) return;
  const message = 'The conflict is unresolved. Keep one side, or combine both, and remove the marker lines.';
  rejectIssues([{ file: path, line: index + 1, path: [], message }]);
}

/** The two sides of a file with conflicts. An empty text means that the side has no file. */
export interface ConflictSides {
  readonly file: string;
  readonly database: string;
}

/** A text with conflict markers. */
export interface MarkedText {
  readonly text: string;
  /** Returns the line of the conflict about a value. */
  readonly lineOf: (path: readonly string[]) => number;
}

/** Returns the text of both sides, with markers around the lines that differ. */
export function markConflicts(type: ContentType, sides: ConflictSides): MarkedText {
  const file = sides.file === '' ? [] : sides.file.replace(/\n$/, '').split('\n');
  const database = sides.database === '' ? [] : sides.database.replace(/\n$/, '').split('\n');
  const lines: string[] = [];
  const hunks: { readonly line: number; readonly fileEnd: number; readonly databaseEnd: number }[] = [];
  let position = 0;
  for (const { buffer1, buffer2, buffer1Content, buffer2Content } of diffIndices(file, database)) {
    lines.push(...file.slice(position, buffer1[0]));
    position = buffer1[0] + buffer1[1];
    hunks.push({ line: lines.length + 1, fileEnd: position, databaseEnd: buffer2[0] + buffer2[1] });
    lines.push(FILE_MARKER, ...buffer1Content, MIDDLE_MARKER, ...buffer2Content, DATABASE_MARKER);
  }
  lines.push(...file.slice(position));
  return {
    text: `${lines.join('\n')}\n`,
    lineOf: (path) => {
      // A side without the value returns the line of an enclosing one, which comes earlier.
      const [own, other] = [lineOfValue(type, sides.file, path), lineOfValue(type, sides.database, path)];
      const hunk = hunks.find(({ fileEnd, databaseEnd }) =>
        own >= other ? fileEnd >= own : databaseEnd >= other,
      );
      return (hunk ?? hunks.at(-1))?.line ?? 1;
    },
  };
}
