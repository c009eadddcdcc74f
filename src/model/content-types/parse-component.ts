import type { JsonPath } from '../../lib/located-json.js';
import type { Uid } from '../../lib/uid.js';
import type { ComponentDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';
import { parseAttributes } from './parse-attributes.js';
import { COMPONENT_OPTIONS, COMPONENT_SCHEMA_OPTIONS } from './schema-options.js';
import { checkPrivateAttributes } from './private-attributes.js';
import { checkApplied, checkKeys, readCollectionName, readObject, readText } from './top-level-keys.js';
import type { JsonObject } from './top-level-keys.js';

export interface ComponentLocation {
  readonly category: string;
  readonly name: string;
  readonly file: string;
  readonly lineOf: (path: JsonPath) => number;
}

/** The keys of a component's file. */
export const COMPONENT_KEYS = Object.keys(COMPONENT_OPTIONS);
const COMPONENT_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Strapi knows components by their path in lower case. */
export function componentUidOf(category: string, name: string): Uid {
  return `${category}.${name}`.toLowerCase();
}

/** Parses the schema file of a component. Its path determines category and name. */
export function parseComponent(
  file: JsonObject,
  { category, name, file: path, lineOf }: ComponentLocation,
  problems: FileProblems,
): ComponentDefinition {
  checkKeys(file, COMPONENT_KEYS, [], problems);
  for (const segment of [category, name].filter((text) => !COMPONENT_NAME_PATTERN.test(text))) {
    problems.add({
      code: 'invalid-name',
      message:
        `"${segment}" is not a valid name for a component or category: ` +
        'letters, digits, _ and - only, a letter or digit first',
    });
  }
  if (typeof file['category'] === 'string' && file['category'] !== category) {
    problems.add({
      severity: 'warning',
      code: 'category-mismatch',
      path: ['category'],
      message:
        `the file says the category "${file['category']}" but is in the folder "${category}", ` +
        'which decides',
      allowed: [category],
    });
  }
  const info = readObject(file, 'info', problems);
  const options = readObject(file, 'options', problems);
  checkApplied(COMPONENT_SCHEMA_OPTIONS, options, ['options'], problems);
  const collectionName = readCollectionName(file, '', problems);
  const icon = info['icon'];
  const attributes = parseAttributes(file['attributes'], 'component', problems, lineOf);
  checkPrivateAttributes(options, attributes, [], problems);
  return {
    uid: componentUidOf(category, name),
    category,
    name,
    file: path,
    ...(collectionName === '' ? {} : { collectionName }),
    ...(typeof icon === 'string' ? { icon } : {}),
    displayName: readText(info, ['info', 'displayName'], problems) ?? name,
    description: readText(info, ['info', 'description'], problems) ?? '',
    options,
    attributes,
  };
}
