import type { FieldIssue } from '../../model/fields/field-type.js';
import { isJsonValue } from '../../model/fields/json.js';
import { createIssue } from '../../model/fields/field-type.js';
import { isTooLong } from '../../model/fields/text-value.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import type { ScalarAttribute } from '../../model/model.js';
import { MUST_BE_SET, isShownInErrors, isStrict, mustBeSet } from './attribute-state.js';
import type { ParseState, SchemaValues } from './attribute-state.js';
import type { Path } from './issues.js';

/** Maximum size of a unique value in bytes. Databases limit the size of index entries. */
const MAX_UNIQUE_BYTES = 2000;

/** True if no two published documents may have the same value, per locale. */
export function isUnique(attribute: ScalarAttribute): boolean {
  return (attribute.constraints.unique || attribute.type === 'uid') && attribute.column.kind !== 'json';
}

/** Types of texts that may be empty. */
const BLANK_TYPES: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'uid']);

/**
 * True if an empty text counts as null, as in Strapi, so that several documents can omit a unique value. A
 * required attribute keeps the empty text.
 */
export function countsAsNull(attribute: ScalarAttribute, value: unknown): boolean {
  return value === '' && isUnique(attribute) && !attribute.required && BLANK_TYPES.has(attribute.type);
}

/** A value to check. Its issues contain it if `isShown`. */
interface CheckedValue {
  readonly value: unknown;
  readonly isShown: boolean;
  readonly path: Path;
}

/** Returns the part of a JSON value at a path, if any. */
const partAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, key)
        ? (part as Readonly<Record<string, unknown>>)[key]
        : undefined,
    value,
  );

/** Returns a value as JSON; undefined if it has no JSON form, which only project code can pass. */
const asJson = (value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Date || isJsonValue(value) ? value : undefined;
};

const addIssues = (
  state: ParseState,
  { value, isShown, path }: CheckedValue,
  issues: readonly FieldIssue[],
): void => {
  for (const issue of issues)
    state.issues.add(
      [...path, ...issue.path],
      issue.message,
      isShown ? asJson(partAt(value, issue.path)) : undefined,
    );
};

const hashedValue = (state: ParseState, attribute: ScalarAttribute, value: StoredScalar): StoredScalar => {
  if (attribute.field.hash === undefined || typeof value !== 'string') return value;
  const hashed = state.hashed.get(attribute.type)?.get(value);
  if (hashed === undefined) throw new TypeError(`${attribute.name} was not hashed`);
  return hashed;
};

const parseSent = (
  state: ParseState,
  attribute: ScalarAttribute,
  checked: CheckedValue,
  stored: unknown,
): StoredScalar => {
  const { value: input } = checked;
  // A hashed value cannot be checked when the draft is published. So it is checked completely now.
  const strictness = attribute.field.hash === undefined ? state.context.strictness : 'full';
  const parsed = attribute.field.parse(input, attribute.constraints, strictness);
  if (!parsed.ok) {
    addIssues(state, checked, parsed.issues);
    return null;
  }
  if (isTooLong(attribute.field, parsed.value) && parsed.value !== stored)
    addIssues(state, checked, [createIssue(`must be at most ${attribute.field.maxCharacters} characters`)]);
  else if (
    typeof parsed.value === 'string' &&
    isUnique(attribute) &&
    Buffer.byteLength(parsed.value) > MAX_UNIQUE_BYTES
  ) {
    addIssues(state, checked, [createIssue(`must be at most ${MAX_UNIQUE_BYTES} bytes, as it is unique`)]);
  }
  return hashedValue(state, attribute, parsed.value);
};

const checkStored = (state: ParseState, attribute: ScalarAttribute, stored: CheckedValue): void => {
  if (stored.value === null) {
    if (mustBeSet(state, attribute)) addIssues(state, stored, [createIssue(MUST_BE_SET)]);
    return;
  }
  if (attribute.field.hash !== undefined) return;
  const parsed = attribute.field.parse(stored.value, attribute.constraints, 'full');
  if (!parsed.ok) addIssues(state, stored, parsed.issues);
};

const initialValue = (attribute: ScalarAttribute): StoredScalar =>
  attribute.field.hash === undefined ? (attribute.default ?? null) : null;

/** Returns the value to store; undefined if the stored value stays. Adds issues to the state. */
export function parseScalar(
  state: ParseState,
  attribute: ScalarAttribute,
  values: SchemaValues,
): StoredScalar | undefined {
  const sentValue = values.sent(attribute.name);
  const sent = countsAsNull(attribute, sentValue) ? null : sentValue;
  const stored = values.stored(attribute.name);
  const checked = (value: unknown): CheckedValue => ({
    value,
    isShown: isShownInErrors(attribute, values),
    path: [...values.path, attribute.name],
  });
  if (sent !== undefined && sent !== null) return parseSent(state, attribute, checked(sent), stored);
  if (sent === undefined && stored !== undefined) {
    if (isStrict(state)) checkStored(state, attribute, checked(stored));
    return undefined;
  }
  const value = sent === null ? null : initialValue(attribute);
  if (value === null && mustBeSet(state, attribute))
    addIssues(state, checked(sent), [createIssue(MUST_BE_SET)]);
  return value;
}

/** Returns the form of a scalar in a component's JSON. Times and big integers are text. */
export function toJson(value: StoredScalar): JsonValue {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? String(value) : value;
}
