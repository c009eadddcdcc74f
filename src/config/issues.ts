import { createError } from '../errors/catalogue.js';
import type { GalleyError, ValidationIssue } from '../errors/galley-error.js';
import { printValue } from './checks.js';
import type { Check } from './checks.js';

/** The problems of a configuration. All of them are reported together. */
export type Issues = ValidationIssue[];

export function addIssue(issues: Issues, path: readonly string[], message: string): void {
  issues.push({ path, message, name: 'ValidationError' });
}

/** Returns the checked value, or undefined. Adds an issue for a value that is not allowed. */
export function readChecked<T>(
  check: Check<T>,
  value: unknown,
  path: readonly string[],
  issues: Issues,
): T | undefined {
  if (value === undefined) return undefined;
  const parsed = check.read(value);
  if (parsed === undefined) addIssue(issues, path, `is ${printValue(value)} but must be ${check.allowed}`);
  return parsed;
}

export function configError(issues: Issues, file: string | null): GalleyError {
  const summary = issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ');
  return createError(
    'config/invalid',
    { file: file ?? 'The configuration', summary },
    { details: { errors: issues } },
  );
}
