import { snakeCase } from '../../lib/names.js';
import { isRecord } from '../../lib/records.js';
import type { JsonPath } from '../../lib/json.js';
import type { Uid } from '../../lib/ids.js';
import { TYPE_FIELDS, checkPrivateAttributes } from './attribute-names.js';
import type { ComponentDefinition, ContentTypeDefinition, IndexDefinition } from './definition.js';
import { parseAttributes } from './parse-attributes.js';
import {
  checkApplied,
  checkHeaderText,
  checkHistory,
  checkKeys,
  readCollectionName,
  readFlag,
  readObject,
  readText,
} from './schema-file.js';
import type { FileProblems, JsonObject } from './schema-file.js';
import {
  COMPONENT_OPTIONS,
  COMPONENT_SCHEMA_OPTIONS,
  INFO_OPTIONS,
  SCHEMA_OPTIONS,
  SCHEMA_PLUGIN_OPTIONS,
  TYPE_OPTIONS,
} from './schema-options.js';

const isColumnList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string' && item !== '');

/** Reads `indexes`: `[{"name": "articles_views", "columns": ["views"]}]`. Reports entries of another form. */
function readIndexes(
  file: JsonObject,
  problems: FileProblems,
  lineOf: (path: JsonPath) => number,
): readonly IndexDefinition[] {
  const listed = file['indexes'] ?? [];
  const entries: readonly unknown[] = Array.isArray(listed) ? listed : [listed];
  return entries.flatMap((entry, position) => {
    const columns = isRecord(entry) ? entry['columns'] : undefined;
    if (isColumnList(columns)) return [{ columns, line: lineOf(['indexes', position]) }];
    problems.add({
      code: 'invalid-value',
      path: ['indexes'],
      message: '"indexes" must be a list of objects with "columns", the names of the columns',
    });
    return [];
  });
}

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

/** First path segments of built-in routes, below the prefix of the API, with their purpose. */
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

interface ComponentLocation {
  readonly category: string;
  readonly name: string;
  readonly file: string;
  readonly lineOf: (path: JsonPath) => number;
}

/** The keys of a component's file. */
export const COMPONENT_KEYS = Object.keys(COMPONENT_OPTIONS);
const COMPONENT_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** Returns the uid of a component: its path in lower case, as in Strapi. */
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
        `the file has the category "${file['category']}" but is in the folder "${category}", ` +
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
