import type { FieldType } from '../../model/fields/field-type.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';

/** A value in stored form, or the fact that it fits no such column. */
export type Converted = { readonly fits: true; readonly value: StoredScalar } | { readonly fits: false };

const MAX_INTEGER = 2_147_483_647;

const fit = (value: StoredScalar): Converted => ({ fits: true, value });

const printText = (value: JsonValue): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

const convertBoolean = (value: JsonValue): Converted => {
  if (typeof value === 'boolean') return fit(value);
  if (value === 1 || value === 'true' || value === '1') return fit(true);
  return value === 0 || value === 'false' || value === '0' ? fit(false) : { fits: false };
};

const convertNumber = (value: JsonValue, isInteger: boolean): Converted => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return { fits: false };
  const isOutside = isInteger && (!Number.isInteger(number) || Math.abs(number) > MAX_INTEGER);
  return isOutside ? { fits: false } : fit(number);
};

const parsed = (field: FieldType, value: JsonValue): Converted => {
  const result = field.parseFilter(value);
  return result.ok ? fit(result.value) : { fits: false };
};

/** SQLite holds moments as milliseconds, which some versions of Strapi export as text. */
const convertMoment = (field: FieldType, value: JsonValue): Converted => {
  const milliseconds = typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value));
  return parsed(field, milliseconds ? new Date(Number(value)).toISOString() : value);
};

/**
 * Converts a value of an export to the form in which it is stored. Constraints of the schema do not apply,
 * since published content of Strapi may break them, and passwords are hashes already.
 */
export function convertScalar(field: FieldType, value: JsonValue): Converted {
  if (value === null) return fit(null);
  switch (field.column) {
    case 'json':
      return fit(value);
    case 'boolean':
      return convertBoolean(value);
    case 'integer':
    case 'double':
      return convertNumber(value, field.column === 'integer');
    case 'datetime':
      return convertMoment(field, value);
    case 'bigint':
      return parsed(field, value);
    case 'text':
      return field.name === 'date' || field.name === 'time'
        ? parsed(field, typeof value === 'string' && field.name === 'date' ? value.slice(0, 10) : value)
        : fit(printText(value));
    default:
      return field.column satisfies never;
  }
}
