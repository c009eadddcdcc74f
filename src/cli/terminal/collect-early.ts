import { setFlagsFromString } from 'node:v8';

/** How much the heap may grow before it is collected, in percent of what is in use. */
const GROWTH = 40;

/**
 * Has garbage collected earlier than by default. Each batch leaves much of it behind and little in use, and
 * the heap would otherwise grow to four times what is needed. What else that takes has to be said before
 * anything is loaded: bin/run.js does.
 */
export function collectEarly(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
