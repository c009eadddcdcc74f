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
