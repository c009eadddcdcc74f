import { snakeCase } from '../../lib/casing.js';
import type { JsonPath } from '../../lib/located-json.js';
import type { Uid } from '../../lib/uid.js';
import type { ContentTypeDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';
import { parseAttributes } from './parse-attributes.js';
import { checkPrivateAttributes, TYPE_FIELDS } from './private-attributes.js';
import { readIndexes } from './read-indexes.js';
import { INFO_OPTIONS, SCHEMA_OPTIONS, SCHEMA_PLUGIN_OPTIONS, TYPE_OPTIONS } from './schema-options.js';
import {
  checkApplied,
  checkHeaderText,
  checkHistory,
  checkKeys,
  readCollectionName,
  readFlag,
  readObject,
  readText,
} from './top-level-keys.js';
import type { JsonObject } from './top-level-keys.js';

export interface TypeLocation {
  readonly uid: Uid;
  readonly origin: ContentTypeDefinition['origin'];
  readonly file: string | null;
  readonly lineOf: (path: JsonPath) => number;
}

export const KINDS = ['collectionType', 'singleType'] as const;
/** The keys of a content-type's file. */
export const TYPE_KEYS = Object.keys(TYPE_OPTIONS);
/** The keys of `info`, in files of content-types and of components. */
export const INFO_KEYS = Object.keys(INFO_OPTIONS);
/** The form of singular and plural names. */
export const KEBAB = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/** First path segments, below the prefix of the API, that belong to built-in routes, and whose they are. */
const RESERVED_PATHS: ReadonlyMap<string, string> = new Map([
  ['auth', 'signing in'],
  ['connect', 'signing in'],
  ['i18n', 'locales'],
  ['upload', 'files'],
  ['users', 'accounts'],
  ['users-permissions', 'accounts'],
]);

const readKind = (file: JsonObject, problems: FileProblems): ContentTypeDefinition['kind'] => {
  const value = file['kind'] ?? 'collectionType';
  const kind = KINDS.find((candidate) => candidate === value);
  if (kind === undefined)
    problems.add({
      severity: 'warning',
      code: 'invalid-kind',
      path: ['kind'],
      message: `the kind ${JSON.stringify(value)} does not exist; this is a collection type`,
      allowed: KINDS,
    });
  return kind ?? 'collectionType';
};

const readName = (
  info: JsonObject,
  key: 'singularName' | 'pluralName',
  problems: FileProblems,
): string | null => {
  const path = ['info', key];
  const name = readText(info, path, problems);
  if (name === undefined || name === '') {
    if ((info[key] ?? '') === '')
      problems.add({ code: 'missing-key', path, message: `"info.${key}" is missing` });
    return null;
  }
  if (!KEBAB.test(name)) {
    problems.add({
      code: 'invalid-name',
      path,
      message: `"info.${key}" is "${name}", which is not kebab-case`,
      allowed: ['lower-case words joined by -'],
    });
  }
  return name;
};

const checkNames = (
  kind: ContentTypeDefinition['kind'],
  names: { readonly singularName: string; readonly pluralName: string },
  problems: FileProblems,
): void => {
  const { singularName, pluralName } = names;
  if (singularName === pluralName) {
    problems.add({
      code: 'duplicate-name',
      path: ['info', 'pluralName'],
      message: `singularName and pluralName are both "${singularName}"; they must differ`,
    });
  }
  const key = kind === 'collectionType' ? 'pluralName' : 'singularName';
  const owner = RESERVED_PATHS.get(names[key]);
  if (owner === undefined) return;
  const others = [...RESERVED_PATHS.keys()].filter((name) => name !== names[key]);
  problems.add({
    severity: 'warning',
    code: 'reserved-name',
    path: ['info', key],
    message:
      `the ${key} "${names[key]}" is reserved: /api/${names[key]} belongs to ${owner}, ` +
      `whose routes this type replaces (also reserved: ${others.join(', ')})`,
  });
};

/** References use the folder, routes use the name, so they should be the same. */
const checkFolder = (singularName: string, { uid }: TypeLocation, problems: FileProblems): void => {
  const folder = uid.slice(uid.lastIndexOf('.') + 1);
  if (singularName === folder) return;
  problems.add({
    severity: 'warning',
    code: 'name-mismatch',
    path: ['info', 'singularName'],
    message:
      `the singularName is "${singularName}" but the folder is "${folder}": ` +
      `other files refer to this type as ${uid}`,
    allowed: [folder],
  });
};

/**
 * Parses the schema file of a content-type. Returns null if it has no valid names, because nothing could
 * refer to it.
 */
export function parseType(
  file: JsonObject,
  location: TypeLocation,
  problems: FileProblems,
): ContentTypeDefinition | null {
  checkKeys(file, TYPE_KEYS, [], problems);
  const kind = readKind(file, problems);
  const info = readObject(file, 'info', problems);
  checkKeys(info, INFO_KEYS, ['info'], problems);
  const singularName = readName(info, 'singularName', problems);
  const pluralName = readName(info, 'pluralName', problems);
  const options = readObject(file, 'options', problems);
  const pluginOptions = readObject(file, 'pluginOptions', problems);
  checkApplied(SCHEMA_OPTIONS, options, ['options'], problems);
  checkApplied(SCHEMA_PLUGIN_OPTIONS, pluginOptions, ['pluginOptions'], problems);
  checkHeaderText(options, ['options', 'cacheControl'], problems);
  checkHistory(options, problems);
  const draftAndPublish = readFlag(options, ['options', 'draftAndPublish'], problems);
  const localized =
    readFlag(pluginOptions, ['pluginOptions', 'i18n', 'localized'], problems) &&
    location.origin !== 'builtin';
  const attributes = parseAttributes(file['attributes'], 'type', problems, location.lineOf);
  checkPrivateAttributes(options, attributes, TYPE_FIELDS, problems);
  const displayName = readText(info, ['info', 'displayName'], problems);
  const description = readText(info, ['info', 'description'], problems);
  if (singularName === null || pluralName === null) return null;
  if (location.origin !== 'plugin') checkFolder(singularName, location, problems);
  if (location.origin === 'project') checkNames(kind, { singularName, pluralName }, problems);
  const lineOfName = (key: string): number => location.lineOf(['info', key]);
  return {
    uid: location.uid,
    origin: location.origin,
    kind,
    file: location.file,
    collectionName: readCollectionName(file, snakeCase(pluralName), problems),
    singularName,
    pluralName,
    displayName: displayName ?? singularName,
    description: description ?? '',
    draftAndPublish,
    localized,
    options,
    pluginOptions,
    attributes,
    indexes: readIndexes(file, problems, location.lineOf),
    nameLines: {
      singularName: lineOfName('singularName'),
      pluralName: lineOfName('pluralName'),
      displayName: lineOfName('displayName'),
      collectionName: location.lineOf(['collectionName']),
    },
  };
}
