import { snakeCase } from '../lib/casing.js';

const FORM = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Would be taken for a field every document has; compared in snake case, so that every spelling is caught. */
const SYSTEM_FIELDS = new Set(['id', 'document_id', 'created_at', 'updated_at', 'published_at', 'locale', 'status', 'localizations', 'meta']);
/** Kept free by the file format, harmless where the attribute sits in a component's JSON. */
const PANEL_FIELDS = new Set(['created_by', 'updated_by', 'created_by_id', 'updated_by_id', 'entry_id']);
/** Taken in every record, also a component's. */
const RECORD_FIELDS = new Set(['id', 'document_id']);
const EXACT = new Set(['__component', '__contentType', '__type', '__proto__']);
const PREFIX = /^_{0,2}strapi/;

export const RESERVED_ATTRIBUTE_NAMES: readonly string[] = [
  ...SYSTEM_FIELDS, ...PANEL_FIELDS, ...EXACT, 'strapi*', '_strapi*', '__strapi*',
];

export function isAttributeName(name: string): boolean {
  return FORM.test(name) && snakeCase(name) !== '';
}

/** Whether a name is kept for the system: `always`, or only `in-types` because a component has no such field. */
export function reservedFor(name: string): 'always' | 'in-types' | null {
  const snake = snakeCase(name);
  if (EXACT.has(name) || PREFIX.test(name) || RECORD_FIELDS.has(snake)) return 'always';
  return SYSTEM_FIELDS.has(snake) || PANEL_FIELDS.has(snake) ? 'in-types' : null;
}
