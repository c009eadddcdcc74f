import type { StoredScalar } from './stored-value.js';

/** A value as text to compare with: times as ISO text, which is how components keep them. */
export function textForm(value: StoredScalar): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
