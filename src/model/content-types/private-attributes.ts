import { withSuggestion } from '../../lib/nearest.js';
import type { AttributeDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';
import type { JsonObject } from './top-level-keys.js';

/** The built-in fields of documents that can be private. */
export const TYPE_FIELDS: readonly string[] = [
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
];

/** Never shown, whatever a schema says of them. */
const HIDDEN: readonly string[] = ['createdBy', 'updatedBy'];

/** Responses always have them, as in Strapi. */
const ALWAYS_SHOWN: readonly string[] = ['id', 'documentId'];

const OPTION = 'privateAttributes';

const isListOfNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** Returns the names that `options.privateAttributes` of a schema lists. */
export function privateAttributesOf(options: JsonObject): readonly string[] {
  const names = options[OPTION] ?? [];
  return isListOfNames(names) ? names : [];
}

/** Reports a list of private attributes that is none, and names in it that hide nothing. */
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
