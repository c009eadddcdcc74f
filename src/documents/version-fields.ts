import { isDeepStrictEqual } from 'node:util';
import type { StoredScalar } from '../lib/stored-value.js';
import type { Attribute, Column, ContentType } from '../model/model.js';
import type { ParsedInput, StoredValues } from '../validation/input.js';
import type { FieldValues } from './rows/table-statements.js';
import type { VersionRow } from './version-row.js';

/** A column of the version row that holds content. */
export interface ContentField extends Column {
  /** The same in all locales of a document. */
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

/** Everything of a version row that is copied when it is published. */
export function contentFields(type: ContentType): readonly ContentField[] {
  return Object.values(type.attributes).flatMap((attribute) => fieldsOf(type, attribute));
}

export function pickFields(values: FieldValues, fields: readonly ContentField[]): FieldValues {
  return Object.fromEntries(fields.map(({ field }) => [field, values[field] ?? null]));
}

/** The fields whose values differ, with the wanted value. */
export function changedFields(stored: FieldValues, wanted: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(stored[field] ?? null, value ?? null)));
}

/** A parsed input's scalars and components, by field. */
export function parsedFields(type: ContentType, { scalars, components }: ParsedInput): FieldValues {
  const entries = [...scalars, ...components].flatMap(([name, value]) => {
    const attribute = type.attributes[name];
    return attribute !== undefined && 'column' in attribute ? [[attribute.column.field, value] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The stored scalars and components of a version, by attribute; only the shared ones where another locale's version is looked at. */
export function storedValues(type: ContentType, row: VersionRow | undefined, which: 'all' | 'shared'): StoredValues {
  const values = new Map<string, StoredScalar>();
  if (row === undefined) return values;
  for (const attribute of Object.values(type.attributes)) {
    if (!('column' in attribute) || (which === 'shared' && attribute.localized)) continue;
    values.set(attribute.name, (row.values[attribute.column.field] ?? null) as StoredScalar);
  }
  return values;
}
