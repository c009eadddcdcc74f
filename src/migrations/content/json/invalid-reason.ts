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

/** Returns the number of values that an attribute holds: each item and each target counts. */
export function countOf({ family }: Attribute, value: unknown): number {
  return family !== 'scalar' && Array.isArray(value) ? value.length : 1;
}

export type StoredItem = Readonly<Record<string, unknown>>;

/** Returns the items of a stored value as a list. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? [value] : [];
}

/** Returns the uid of the component that an item of a dynamic zone names, or an empty string. */
export function tagOf(item: unknown): string {
  const tag = isRecord(item) ? item[COMPONENT_KEY] : undefined;
  return typeof tag === 'string' ? tag : '';
}

const MUST_BE_SET = 'must be set';

/**
 * Returns the strictness with which an attribute of an item is checked. It is that of drafts if its condition
 * hides the attribute or cannot be evaluated.
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
 * Returns the reason why an attribute rejects a stored value of a draft or published version; null if it
 * accepts the value. Values inside components are not checked.
 *
 * @param item the item that holds the value, for conditions
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
 * Returns the reason why a value that had another type is not in the form in which the attribute stores
 * values, or null. Parsing a request would bring it into that form, but the value is already stored.
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
