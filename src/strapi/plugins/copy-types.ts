import { isRecord } from '../../lib/is-record.js';

/** Copies plain objects and lists, and keeps functions, which attributes may have as defaults. */
const copy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(copy);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item)]));
};

/**
 * Copies the content-types of a plugin. Extensions change them, and the modules of packages are evaluated
 * once per process.
 */
export function copyTypes(types: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return copy({ ...types }) as Record<string, unknown>;
}
