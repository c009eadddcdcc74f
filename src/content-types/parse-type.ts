import { snakeCase } from '../lib/casing.js';
import type { JsonPath } from '../lib/located-json.js';
import type { Uid } from '../lib/uid.js';
import type { ContentTypeDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';
import { parseAttributes } from './parse-attributes.js';
import { checkKeys, readCollectionName, readFlag, readObject, readText } from './top-level.js';
import type { Settings } from './top-level.js';

export interface TypePlace {
  readonly uid: Uid;
  readonly origin: ContentTypeDefinition['origin'];
  readonly file: string | null;
  readonly lineOf: (path: JsonPath) => number;
}

const KINDS = ['collectionType', 'singleType'] as const;
const KEYS = ['kind', 'collectionName', 'info', 'options', 'pluginOptions', 'attributes', 'config', 'uid', 'modelName', 'modelType', 'globalId', '$schema'];
const INFO_KEYS = ['singularName', 'pluralName', 'displayName', 'description', 'name', 'icon'];
const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** First parts of addresses below the API's prefix that belong to built-in routes. */
export const RESERVED_PATHS: readonly string[] = ['auth', 'connect', 'i18n', 'upload', 'users', 'users-permissions'];

const readKind = (file: Settings, problems: FileProblems): ContentTypeDefinition['kind'] => {
  const value = file['kind'] ?? 'collectionType';
  const kind = KINDS.find((known) => known === value);
  if (kind === undefined) problems.add({ code: 'invalid-kind', path: ['kind'], message: `the kind ${JSON.stringify(value)} does not exist`, allowed: KINDS });
  return kind ?? 'collectionType';
};

const readName = (info: Settings, key: 'singularName' | 'pluralName', problems: FileProblems): string | null => {
  const path = ['info', key];
  const name = readText(info, path, problems);
  if (name === undefined || name === '') {
    if ((info[key] ?? '') === '') problems.add({ code: 'missing-key', path, message: `"info.${key}" is missing` });
    return null;
  }
  if (!KEBAB.test(name)) {
    problems.add({ code: 'invalid-name', path, message: `"info.${key}" is "${name}", which is not kebab-case`, allowed: ['lower-case words joined by -'] });
  }
  return name;
};

const checkNames = (kind: ContentTypeDefinition['kind'], names: { readonly singularName: string; readonly pluralName: string }, problems: FileProblems): void => {
  const { singularName, pluralName } = names;
  if (singularName === pluralName) {
    problems.add({ code: 'duplicate-name', path: ['info', 'pluralName'], message: `singularName and pluralName are both "${singularName}"; they must differ` });
  }
  const key = kind === 'collectionType' ? 'pluralName' : 'singularName';
  if (!RESERVED_PATHS.includes(names[key])) return;
  problems.add({ code: 'reserved-name', path: ['info', key], message: `the ${key} "${names[key]}" would take the address of a built-in route; choose another (taken: ${RESERVED_PATHS.join(', ')})` });
};

/** References to the type go by its folder, its addresses by its name. */
const checkFolder = (singularName: string, { uid }: TypePlace, problems: FileProblems): void => {
  const folder = uid.slice(uid.lastIndexOf('.') + 1);
  if (singularName === folder) return;
  problems.add({
    severity: 'warning', code: 'name-mismatch', path: ['info', 'singularName'],
    message: `the singularName is "${singularName}" but the folder is "${folder}": other files refer to this type as ${uid}`, allowed: [folder],
  });
};

/** Reads a content-type's file. Null where it has no usable names, without which nothing can refer to it. */
export function parseType(file: Settings, place: TypePlace, problems: FileProblems): ContentTypeDefinition | null {
  checkKeys(file, KEYS, [], problems);
  const kind = readKind(file, problems);
  const info = readObject(file, 'info', problems);
  checkKeys(info, INFO_KEYS, ['info'], problems);
  const singularName = readName(info, 'singularName', problems);
  const pluralName = readName(info, 'pluralName', problems);
  const options = readObject(file, 'options', problems);
  const pluginOptions = readObject(file, 'pluginOptions', problems);
  const draftAndPublish = readFlag(options, ['options', 'draftAndPublish'], problems);
  const localized = readFlag(pluginOptions, ['pluginOptions', 'i18n', 'localized'], problems) && place.origin === 'project';
  const attributes = parseAttributes(file['attributes'], 'type', problems, place.lineOf);
  const displayName = readText(info, ['info', 'displayName'], problems);
  const description = readText(info, ['info', 'description'], problems);
  if (singularName === null || pluralName === null) return null;
  checkFolder(singularName, place, problems);
  if (place.origin === 'project') checkNames(kind, { singularName, pluralName }, problems);
  const lineOfName = (key: string): number => place.lineOf(['info', key]);
  return {
    uid: place.uid, origin: place.origin, kind, file: place.file,
    collectionName: readCollectionName(file, snakeCase(pluralName), problems),
    singularName, pluralName, displayName: displayName ?? singularName, description: description ?? '',
    draftAndPublish, localized, options, pluginOptions, attributes,
    nameLines: {
      singularName: lineOfName('singularName'), pluralName: lineOfName('pluralName'), displayName: lineOfName('displayName'),
      collectionName: place.lineOf(['collectionName']),
    },
  };
}
