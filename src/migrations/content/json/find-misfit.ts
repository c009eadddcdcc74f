import { isRecord } from '../../../lib/is-record.js';
import type { Attribute } from '../../../model/model.js';
import { COMPONENT_KEY, shapeOf } from './value-change.js';
import type { ItemsAttribute } from './value-change.js';

export function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

/** Whether there is nothing to lose. */
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

const limitMisfit = ({ min, max, required }: ItemsAttribute, count: number): string | null => {
  if (max !== null && count > max) return `must have at most ${max} items`;
  return min !== null && count < min && (required || count > 0) ? `must have at least ${min} items` : null;
};

/**
 * Returns why an attribute does not accept a stored value, as publishing its document would tell, or null.
 * What is inside of components is not looked at.
 */
export function findMisfit(attribute: Attribute, value: unknown): string | null {
  switch (attribute.family) {
    case 'scalar': {
      if (!isPresent(value)) return attribute.required ? MUST_BE_SET : null;
      if (attribute.field.hash !== undefined) return null;
      const parsed = attribute.field.parse(value, attribute.constraints, 'full');
      return parsed.ok ? null : (parsed.issues[0]?.message ?? 'not accepted');
    }
    case 'relation':
    case 'media':
      return attribute.required && !attribute.many && !isPresent(value) ? MUST_BE_SET : null;
    case 'component':
    case 'dynamiczone':
      if (!isPresent(value)) return attribute.required ? MUST_BE_SET : null;
      return shapeOf(attribute).isList ? limitMisfit(attribute, itemsOf(value).length) : null;
  }
}

/** What a report may show of a value: nothing of passwords. */
export function sampleOf(attribute: Attribute, value: unknown): unknown {
  return (attribute.family === 'scalar' && attribute.field.hash !== undefined) || !isPresent(value)
    ? undefined
    : value;
}
