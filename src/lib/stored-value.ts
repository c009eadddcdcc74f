/** Returns a value as text for comparisons: times as ISO text, the form in components. */
export function textForm(value: StoredScalar): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The storage type of a scalar. Each dialect maps it to a native type and to JSON. */
export type ColumnKind = 'text' | 'integer' | 'bigint' | 'double' | 'boolean' | 'datetime' | 'json';

export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** JavaScript values of a stored scalar. Dates are UTC; bigint is only used for `biginteger`. */
export type StoredScalar = string | number | bigint | boolean | Date | null | JsonValue;

/** The range of a signed 64-bit integer, the largest integer column of both databases. */
export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
