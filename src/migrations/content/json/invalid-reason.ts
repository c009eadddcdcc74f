import { isRecord } from '../../../lib/records.js';
import { holdsLogic } from '../../../lib/json-logic.js';
import { isDeepStrictEqual } from 'node:util';
import type { Strictness } from '../../../model/fields/field-type.js';
import { isTooLong } from '../../../model/fields/text-value.js';
import type { Attribute, ScalarAttribute } from '../../../model/model.js';
import { isRequiredIfShown } from '../../../documents/validation/attribute-state.js';
import { toJson } from '../../../documents/validation/parse-scalar.js';
import { COMPONENT_KEY, shapeOf } from './value-change.js';
import type { ItemsAttribute } from './value-change.js';

export function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** True if there is nothing to lose. */
export function isEmpty(value: unknown): boolean {
  return !isPresent(value) || (Array.isArray(value) && value.length === 0);
}

/** The number of values that an attribute holds: items and targets one by one. */
export function countOf({ family }: Attribute, value: unknown): number {
  return family !== 'scalar' && Array.isArray(value) ? value.length : 1;
}

export type StoredItem = Readonly<Record<string, unknown>>;

/** The items of a stored value, as lists. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? [value] : [];
}

/** The uid of the component that an item of a dynamic zone names. */
export function tagOf(item: unknown): string {
  const tag = isRecord(item) ? item[COMPONENT_KEY] : undefined;
  return typeof tag === 'string' ? tag : '';
}

const MUST_BE_SET = 'must be set';

/**
 * Returns how an attribute is checked in an item: where its condition hides it, or its neighbours are not
 * known, as in a draft.
 */
export function strictnessIn(
  { condition }: Attribute,
  strictness: Strictness,
  item: StoredItem | undefined,
): Strictness {
  if (condition === undefined || strictness === 'draft') return strictness;
  const isShown =
    item !== undefined &&
    holdsLogic(condition.rule, (name) => (Object.hasOwn(item, name) ? item[name] : undefined));
  return isShown ? 'full' : 'draft';
}

const limitReason = (attribute: ItemsAttribute, count: number, strictness: Strictness): string | null => {
  const { min, max } = attribute;
  if (strictness === 'draft') return null;
  if (max !== null && count > max) return `must have at most ${max} items`;
  return min !== null && count < min && (isRequiredIfShown(attribute) || count > 0)
    ? `must have at least ${min} items`
    : null;
};

/**
 * Returns why an attribute does not accept a stored value in a draft, or else in a published version, or
 * null. Values inside components are not checked.
 *
 * @param item the values beside it
 */
export function invalidReason(
  attribute: Attribute,
  value: unknown,
  versionStrictness: Strictness,
  item?: StoredItem,
): string | null {
  const strictness = strictnessIn(attribute, versionStrictness, item);
  if (!isPresent(value)) {
    const isList = (attribute.family === 'relation' || attribute.family === 'media') && attribute.many;
    return isRequiredIfShown(attribute) && !isList && strictness === 'full' ? MUST_BE_SET : null;
  }
  switch (attribute.family) {
    case 'scalar': {
      if (attribute.field.hash !== undefined) return null;
      const parsed = attribute.field.parse(value, attribute.constraints, strictness);
      return parsed.ok ? null : (parsed.issues[0]?.message ?? 'not accepted');
    }
    case 'relation':
    case 'media':
      return null;
    case 'component':
    case 'dynamiczone':
      return shapeOf(attribute).isList ? limitReason(attribute, itemsOf(value).length, strictness) : null;
  }
}

/**
 * Returns why a value that had another type does not stand as values of the attribute do, or null. Reading a
 * request would bring it into their form, but it is stored already.
 */
export function invalidFormReason(
  { type, field, constraints }: ScalarAttribute,
  value: unknown,
  strictness: Strictness,
): string | null {
  if (!isPresent(value) || field.hash !== undefined) return null;
  if (isTooLong(field, value)) return `must be at most ${field.maxCharacters} characters`;
  const parsed = field.parse(value, constraints, strictness);
  return parsed.ok && !isDeepStrictEqual(toJson(parsed.value), value)
    ? `must be in the form of type ${type}`
    : null;
}

/** Returns the value to show in a report, or undefined if it is a password or absent. */
export function sampleOf(attribute: Attribute, value: unknown): unknown {
  return (attribute.family === 'scalar' && attribute.field.hash !== undefined) || !isPresent(value)
    ? undefined
    : value;
}
