import type { AttributeDefinition, SchemaProblem } from '../content-types/definition.js';

/** Where a problem is: a definition, and within it an attribute and its option, or a line. */
export interface ProblemPlace {
  readonly holder: { readonly file: string | null };
  readonly attribute?: AttributeDefinition;
  readonly option?: string;
  readonly line?: number | undefined;
}

export interface ModelFinding {
  readonly severity?: SchemaProblem['severity'];
  readonly code: string;
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** Collects what is wrong between the files. */
export interface ModelProblems {
  readonly add: (place: ProblemPlace, finding: ModelFinding) => void;
  readonly all: () => readonly SchemaProblem[];
}

const lineOf = ({ attribute, option, line }: ProblemPlace): number => {
  if (attribute === undefined) return line ?? 1;
  return (option === undefined ? undefined : attribute.optionLines[option]) ?? attribute.line;
};

export function createModelProblems(): ModelProblems {
  const problems: SchemaProblem[] = [];
  return {
    add: (place, { severity = 'error', code, message, allowed = [] }) => {
      const { holder, attribute } = place;
      problems.push({ severity, code, file: holder.file ?? 'built-in types', line: lineOf(place), attribute: attribute?.name ?? null, message, allowed });
    },
    all: () => problems,
  };
}
