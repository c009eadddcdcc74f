import type { AttributeDefinition, SchemaProblem } from './content-types/definition.js';

/** The location of a problem: a definition, and there an attribute, an option or a line. */
export interface ProblemLocation {
  readonly schema: { readonly file: string | null };
  readonly attribute?: AttributeDefinition;
  readonly option?: string;
  readonly line?: number | undefined;
}

interface ModelFinding {
  readonly severity?: SchemaProblem['severity'];
  readonly code: string;
  readonly message: string;
  readonly allowed?: readonly string[];
}

/** Collects problems between schema files. */
export interface ModelProblems {
  readonly add: (location: ProblemLocation, finding: ModelFinding) => void;
  readonly all: () => readonly SchemaProblem[];
}

const lineOf = ({ attribute, option, line }: ProblemLocation): number => {
  if (attribute === undefined) return line ?? 1;
  return (option === undefined ? undefined : attribute.optionLines[option]) ?? attribute.line;
};

export function createModelProblems(): ModelProblems {
  const problems: SchemaProblem[] = [];
  return {
    add: (location, { severity = 'error', code, message, allowed = [] }) => {
      const { schema, attribute } = location;
      problems.push({
        severity,
        code,
        file: attribute?.file ?? schema.file ?? 'built-in types',
        line: lineOf(location),
        attribute: attribute?.name ?? null,
        message,
        allowed,
      });
    },
    all: () => problems,
  };
}
