import type { Result } from './caller-client.js';
import type { Kind } from './configuration.js';
import type { Outcome } from './oracle.js';

/** One request to an endpoint of a plugin. */
export interface Operation {
  readonly what: string;
  readonly kind: Kind;
  readonly action: string;
  readonly send: () => Promise<Result>;
  /** The outcome for callers with the permission; default: `ok`. */
  readonly expected?: Outcome;
}

let lastNumber = 0;

/** Returns a number that no name in the fixture holds yet. */
export const nextNumber = (): number => {
  lastNumber += 1;
  return lastNumber;
};
