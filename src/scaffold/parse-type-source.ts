import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { NewType } from './add-type.js';
import { orderAttribute, parseAttributeShorthand } from './attribute-shorthand.js';
import type { NamedAttribute } from './attribute-shorthand.js';
import { deriveTypeNames } from './type-names.js';

type Json = Readonly<Record<string, unknown>>;

const objectAt = (json: Json, key: string): Json => {
  const value = json[key];
  return isRecord(value) ? value : {};
};

const textAt = (json: Json, key: string): string | undefined => {
  const value = json[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const parseObject = (text: string, source: string): Json => {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
    throw new TypeError('it is not an object');
  } catch (error) {
    throw fail('scaffold/invalid-source', { source, reason: error instanceof Error ? error.message : String(error) });
  }
};

/** An attribute as an object of a schema file, or as the rest of a shorthand: `"string:required"`. */
const readAttribute = (name: string, value: unknown, source: string): NamedAttribute => {
  if (typeof value === 'string') return parseAttributeShorthand(`${name}:${value}`);
  if (isRecord(value) && typeof value['type'] === 'string') return { name, json: orderAttribute(value) };
  throw fail('scaffold/invalid-source', { source, reason: `the attribute ${name} has no type` });
};

/** Attributes by name, from a schema file's `attributes`. @throws `scaffold/invalid-source` */
export function parseAttributeMap(attributes: Json, source: string): readonly NamedAttribute[] {
  return Object.entries(attributes).map(([name, value]) => readAttribute(name, value, source));
}

/** What the command line says; it wins over the file. */
export interface TypeOverrides {
  readonly name?: string | undefined;
  readonly plural?: string | undefined;
  readonly displayName?: string | undefined;
}

/**
 * A new content-type from the text of a schema.json, whole or in part: names that are missing are derived, attributes may be shorthands.
 *
 * @param source what the text came from, for messages: a path or `standard input`
 * @throws `scaffold/invalid-source`, `scaffold/invalid-name`, `scaffold/invalid-attribute`
 */
export function parseTypeSource(text: string, source: string, overrides: TypeOverrides = {}): NewType {
  const json = parseObject(text, source);
  const info = objectAt(json, 'info');
  const name = overrides.name ?? textAt(info, 'singularName') ?? textAt(info, 'displayName');
  if (name === undefined) throw fail('scaffold/invalid-source', { source, reason: 'info.singularName is missing' });
  const kind = json['kind'] ?? 'collectionType';
  if (kind !== 'collectionType' && kind !== 'singleType') throw fail('scaffold/invalid-source', { source, reason: `kind is ${JSON.stringify(kind)}` });
  const names = deriveTypeNames({ name, plural: overrides.plural ?? textAt(info, 'pluralName'), displayName: overrides.displayName ?? textAt(info, 'displayName') });
  const { draftAndPublish, ...options } = objectAt(json, 'options');
  const { i18n, ...pluginOptions } = objectAt(json, 'pluginOptions');
  return {
    names: { ...names, collectionName: textAt(json, 'collectionName') ?? names.collectionName },
    kind,
    description: textAt(info, 'description') ?? '',
    draftAndPublish: draftAndPublish === true,
    localized: isRecord(i18n) && i18n['localized'] === true,
    attributes: parseAttributeMap(objectAt(json, 'attributes'), source),
    options,
    pluginOptions,
  };
}
