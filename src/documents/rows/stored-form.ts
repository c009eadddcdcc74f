import type { ColumnKind, JsonValue } from '../../lib/stored-value.js';

/** Returns a value in the form that statements bind. JSON is bound as text, other values as they are. */
export function bindStored(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return kind === 'json' ? JSON.stringify(value) : value;
}

/**
 * Parses a column's value in the form that drivers return. Times and JSON are text. Big integers can be text,
 * numbers or bigints. Booleans can be numbers.
 */
export function readStored(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'text':
      return value;
    case 'integer':
    case 'double':
      return Number(value);
    case 'bigint':
      return BigInt(value as bigint | number | string);
    case 'boolean':
      return value === true || value === 1;
    case 'datetime':
      return new Date(value as string);
    case 'json':
      return JSON.parse(value as string) as JsonValue;
    default:
      return kind satisfies never;
  }
}
