import { isDeepStrictEqual } from 'node:util';
import type { CallerProfile } from './configuration.js';
import type { MatrixFixture } from './matrix-fixture.js';
import type { CallerClient } from './caller-client.js';

/** An outcome that differs from the expected one. */
export interface Mismatch {
  readonly what: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** One caller with the fixture it is tested on. */
export interface Scenario {
  readonly fixture: MatrixFixture;
  readonly caller: CallerProfile;
  readonly client: CallerClient;
  readonly compare: (what: string, got: unknown, expected: unknown) => void;
}

/** Collects all differences, so that one run reports every one. */
export function createComparison(): {
  readonly mismatches: readonly Mismatch[];
  readonly compare: Scenario['compare'];
} {
  const mismatches: Mismatch[] = [];
  return {
    mismatches,
    compare: (what, got, expected) => {
      const plain: unknown = got === undefined ? undefined : JSON.parse(JSON.stringify(got));
      if (!isDeepStrictEqual(plain, expected)) mismatches.push({ what, expected, got: plain });
    },
  };
}
