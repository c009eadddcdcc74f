import { resolveSpecifier } from './rules.js';
import type { Scan } from './scan.js';

/** Rings of files that import one another, each told once, from its alphabetically first file round to it again. */
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
      const ring = path.slice(start);
      const first = ring.indexOf(ring.toSorted()[0] ?? '');
      const turned = [...ring.slice(first), ...ring.slice(0, first)];
      cycles.set(turned.join(), [...turned, turned[0] ?? '']);
      return;
    }
    if (done.has(file)) return;
    for (const target of targetsOf(file)) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of [...scans.keys()].toSorted()) visit(file, []);
  return [...cycles.values()];
}
