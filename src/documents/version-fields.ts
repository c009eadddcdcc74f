import { isDeepStrictEqual } from 'node:util';
import type { StoredScalar } from '../lib/stored-value.js';
import type { Attribute, Column, ContentType } from '../model/model.js';
import type { ParsedInput, StoredValues } from './validation/input.js';
import type { FieldValues } from './rows/table-statements.js';
import type { VersionRow } from './rows/version-statements.js';

/** A column of a version row that holds content. */
export interface ContentField extends Column {
  /** True if the value is the same in all locales of a document. */
  readonly shared: boolean;
}

const fieldsOf = (type: ContentType, attribute: Attribute): readonly ContentField[] => {
  const shared = type.localized && !attribute.localized;
  if ('column' in attribute) return [{ ...attribute.column, shared }];
  const { link } = attribute;
  if (link?.kind !== 'column' || attribute.side !== 'owner') return [];
  const target: ContentField = { name: link.column, field: link.field, kind: 'text', shared };
  if (link.position === null) return [target];
  return [target, { name: link.position.column, field: link.position.field, kind: 'double', shared }];
};

/** Returns the columns of a version row that are copied when it is published. */
export function contentFields(type: ContentType): readonly ContentField[] {
  return Object.values(type.attributes).flatMap((attribute) => fieldsOf(type, attribute));
}

export function pickFields(values: FieldValues, fields: readonly ContentField[]): FieldValues {
  const picked: Record<string, unknown> = {};
  for (const { field } of fields) picked[field] = values[field] ?? null;
  return picked;
}

/** Returns the desired values that differ from the stored ones. */
export function changedFields(stored: FieldValues, desired: FieldValues): FieldValues {
  const changed: Record<string, unknown> = {};
  for (const field of Object.keys(desired)) {
    const [before, after] = [stored[field] ?? null, desired[field] ?? null];
    // Most are the same texts, which takes a fraction of the time to see.
    if (before !== after && !isDeepStrictEqual(before, after)) changed[field] = desired[field];
  }
  return changed;
}

/** Returns the scalars and components of a parsed input by field name. */
export function parsedFields(type: ContentType, { scalars, components }: ParsedInput): FieldValues {
  const fields: Record<string, unknown> = {};
  for (const values of [scalars, components])
    for (const [name, value] of values) {
      const attribute = type.attributes[name];
      if (attribute !== undefined && 'column' in attribute) fields[attribute.column.field] = value;
    }
  return fields;
}

/**
 * Returns the stored scalars and components of a version by attribute name.
 *
 * @param which `shared`: only values that are the same in all locales
 */
export function storedValues(
  type: ContentType,
  row: VersionRow | undefined,
  which: 'all' | 'shared',
): StoredValues {
  return {
    get: (name) => {
      const attribute = row === undefined ? undefined : type.attributes[name];
      if (attribute === undefined || !('column' in attribute)) return undefined;
      if (which === 'shared' && attribute.localized) return undefined;
      return (row?.values[attribute.column.field] ?? null) as StoredScalar;
    },
  };
}
