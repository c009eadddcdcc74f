import { snakeCase } from '../../lib/names.js';
import { withSuggestion } from '../../lib/nearest.js';
import type { AttributeDefinition } from './definition.js';
import type { FileProblems, JsonObject } from './schema-file.js';

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

/** True if an attribute can be kept although commands reject its name. */
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

/** The built-in fields of documents that can be private. */
export const TYPE_FIELDS: readonly string[] = [
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
];

/** Fields that are always private. */
const HIDDEN: readonly string[] = ['createdBy', 'updatedBy'];

/** Fields that are never private, as in Strapi. */
const ALWAYS_SHOWN: readonly string[] = ['id', 'documentId'];

const OPTION = 'privateAttributes';

const isListOfNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** Returns the names that `options.privateAttributes` of a schema lists. */
export function privateAttributesOf(options: JsonObject): readonly string[] {
  const names = options[OPTION] ?? [];
  return isListOfNames(names) ? names : [];
}

/** Reports an invalid list of private attributes, and names in it without effect. */
export function checkPrivateAttributes(
  options: JsonObject,
  attributes: readonly AttributeDefinition[],
  builtinFields: readonly string[],
  problems: FileProblems,
): void {
  const path = ['options', OPTION];
  const names = options[OPTION] ?? [];
  if (!isListOfNames(names)) {
    problems.add({ code: 'invalid-value', path, message: `"${path.join('.')}" must be a list of names` });
    return;
  }
  const known = [...attributes.map(({ name }) => name), ...builtinFields];
  for (const name of names.filter((listed) => !known.includes(listed) && !HIDDEN.includes(listed)))
    problems.add({
      severity: 'warning',
      code: 'unknown-attribute',
      path,
      message: ALWAYS_SHOWN.includes(name)
        ? `"${path.join('.')}" has no effect on "${name}", which responses always have`
        : withSuggestion(`"${path.join('.')}" lists "${name}", which is no attribute here`, name, known),
      allowed: known,
    });
}
