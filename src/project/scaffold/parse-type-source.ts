import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import type { NewType } from './add-type.js';
import { orderAttribute, parseAttributeShorthand } from './attribute-shorthand.js';
import type { NamedAttribute } from './attribute-shorthand.js';
import { deriveTypeNames } from './type-names.js';

type JsonObject = Readonly<Record<string, unknown>>;

const objectAt = (json: JsonObject, key: string): JsonObject => {
  const value = json[key];
  return isRecord(value) ? value : {};
};

const stringAt = (json: JsonObject, key: string): string | undefined => {
  const value = json[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const parseObject = (text: string, source: string): JsonObject => {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
    throw new TypeError('it is not an object');
  } catch (error) {
    throw createError('scaffold/invalid-source', {
      source,
      reason: error instanceof Error ? error.message : String(error),
    });
  }
};

/**
 * Parses an attribute that is an object of a schema file, or a shorthand without its name:
 * `"string:required"`.
 */
const parseAttribute = (name: string, value: unknown, source: string): NamedAttribute => {
  if (typeof value === 'string') return parseAttributeShorthand(`${name}:${value}`);
  if (isRecord(value) && typeof value['type'] === 'string') return { name, json: orderAttribute(value) };
  throw createError('scaffold/invalid-source', { source, reason: `the attribute ${name} has no type` });
};

/**
 * Parses the `attributes` of a schema file.
 *
 * @throws `scaffold/invalid-source`
 */
function parseAttributeMap(attributes: JsonObject, source: string): readonly NamedAttribute[] {
  return Object.entries(attributes).map(([name, value]) => parseAttribute(name, value, source));
}

/** Values of flags, which override those of the file. */
export interface TypeOverrides {
  readonly name?: string | undefined;
  readonly plural?: string | undefined;
  readonly displayName?: string | undefined;
}

/**
 * Parses a new content-type from the text of a schema.json, which may be incomplete: missing names are
 * derived, and attributes may be shorthands.
 *
 * @param source where the text is from, for messages: a path or `Standard input`
 * @throws `scaffold/invalid-source`, `scaffold/invalid-name`, `scaffold/invalid-attribute`
 */
export function parseTypeSource(text: string, source: string, overrides: TypeOverrides = {}): NewType {
  const json = parseObject(text, source);
  const info = objectAt(json, 'info');
  const name = overrides.name ?? stringAt(info, 'singularName') ?? stringAt(info, 'displayName');
  if (name === undefined)
    throw createError('scaffold/invalid-source', { source, reason: 'info.singularName is missing' });
  const kind = json['kind'] ?? 'collectionType';
  if (kind !== 'collectionType' && kind !== 'singleType')
    throw createError('scaffold/invalid-source', { source, reason: `kind is ${JSON.stringify(kind)}` });
  const names = deriveTypeNames({
    name,
    plural: overrides.plural ?? stringAt(info, 'pluralName'),
    displayName: overrides.displayName ?? stringAt(info, 'displayName'),
  });
  const { draftAndPublish, ...options } = objectAt(json, 'options');
  const { i18n, ...pluginOptions } = objectAt(json, 'pluginOptions');
  return {
    names: { ...names, collectionName: stringAt(json, 'collectionName') ?? names.collectionName },
    kind,
    description: stringAt(info, 'description') ?? '',
    draftAndPublish: draftAndPublish === true,
    localized: isRecord(i18n) && i18n['localized'] === true,
    attributes: parseAttributeMap(objectAt(json, 'attributes'), source),
    options,
    pluginOptions,
  };
}
