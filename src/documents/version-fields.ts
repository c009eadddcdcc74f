import { isDeepStrictEqual } from 'node:util';
import type { StoredScalar } from '../lib/stored-value.js';
import type { Attribute, Column, ContentType } from '../model/model.js';
import type { ParsedInput, StoredValues } from '../validation/input.js';
import type { FieldValues } from './rows/table-statements.js';
import type { VersionRow } from './rows/version-statements.js';

/** A column of a version row that holds content. */
export interface ContentField extends Column {
  /** Whether the value is the same in all locales of a document. */
  readonly shared: boolean;
}

const fieldsOf = (type: ContentType, attribute: Attribute): readonly ContentField[] => {
  const shared = type.localized && !attribute.localized;
  if ('column' in attribute) return [{ ...attribute.column, shared }];
  const { link } = attribute;
  if (link?.kind !== 'column' || attribute.side !== 'owner') return [];
  const target: ContentField = { name: link.column, field: link.field, kind: 'text', shared };
  if (link.position === null) return [target];
  return [target, { name: link.position.column, field: link.position.field, kind: 'integer', shared }];
};

/** Returns the columns of a version row that are copied when it is published. */
export function contentFields(type: ContentType): readonly ContentField[] {
  return Object.values(type.attributes).flatMap((attribute) => fieldsOf(type, attribute));
}

export function pickFields(values: FieldValues, fields: readonly ContentField[]): FieldValues {
  return Object.fromEntries(fields.map(({ field }) => [field, values[field] ?? null]));
}

/** Returns the desired values that differ from the stored ones. */
export function changedFields(stored: FieldValues, desired: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(desired).filter(
      ([field, value]) => !isDeepStrictEqual(stored[field] ?? null, value ?? null),
    ),
  );
}

/** Returns the scalars and components of a parsed input by field name. */
export function parsedFields(type: ContentType, { scalars, components }: ParsedInput): FieldValues {
  const entries = [...scalars, ...components].flatMap(([name, value]) => {
    const attribute = type.attributes[name];
    return attribute !== undefined && 'column' in attribute ? [[attribute.column.field, value] as const] : [];
  });
  return Object.fromEntries(entries);
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
  const values = new Map<string, StoredScalar>();
  if (row === undefined) return values;
  for (const attribute of Object.values(type.attributes)) {
    if (!('column' in attribute) || (which === 'shared' && attribute.localized)) continue;
    values.set(attribute.name, (row.values[attribute.column.field] ?? null) as StoredScalar);
  }
  return values;
}
