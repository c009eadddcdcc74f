import type { FieldFault, Parsed, ScalarConstraints, Strictness } from './field-type.js';
import { accept, acceptUnless, fault, refuse } from './parsed.js';

const DECIMAL_TEXT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** No number the API can store needs more characters than the longest exact double has. */
const TEXT_LIMIT = 1100;

/** The client rounds the last digits of huge numbers on their way to the database, and must not round them over the edge of a double. */
const LARGEST = 1e308;

/** A finite number, or its text in decimal notation. */
export function parseFiniteNumber(input: unknown): Parsed<number> {
  const value = typeof input === 'string' && input.length <= TEXT_LIMIT && DECIMAL_TEXT.test(input) ? Number(input) : input;
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuse('must be a number');
  // Negative zero has no JSON form.
  return accept(value + 0);
}

/** What `min` and `max` say about a value; a draft may be below the minimum. */
export function rangeFaults<T extends number | bigint>(value: T, constraints: ScalarConstraints, strictness: Strictness): readonly FieldFault[] {
  const { min, max } = constraints;
  const faults: FieldFault[] = [];
  if (max !== undefined && typeof max !== 'string' && value > max) faults.push(fault(`must be at most ${max}`));
  if (strictness === 'full' && min !== undefined && typeof min !== 'string' && value < min) faults.push(fault(`must be at least ${min}`));
  return faults;
}

export function parseDouble(input: unknown, constraints: ScalarConstraints, strictness: Strictness): Parsed<number> {
  const number = parseFiniteNumber(input);
  if (number.ok && Math.abs(number.value) > LARGEST) return refuse('must be between -1e308 and 1e308');
  return number.ok ? acceptUnless(rangeFaults(number.value, constraints, strictness), number.value) : number;
}

export function checkRange({ min, max }: ScalarConstraints): readonly string[] {
  return min !== undefined && max !== undefined && min > max ? [`min ${min} is above max ${max}`] : [];
}

/** What always holds for a stored number: drafts skip `min`. */
export function numberJsonSchema(type: 'integer' | 'number', { max }: ScalarConstraints): Readonly<Record<string, unknown>> {
  return { type, ...(typeof max === 'number' ? { maximum: max } : {}) };
}
