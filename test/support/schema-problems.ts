import { expect, it } from 'vitest';
import { buildFiles, printProblem, typePath, typeText } from './schema-files.js';
import type { Files } from './schema-files.js';

export const THING = typePath('thing');
export const OTHER = typePath('other');
export const PART = 'src/components/shared/part.json';

/** Schema files with a mistake, and the problems that are reported. */
export interface ProblemCase {
  readonly what: string;
  readonly files: Files;
  /** Printed as by `printProblem`. */
  readonly problems: readonly string[];
  /** Matches the message of the first problem. */
  readonly message: RegExp;
  /** The allowed values that the first problem lists. */
  readonly allowed?: readonly string[];
}

/** The file of the type `thing`, with these attributes. */
export const thing = (...attributes: string[]): Files => ({ [THING]: typeText('thing', attributes) });

/** A printed problem in the file of `thing`. */
export const problemAt = (
  severity: 'error' | 'warning',
  code: string,
  line: number,
  attribute?: string,
): string => `${severity} ${code} ${THING}:${line}${attribute === undefined ? '' : ` ${attribute}`}`;

/** A printed error, by default in the file of `thing`. */
export const errorAt = (code: string, line: number, attribute?: string, file = THING): string =>
  `error ${code} ${file}:${line}${attribute === undefined ? '' : ` ${attribute}`}`;

/** A printed warning, by default in the file of `thing`. */
export const warningAt = (code: string, line: number, attribute?: string, file = THING): string =>
  `warning ${code} ${file}:${line}${attribute === undefined ? '' : ` ${attribute}`}`;

/** Registers a test for each case. There is a model unless an error was reported. */
export function testProblemCases(cases: readonly ProblemCase[]): void {
  it.each(cases.map((one) => [one.what, one] as const))(
    '%s',
    (_what, { files, problems, message, allowed }) => {
      const built = buildFiles(files);
      expect(built.problems.map(printProblem)).toEqual(problems);
      expect(built.problems[0]?.message).toMatch(message);
      expect(built.problems[0]).toMatchObject(allowed === undefined ? {} : { allowed });
      expect(built.model === null).toBe(problems.some((problem) => problem.startsWith('error')));
    },
  );
}
