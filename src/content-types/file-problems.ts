import type { JsonPath } from '../lib/located-json.js';
import type { SchemaProblem } from './definition.js';

/** What a check says; the file and the line are filled in. */
export interface Finding {
  readonly severity?: SchemaProblem['severity'];
  readonly code: string;
  readonly message: string;
  /** Keys leading to the fault; its line becomes the problem's. */
  readonly path?: JsonPath;
  readonly attribute?: string;
  readonly allowed?: readonly string[];
}

/** Collects what is wrong in one file. */
export interface FileProblems {
  readonly add: (finding: Finding) => void;
  readonly all: () => readonly SchemaProblem[];
}

export function createFileProblems(file: string, lineOf: (path: JsonPath) => number): FileProblems {
  const problems: SchemaProblem[] = [];
  return {
    add: ({ severity = 'error', code, message, path = [], attribute, allowed = [] }) => {
      problems.push({ severity, code, file, line: lineOf(path), attribute: attribute ?? null, message, allowed });
    },
    all: () => problems,
  };
}
