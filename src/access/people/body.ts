import { fail } from '../../errors/catalogue.js';
import type { ValueFault } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/is-record.js';
import { invalidValues } from '../../validation/faults.js';

type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** Far beyond any name, address, password or code. */
const MAX_LENGTH = 2000;

const faultOf = (name: string, value: unknown): ValueFault | null => {
  const isMissing = value === undefined || value === null || value === '';
  if (isMissing) return { path: [name], message: 'must be set', name: 'ValidationError' };
  if (typeof value !== 'string') return { path: [name], message: 'must be text', name: 'ValidationError' };
  return value.length > MAX_LENGTH ? { path: [name], message: `must be at most ${MAX_LENGTH} characters`, name: 'ValidationError' } : null;
};

/**
 * The texts a body must hold. What else it holds does not matter.
 *
 * @throws `request/invalid-values` with all that is missing or no text
 */
export function readTexts<Name extends string>(body: unknown, names: readonly Name[]): Texts<Name> {
  const given: Readonly<Record<string, unknown>> = isRecord(body) ? body : {};
  const faults = names.flatMap((name) => faultOf(name, Object.hasOwn(given, name) ? given[name] : undefined) ?? []);
  if (faults.length > 0) throw invalidValues(faults);
  return Object.fromEntries(names.map((name) => [name, given[name]])) as Texts<Name>;
}

/** The body, whose keys are all among these. Throws `request/invalid-key`. */
export function readKnown(body: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) return {};
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) throw fail('request/invalid-key', { key: unknown.slice(0, 60) });
  return body;
}
