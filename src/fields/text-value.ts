import type { FieldFault, Parsed, ScalarConstraints, Strictness } from './field-type.js';
import { accept, acceptUnless, fault, refuse } from './parsed.js';

/**
 * Longest text a schema file's own pattern is run on, where `maxLength` does not set a lower limit:
 * keeps a pattern that backtracks polynomially from holding the process for more than an instant.
 */
export const PATTERN_INPUT_LIMIT = 10_000;

/** NUL, which PostgreSQL cannot store, or half a surrogate pair, which has no UTF-8 form. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

export const UNSTORABLE_MESSAGE = 'must not hold the NUL character or half of a surrogate pair';

export function isStorableText(text: string): boolean {
  return !UNSTORABLE.test(text);
}

const lengthFaults = (text: string, constraints: ScalarConstraints, strictness: Strictness): FieldFault[] => {
  const { minLength, maxLength } = constraints;
  const faults: FieldFault[] = [];
  if (maxLength !== undefined && text.length > maxLength) faults.push(fault(`must be at most ${maxLength} characters`));
  if (strictness === 'full' && minLength !== undefined && text.length < minLength) faults.push(fault(`must be at least ${minLength} characters`));
  return faults;
};

const patternFaults = (text: string, constraints: ScalarConstraints): readonly FieldFault[] => {
  const { regex, required } = constraints;
  // An optional attribute may be left empty whatever its pattern.
  if (regex === undefined || (text === '' && !required)) return [];
  if (text.length > PATTERN_INPUT_LIMIT) return [fault(`must be at most ${PATTERN_INPUT_LIMIT} characters to be checked against ${regex.source}`)];
  return regex.test(text) ? [] : [fault(`must match ${regex.source}`)];
};

/** Reads text with its length limits and, unless it is a draft's, its pattern. */
export function parseText(input: unknown, constraints: ScalarConstraints, strictness: Strictness): Parsed<string> {
  if (typeof input !== 'string') return refuse('must be a string');
  if (!isStorableText(input)) return refuse(UNSTORABLE_MESSAGE);
  const faults = lengthFaults(input, constraints, strictness);
  if (strictness === 'full' && faults.length === 0) faults.push(...patternFaults(input, constraints));
  return acceptUnless(faults, input);
}

/** Text to compare with: numbers and booleans are taken in their text form, as a query string has them. */
export function parseTextFilter(input: unknown): Parsed<string> {
  if (typeof input === 'number' || typeof input === 'boolean' || typeof input === 'bigint') return accept(String(input));
  if (typeof input !== 'string') return refuse('must be a string');
  return isStorableText(input) ? accept(input) : refuse(UNSTORABLE_MESSAGE);
}

/** What always holds for stored text: drafts skip `minLength` and patterns. */
export function textJsonSchema(constraints: ScalarConstraints): Readonly<Record<string, unknown>> {
  return { type: 'string', ...(constraints.maxLength === undefined ? {} : { maxLength: constraints.maxLength }) };
}

/** Text that a `minLength` above its `maxLength` leaves no room for. */
export function checkLengths(constraints: ScalarConstraints): readonly string[] {
  const { minLength, maxLength } = constraints;
  return minLength !== undefined && maxLength !== undefined && minLength > maxLength ? [`minLength ${minLength} is above maxLength ${maxLength}`] : [];
}
