import slugify from '@sindresorhus/slugify';
import { lowerFirst, pascalCase } from '../../lib/casing.js';
import { defined } from '../../lib/defined.js';
import type { ContentSchema, ContentType } from '../../model/model.js';

const FIELD_NAME = /^(?!__)[A-Za-z_]\w*$/;

/**
 * Returns the GraphQL name of an attribute, or null for names that GraphQL reserves (`__…`) or does not
 * allow.
 */
export function fieldNameOf(attribute: string): string | null {
  const name = attribute.replaceAll('-', '_');
  return FIELD_NAME.test(name) ? name : null;
}

export interface QueryNames {
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

/** `ENUM_ARTICLE_KIND` */
export function enumNameOf(contentSchema: ContentSchema, attribute: string): string {
  return `ENUM_${contentSchema.typeName.toUpperCase()}_${attribute.replaceAll('-', '_').toUpperCase()}`;
}

/** `ArticleSectionsDynamicZone` */
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
