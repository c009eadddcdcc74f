import { resolveSpecifier } from './rules.js';
import type { Scan } from './scan.js';

/** Returns each import cycle once. A cycle starts and ends with its alphabetically first file. */
export function findCycles(scans: ReadonlyMap<string, Scan>): readonly (readonly string[])[] {
  const cycles = new Map<string, readonly string[]>();
  const done = new Set<string>();
  const targetsOf = (file: string): readonly string[] =>
    (scans.get(file)?.references ?? [])
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => resolveSpecifier(file, specifier))
      .filter((target) => scans.has(target));

  const visit = (file: string, path: readonly string[]): void => {
    const start = path.indexOf(file);
    if (start !== -1) {
      const cycle = path.slice(start);
      const first = cycle.indexOf(cycle.toSorted()[0] ?? '');
      const rotated = [...cycle.slice(first), ...cycle.slice(0, first)];
      cycles.set(rotated.join(), [...rotated, rotated[0] ?? '']);
      return;
    }
    if (done.has(file)) return;
    for (const target of targetsOf(file)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of [...scans.keys()].toSorted()) visit(file, []);
  return [...cycles.values()];
}
