import type { JsonPath } from '../../lib/located-json.js';
import type { SchemaProblem } from './definition.js';

/** A problem without its file and line. */
interface Finding {
  readonly severity?: SchemaProblem['severity'];
  readonly code: string;
  readonly message: string;
  /** The path of keys to the problem, which determines its line. */
  readonly path?: JsonPath;
  readonly attribute?: string;
  readonly allowed?: readonly string[];
}

/** Collects the problems of one file. */
export interface FileProblems {
  readonly add: (finding: Finding) => void;
  readonly all: () => readonly SchemaProblem[];
}

export function createFileProblems(file: string, lineOf: (path: JsonPath) => number): FileProblems {
  const problems: SchemaProblem[] = [];
  return {
    add: ({ severity = 'error', code, message, path = [], attribute, allowed = [] }) => {
      problems.push({
        severity,
        code,
        file,
        line: lineOf(path),
        attribute: attribute ?? null,
        message,
        allowed,
      });
    },
    all: () => problems,
  };
}
