import { isRecord } from '../../../lib/is-record.js';
import type { FileProblems } from '../file-problems.js';
import type { JsonObject } from '../top-level-keys.js';

const asRecord = (value: unknown): JsonObject => (isRecord(value) ? value : {});

const FIXED_OPTIONS = ['private', 'required', 'unique'];

/**
 * Extends an attribute of a built-in type with the options of a project. Its type, its links, and private,
 * required and unique cannot be changed.
 */
const extendAttribute = (
  name: string,
  builtinAttribute: JsonObject,
  extension: unknown,
  problems: FileProblems,
): JsonObject => {
  if (!isRecord(extension)) return builtinAttribute;
  const path = ['attributes', name, 'type'];
  if (extension['type'] !== builtinAttribute['type']) {
    problems.add({
      code: 'fixed-attribute',
      path,
      attribute: name,
      message: `"${name}" must keep the type ${String(builtinAttribute['type'])}, which the server relies on`,
      allowed: [String(builtinAttribute['type'])],
    });
    return builtinAttribute;
  }
  if (builtinAttribute['type'] === 'relation') return builtinAttribute;
  const fixedOptions = Object.entries(builtinAttribute).filter(
    ([option, value]) => FIXED_OPTIONS.includes(option) && value === true,
  );
  return { ...builtinAttribute, ...extension, ...Object.fromEntries(fixedOptions) };
};

/**
 * Merges the extension of a project into the schema of a built-in type. Options of the extension win, its
 * attributes are added.
 */
export function extendBuiltin(
  builtin: JsonObject,
  extension: JsonObject,
  problems: FileProblems,
): JsonObject {
  const builtinAttributes = asRecord(builtin['attributes']);
  const extensionAttributes = asRecord(extension['attributes']);
  const extendedAttributes = Object.entries(builtinAttributes).map(
    ([name, attribute]) =>
      [name, extendAttribute(name, asRecord(attribute), extensionAttributes[name], problems)] as const,
  );
  const addedAttributes = Object.entries(extensionAttributes).filter(
    ([name]) => !Object.hasOwn(builtinAttributes, name),
  );
  return {
    ...builtin,
    info: {
      ...asRecord(builtin['info']),
      displayName: asRecord(extension['info'])['displayName'] ?? asRecord(builtin['info'])['displayName'],
    },
    options: { ...asRecord(extension['options']), ...asRecord(builtin['options']) },
    pluginOptions: extension['pluginOptions'] ?? {},
    attributes: Object.fromEntries([...extendedAttributes, ...addedAttributes]),
  };
}
