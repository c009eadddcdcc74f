import type { ValidationIssue } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/is-record.js';
import { invalidKey, invalidValues } from '../../documents/validation/issues.js';

type BodyFields<Name extends string> = Readonly<Record<Name, string>>;

/** Far longer than any name, address, password or code. */
const MAX_FIELD_LENGTH = 2000;

const fieldIssue = (name: string, value: unknown): ValidationIssue | null => {
  const isMissing = value === undefined || value === null || value === '';
  if (isMissing) return { path: [name], message: 'must be set', name: 'ValidationError' };
  if (typeof value !== 'string') return { path: [name], message: 'must be text', name: 'ValidationError' };
  return value.length > MAX_FIELD_LENGTH
    ? { path: [name], message: `must be at most ${MAX_FIELD_LENGTH} characters`, name: 'ValidationError' }
    : null;
};

/**
 * Returns the text fields a body must have. Other fields are ignored.
 *
 * @throws `request/invalid-values` with every field that is missing or not text
 */
export function parseBodyFields<Name extends string>(
  body: unknown,
  names: readonly Name[],
): BodyFields<Name> {
  const fields: Readonly<Record<string, unknown>> = isRecord(body) ? body : {};
  const issues = names.flatMap(
    (name) => fieldIssue(name, Object.hasOwn(fields, name) ? fields[name] : undefined) ?? [],
  );
  if (issues.length > 0) throw invalidValues(issues);
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as BodyFields<Name>;
}

/** Returns a body as it is. Throws `request/invalid-key` if it has a field that is not allowed. */
export function parseAllowedFields(
  body: unknown,
  allowedNames: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isRecord(body)) return {};
  const unknownName = Object.keys(body).find((key) => !allowedNames.includes(key));
  if (unknownName !== undefined) throw invalidKey(unknownName);
  return body;
}
