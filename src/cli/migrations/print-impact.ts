import { describeImpact, droppedIn, invalidIn, rejectedIn } from '../../migrations/impact/data-impact.js';
import type { DataImpact } from '../../migrations/impact/data-impact.js';
import type { PendingImpact } from '../../migrations/impact/pending-impact.js';
import type { Style } from '../terminal/terminal.js';

type Impact = readonly DataImpact[];

type Kind = DataImpact['kind'];

const HEADINGS: Readonly<Record<Kind, string>> = {
  moved: 'Moved:',
  converted: 'Converted:',
  invalid: 'This does not fit the new schema:',
  dropped: 'This loses data:',
};

/** From safe changes to losses, so that the most important lines are right above a question. */
const KINDS: readonly Kind[] = ['moved', 'converted', 'invalid', 'dropped'];

const COMMENTS: Readonly<Record<Kind, string>> = {
  moved: 'moves',
  converted: 'converts',
  invalid: 'would not fit',
  dropped: 'would lose',
};

const printGroup = (impact: Impact, kind: Kind, style: Style): readonly string[] => {
  const changes = impact.filter((change) => change.kind === kind);
  if (changes.length === 0) return [];
  const isSafe = kind === 'moved' || kind === 'converted';
  return [
    isSafe ? style.bold(HEADINGS[kind]) : style.yellow(HEADINGS[kind]),
    ...changes.flatMap((change) => [
      `  ${describeImpact(change)}`,
      ...(change.remedy === null ? [] : [`    ${style.dim(change.remedy)}`]),
    ]),
  ];
};

/** Prints an impact by kind: moved, converted, invalid, dropped. */
export function printImpact(impact: Impact, style: Style): string {
  return KINDS.flatMap((kind) => printGroup(impact, kind, style)).join('\n');
}

/** Prints an impact as comments below its SQL, for `--dry-run`. */
export function printImpactComments(impact: Impact): string {
  return KINDS.flatMap((kind) => impact.filter((change) => change.kind === kind))
    .map((change) => {
      const remedy = change.remedy === null ? '' : `; ${change.remedy}`;
      return `-- ${COMMENTS[change.kind]}: ${describeImpact(change)}${remedy}\n`;
    })
    .join('');
}

/** Returns the flags that accept an impact. */
export function acceptingFlags(impact: Impact): readonly string[] {
  return [
    ...(droppedIn(impact).length > 0 ? ['--accept-data-loss'] : []),
    ...(invalidIn(impact).length > 0 ? ['--accept-invalid'] : []),
  ];
}

/** The obstacles to the pending migrations, as text output and `--json` report them. */
export interface PendingReport {
  /** The pending migration whose changes were counted. Null if none affects stored values. */
  readonly counted: string | null;
  readonly changes: readonly DataImpact[];
  /** Rows that a new constraint rejects. No flag accepts them. */
  readonly violations: readonly string[];
  /** The flags that `cms migrate deploy` needs, unless the migration accepts its changes itself. */
  readonly needs: readonly string[];
  /** The migrations whose changes can only be counted when they are applied. */
  readonly uncounted: readonly string[];
}

/** Returns the report of the impact of pending migrations. */
export function reportPendingImpact({ counted, uncounted }: PendingImpact): PendingReport {
  if (counted === null) return { counted: null, changes: [], violations: [], needs: [], uncounted };
  const { migration, impact } = counted;
  const changes = impact.filter(({ isRejected }) => isRejected === undefined);
  const isAccepted: Readonly<Record<string, boolean>> = {
    '--accept-data-loss': migration.isDataLossAccepted,
    '--accept-invalid': migration.isInvalidAccepted,
  };
  return {
    counted: migration.name,
    changes,
    violations: rejectedIn(impact).map(describeImpact),
    needs: acceptingFlags(changes).filter((flag) => isAccepted[flag] !== true),
    uncounted,
  };
}

/** Prints the flags that the migration needs, or that it needs none. */
const printVerdict = ({ changes, violations, needs }: PendingReport): readonly string[] => {
  if (violations.length > 0) return ['No flag accepts this. Change the rows first, or relax the constraint.'];
  if (needs.length > 0) return [`This needs: cms migrate deploy ${needs.join(' ')}`];
  return acceptingFlags(changes).length > 0 ? ['The migration itself accepts this. No flag is needed.'] : [];
};

const printUncounted = ({ uncounted }: PendingReport): readonly string[] =>
  uncounted.length === 0 ? [] : [`Counted when they are applied: ${uncounted.join(', ')}`];

const VIOLATIONS_HEADING = 'The existing rows do not fit the new schema:';

/** Prints the impact below the states of the migrations. */
export function printPendingImpact(report: PendingReport, style: Style): readonly string[] {
  const { counted, changes, violations } = report;
  return [
    ...(counted === null ? [] : [style.bold(`${counted} on this database`)]),
    ...(changes.length === 0 ? [] : [printImpact(changes, style)]),
    ...(violations.length === 0
      ? []
      : [style.red(VIOLATIONS_HEADING), ...violations.map((violation) => `  ${violation}`)]),
    ...printVerdict(report),
    ...printUncounted(report),
  ];
}

/** Prints the impact as comments below the SQL of the pending migrations. */
export function printPendingComments(report: PendingReport): string {
  const { counted, changes, violations } = report;
  const comments = (lines: readonly string[]): string => lines.map((line) => `-- ${line}\n`).join('');
  return [
    comments(counted === null ? [] : [`${counted} on this database:`]),
    printImpactComments(changes),
    comments(violations.map((violation) => `violates: ${violation}`)),
    comments([...printVerdict(report), ...printUncounted(report)]),
  ].join('');
}
