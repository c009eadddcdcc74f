import { isDeepStrictEqual } from 'node:util';
import type { CallerFacts } from './configured.js';
import type { Library } from './library.js';
import type { Voice } from './transports.js';

/** What should have happened and did not. */
export interface Finding {
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** One caller before one library. */
export interface Visit {
  readonly library: Library;
  readonly caller: CallerFacts;
  readonly voice: Voice;
  readonly compare: (what: string, got: unknown, expected: unknown) => void;
}

/** Collects what differs, so that one run shows all of it. */
export function createComparison(): { readonly findings: readonly Finding[]; readonly compare: Visit['compare'] } {
  const findings: Finding[] = [];
  return {
    findings,
    compare: (what, got, expected) => {
      const plain: unknown = got === undefined ? undefined : JSON.parse(JSON.stringify(got));
      if (!isDeepStrictEqual(plain, expected)) findings.push({ what, expected, got: plain });
    },
  };
}
