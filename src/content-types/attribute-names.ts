import { snakeCase } from '../lib/casing.js';

const NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** Fields of every document. Compared in snake case, to catch every spelling. */
const SYSTEM_FIELDS = new Set([
  'id',
  'document_id',
  'created_at',
  'updated_at',
  'published_at',
  'locale',
  'status',
  'localizations',
  'meta',
]);
/** Reserved by the file format, but harmless inside components. */
const ADMIN_PANEL_FIELDS = new Set([
  'created_by',
  'updated_by',
  'created_by_id',
  'updated_by_id',
  'entry_id',
]);
/** Fields of every record, including components. */
const RECORD_FIELDS = new Set(['id', 'document_id']);
const RESERVED_NAMES = new Set(['__component', '__contentType', '__type', '__proto__']);
const RESERVED_PREFIX = /^_{0,2}strapi/;

export const RESERVED_ATTRIBUTE_NAMES: readonly string[] = [
  ...SYSTEM_FIELDS,
  ...ADMIN_PANEL_FIELDS,
  ...RESERVED_NAMES,
  'strapi*',
  '_strapi*',
  '__strapi*',
];

/** The form of attribute names as JSON Schema, for editors. */
export const ATTRIBUTE_NAME_SCHEMA = { pattern: NAME_PATTERN.source } as const;

export function isAttributeName(name: string): boolean {
  return NAME_PATTERN.test(name) && snakeCase(name) !== '';
}

/** Returns whether a name is reserved: `always`, `in-types` (allowed in components), or null. */
export function reservedScope(name: string): 'always' | 'in-types' | null {
  const snake = snakeCase(name);
  if (RESERVED_NAMES.has(name) || RESERVED_PREFIX.test(name) || RECORD_FIELDS.has(snake)) return 'always';
  return SYSTEM_FIELDS.has(snake) || ADMIN_PANEL_FIELDS.has(snake) ? 'in-types' : null;
}
