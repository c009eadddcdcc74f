import type { JsonPath } from '../lib/located-json.js';
import type { ComponentDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';
import { parseAttributes } from './parse-attributes.js';
import { checkKeys, readCollectionName, readObject, readText } from './top-level.js';
import type { Settings } from './top-level.js';

export interface ComponentPlace {
  readonly category: string;
  readonly name: string;
  readonly file: string;
  readonly lineOf: (path: JsonPath) => number;
}

const KEYS = ['collectionName', 'info', 'options', 'pluginOptions', 'attributes', 'config', 'uid', 'category', 'modelName', 'modelType', 'globalId', '$schema'];
const PLACE_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Reads a component's file; its category and name are those of its place. */
export function parseComponent(file: Settings, { category, name, file: path, lineOf }: ComponentPlace, problems: FileProblems): ComponentDefinition {
  checkKeys(file, KEYS, [], problems);
  for (const part of [category, name].filter((text) => !PLACE_NAME.test(text))) {
    problems.add({ code: 'invalid-name', message: `"${part}" is no name for a component or its category: letters, digits, _ and - only, a letter first` });
  }
  if (typeof file['category'] === 'string' && file['category'] !== category) {
    problems.add({ code: 'category-mismatch', path: ['category'], message: `the file says the category "${file['category']}" but lies in the folder "${category}"`, allowed: [category] });
  }
  const info = readObject(file, 'info', problems);
  readCollectionName(file, '', problems);
  return {
    uid: `${category}.${name}`, category, name, file: path,
    displayName: readText(info, ['info', 'displayName'], problems) ?? name,
    description: readText(info, ['info', 'description'], problems) ?? '',
    attributes: parseAttributes(file['attributes'], 'component', problems, lineOf),
  };
}
