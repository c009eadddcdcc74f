import slugify from '@sindresorhus/slugify';
import { assertNever, defined } from '../../lib/assert.js';
import { lowerFirst, pascalCase } from '../../lib/names.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { Attribute, ContentSchema, ContentType } from '../../model/model.js';
import {
  LOCALIZATIONS,
  RELATED,
  isContentType,
  isLocalizations,
  showsField,
} from '../../query/schema-fields.js';

const FIELD_NAME = /^(?!__)[A-Za-z_]\w*$/;

/**
 * Returns the GraphQL name of an attribute, or null for names that GraphQL reserves (`__…`) or does not
 * allow.
 */
export function fieldNameOf(attribute: string): string | null {
  const name = attribute.replaceAll('-', '_');
  return FIELD_NAME.test(name) ? name : null;
}

interface QueryNames {
  /** `article` */
  readonly one: string;
  /** `articles` */
  readonly many: string;
  /** `articles_connection` */
  readonly connection: string;
}

/** Returns the names of a type's queries. Those of built-in types are prefixed with their plugin's name. */
export function queryNamesOf({
  typeName,
  singularName,
  pluralName,
}: Pick<ContentType, 'typeName' | 'singularName' | 'pluralName'>): QueryNames {
  const singularPart = pascalCase(singularName);
  const prefix = typeName.endsWith(singularPart)
    ? typeName.slice(0, typeName.length - singularPart.length)
    : '';
  const many = lowerFirst(`${prefix}${pascalCase(pluralName)}`);
  return { one: lowerFirst(`${prefix}${singularPart}`), many, connection: `${many}_connection` };
}

/** Returns the name of an enumeration's type: `ENUM_ARTICLE_KIND`. */
export function enumNameOf(contentSchema: ContentSchema, attribute: string): string {
  return `ENUM_${contentSchema.typeName.toUpperCase()}_${attribute.replaceAll('-', '_').toUpperCase()}`;
}

/** Returns the name of a dynamic zone's type: `ArticleSectionsDynamicZone`. */
export function zoneNameOf(contentSchema: ContentSchema, attribute: string): string {
  return `${contentSchema.typeName}${pascalCase(attribute)}DynamicZone`;
}

const codePoints = (text: string): string =>
  Array.from(text, (letter) => `u${defined(letter.codePointAt(0), 'the code point').toString(16)}`).join('_');

/**
 * Returns the GraphQL name of an enumeration's value: transliterated to Latin letters, other characters
 * replaced by `_`. A value without any letter or digit is named by its code points.
 */
export function enumValueNameOf(value: string): string {
  const plain = slugify(value, { decamelize: false, lowercase: false, separator: '_' });
  if (plain === '') return codePoints(value);
  return /^[A-Za-z]/.test(plain) && !['true', 'false', 'null'].includes(plain) ? plain : `_${plain}`;
}

/** Returns the values of an enumeration by GraphQL name. Of two equal names the later gets a trailing `_`. */
export function enumValuesByName(values: readonly string[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const value of values) {
    let name = enumValueNameOf(value);
    while (byName.has(name)) name = `${name}_`;
    byName.set(name, value);
  }
  return byName;
}

/** Source of an output field's value. */
export type FieldSource =
  /** An attribute that `fields` of a read selects, or a system field. */
  | { readonly kind: 'scalar'; readonly attribute: string }
  /** A password: in the schema, but always null. */
  | { readonly kind: 'hidden' }
  /** A populated attribute: one record, a list, or a connection (a list under `nodes`). */
  | { readonly kind: 'populate'; readonly attribute: string; readonly form: 'one' | 'list' | 'connection' };

/**
 * Returns the key of a populated field in the record. Each alias has a separate key, so that one attribute
 * can be populated several times.
 */
export function populateKeyOf(attribute: string, responseKey: string): string {
  return responseKey === attribute ? attribute : `@${responseKey}`;
}

type FieldSources = ReadonlyMap<string, FieldSource>;

const isMany = (attribute: Attribute): boolean => {
  switch (attribute.family) {
    case 'relation':
    case 'media':
      return attribute.many;
    case 'component':
      return attribute.repeatable;
    case 'dynamiczone':
    case 'scalar':
      return false;
    default:
      return assertNever(attribute, 'attribute family');
  }
};

const isDocuments = (attribute: Attribute): boolean =>
  attribute.family === 'media' || (attribute.family === 'relation' && attribute.target !== null);

const addAttribute = (sources: Map<string, FieldSource>, attribute: Attribute): void => {
  const name = fieldNameOf(attribute.name);
  if (name === null || attribute.private || sources.has(name)) return;
  if (attribute.family === 'scalar') {
    sources.set(
      name,
      attribute.field.filterable ? { kind: 'scalar', attribute: attribute.name } : { kind: 'hidden' },
    );
    return;
  }
  const isList = isMany(attribute);
  sources.set(name, { kind: 'populate', attribute: attribute.name, form: isList ? 'list' : 'one' });
  if (isList && isDocuments(attribute))
    sources.set(`${name}_connection`, { kind: 'populate', attribute: attribute.name, form: 'connection' });
};

const SYSTEM_FIELDS = ['createdAt', 'updatedAt', 'publishedAt', 'locale'];

const addSystemFields = (sources: Map<string, FieldSource>, type: ContentType): void => {
  for (const name of SYSTEM_FIELDS.filter((field) => showsField(type, field)))
    sources.set(name, { kind: 'scalar', attribute: name });
  if (!isLocalizations(type, LOCALIZATIONS)) return;
  sources.set(LOCALIZATIONS, { kind: 'populate', attribute: LOCALIZATIONS, form: 'list' });
  sources.set(`${LOCALIZATIONS}_connection`, {
    kind: 'populate',
    attribute: LOCALIZATIONS,
    form: 'connection',
  });
};

/** Returns the output fields of a type or component by GraphQL name, without its id. */
export const fieldSourcesOf = memoizeWeakly((contentSchema: ContentSchema): FieldSources => {
  const sources = new Map<string, FieldSource>();
  for (const attribute of Object.values(contentSchema.attributes)) addAttribute(sources, attribute);
  if (isContentType(contentSchema)) addSystemFields(sources, contentSchema);
  if (contentSchema.uid === FILE_UID)
    sources.set(RELATED, { kind: 'populate', attribute: RELATED, form: 'one' });
  return sources;
});

/** Returns the attribute that an input field or filter names, or undefined if there is none. */
export function attributeOfField(contentSchema: ContentSchema, name: string): Attribute | undefined {
  const exactMatch = Object.hasOwn(contentSchema.attributes, name)
    ? contentSchema.attributes[name]
    : undefined;
  return (
    exactMatch ??
    Object.values(contentSchema.attributes).find((attribute) => fieldNameOf(attribute.name) === name)
  );
}
