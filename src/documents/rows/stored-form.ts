import type { ColumnKind, JsonValue } from '../../lib/stored-value.js';

/** A value as a raw statement binds it; only JSON has another form there, its text. */
export function bindStored(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return kind === 'json' ? JSON.stringify(value) : value;
}

/** A column's value from the form in which a raw statement answers it, whichever the driver: times and JSON are text, big integers maybe, too. */
export function readStored(kind: ColumnKind, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'text': return value;
    case 'integer': case 'double': return Number(value);
    case 'bigint': return BigInt(value as bigint | number | string);
    case 'boolean': return value === true || value === 1;
    case 'datetime': return new Date(value as string);
    case 'json': return JSON.parse(value as string) as JsonValue;
    default: return kind satisfies never;
  }
}
