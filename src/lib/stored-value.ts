/** How a scalar is kept in the database; each dialect says which native type that is and how it is printed as JSON. */
export type ColumnKind = 'text' | 'integer' | 'bigint' | 'double' | 'boolean' | 'datetime' | 'json';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** JavaScript values a stored scalar can take on its way to the database. Dates are UTC; bigint only for `biginteger`; json is any JSON value. */
export type StoredScalar = string | number | bigint | boolean | Date | null | JsonValue;
