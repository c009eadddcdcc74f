import { describeImpact, droppedIn, invalidIn } from '../../migrations/impact/data-impact.js';
import type { DataImpact } from '../../migrations/impact/data-impact.js';
import type { Style } from '../terminal/style.js';

type Impact = readonly DataImpact[];

type Kind = DataImpact['kind'];

const HEADINGS: Readonly<Record<Kind, string>> = {
  moved: 'Moved:',
  converted: 'Converted:',
  invalid: 'This does not fit the new schema:',
  dropped: 'This loses data:',
};

/** From what is safe to what is lost, so that the last lines above a question matter most. */
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

/** Prints an impact as comments below the SQL that it is about, for `--dry-run`. */
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
