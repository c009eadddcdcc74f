import { fail } from '../errors/catalogue.js';
import type { GalleyError, ValueFault } from '../errors/galley-error.js';
import { printValue } from './checks.js';
import type { Check } from './checks.js';

/** Collects what is wrong in a configuration, so that all of it is told at once. */
export type Faults = ValueFault[];

export function addFault(faults: Faults, path: readonly string[], message: string): void {
  faults.push({ path, message, name: 'ValidationError' });
}

/** Undefined where the value is left out or refused; a refusal is noted. */
export function readChecked<T>(check: Check<T>, value: unknown, path: readonly string[], faults: Faults): T | undefined {
  if (value === undefined) return undefined;
  const parsed = check.read(value);
  if (parsed === undefined) addFault(faults, path, `is ${printValue(value)} but must be ${check.allowed}`);
  return parsed;
}

export function configError(faults: Faults, file: string | null): GalleyError {
  const summary = faults.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
  return fail('config/invalid', { file: file ?? 'The configuration', summary }, { details: { errors: faults } });
}
