import { snakeCase } from '../../lib/casing.js';

const NAME_PATTERN = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Quotes and control characters, which no path into JSON can name on both databases. */
const UNUSABLE = /["'\\\p{Cc}]/u;

/** Fields of every document, which Strapi puts in the place of attributes of these names. */
export const SYSTEM_FIELDS: ReadonlySet<string> = new Set([
  'createdAt',
  'updatedAt',
  'publishedAt',
  'createdBy',
  'updatedBy',
  'locale',
  'localizations',
]);
/** Columns of every document in Strapi. Compared in snake case, to catch every spelling. */
const SYSTEM_COLUMNS = new Set([
  'created_at',
  'updated_at',
  'published_at',
  'created_by_id',
  'updated_by_id',
  'locale',
]);
/** Fields of every record, including components. Compared in snake case. */
const RECORD_FIELDS = new Set(['id', 'document_id']);
const RESERVED_NAMES = new Set(['__component', '__contentType', '__type', '__proto__']);

export const RESERVED_ATTRIBUTE_NAMES: readonly string[] = [
  ...RECORD_FIELDS,
  ...SYSTEM_COLUMNS,
  ...RESERVED_NAMES,
];

/** The form of attribute names as JSON Schema, for editors. */
export const ATTRIBUTE_NAME_SCHEMA = { pattern: NAME_PATTERN.source } as const;

export function isAttributeName(name: string): boolean {
  return NAME_PATTERN.test(name) && snakeCase(name) !== '';
}

/** True if an attribute of a name that commands refuse can be kept all the same. */
export function isUsableName(name: string): boolean {
  return !UNUSABLE.test(name) && snakeCase(name) !== '';
}

/**
 * Returns whether a name is reserved: `always`; `in-types`, but not in components; `system-field`, in types
 * the name of a field that every document has; or null.
 */
export function reservedScope(name: string): 'always' | 'in-types' | 'system-field' | null {
  const column = snakeCase(name);
  if (RESERVED_NAMES.has(name) || RECORD_FIELDS.has(column)) return 'always';
  if (SYSTEM_FIELDS.has(name)) return 'system-field';
  return SYSTEM_COLUMNS.has(column) ? 'in-types' : null;
}
