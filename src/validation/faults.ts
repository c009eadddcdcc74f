import { fail } from '../errors/catalogue.js';
import type { GalleyError, ValueFault } from '../errors/galley-error.js';

/** Most faults that one answer lists. */
const FAULT_LIMIT = 100;

export type Path = readonly string[];

/** The faults of one write, as they are found. */
export interface FaultList {
  readonly add: (path: Path, message: string) => void;
  /** Throws `request/invalid-values` where any fault was found. */
  readonly throwIfAny: () => void;
}

const printPath = (path: Path): string => path.join('.');

/** The refusal that lists those faults; the message names the first. */
export function invalidValues(faults: readonly ValueFault[], count: number = faults.length): GalleyError {
  const [first] = faults;
  const where = first === undefined ? '' : `${printPath(first.path)} ${first.message}`;
  const summary = count > 1 ? `${where} (and ${count - 1} more)` : where;
  return fail('request/invalid-values', { summary }, { details: { errors: faults } });
}

/** One fault, as an error of its own. */
export function invalidValue(path: Path, message: string): GalleyError {
  return invalidValues([{ path, message, name: 'ValidationError' }]);
}

export function createFaultList(): FaultList {
  const faults: ValueFault[] = [];
  let count = 0;
  return {
    add: (path, message) => {
      count += 1;
      if (faults.length < FAULT_LIMIT) faults.push({ path, message, name: 'ValidationError' });
    },
    throwIfAny: () => {
      if (count > 0) throw invalidValues(faults, count);
    },
  };
}
