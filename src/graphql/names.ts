import { lowerFirst, pascalCase } from '../lib/casing.js';
import { toLatin } from '../lib/latin.js';
import type { AttributeHolder, ContentType } from '../model/model.js';

/** GraphQL names have no hyphens. Null: GraphQL keeps such names for itself. */
export function fieldNameOf(attribute: string): string | null {
  return attribute.startsWith('__') ? null : attribute.replaceAll('-', '_');
}

export interface QueryNames {
  /** `article` */
  readonly one: string;
  /** `articles` */
  readonly many: string;
  /** `articles_connection` */
  readonly connection: string;
}

/** Names of a type's queries: those of built-in types carry their plugin's name. */
export function queryNamesOf({ typeName, singularName, pluralName }: Pick<ContentType, 'typeName' | 'singularName' | 'pluralName'>): QueryNames {
  const own = pascalCase(singularName);
  const prefix = typeName.endsWith(own) ? typeName.slice(0, typeName.length - own.length) : '';
  const many = lowerFirst(`${prefix}${pascalCase(pluralName)}`);
  return { one: lowerFirst(`${prefix}${own}`), many, connection: `${many}_connection` };
}

/** `ENUM_ARTICLE_KIND` */
export function enumNameOf(holder: AttributeHolder, attribute: string): string {
  return `ENUM_${holder.typeName.toUpperCase()}_${attribute.replaceAll('-', '_').toUpperCase()}`;
}

/** `ArticleSectionsDynamicZone` */
export function zoneNameOf(holder: AttributeHolder, attribute: string): string {
  return `${holder.typeName}${pascalCase(attribute)}DynamicZone`;
}

const codePoints = (text: string): string => Array.from(text, (letter) => `u${(letter.codePointAt(0) ?? 0).toString(16)}`).join('_');

/** A value of an enumeration as a GraphQL name: in Latin letters, and with `_` for what names cannot hold; where nothing is left, by its code points. */
export function enumValueNameOf(value: string): string {
  const plain = toLatin(value.replaceAll('&', ' and ')).replaceAll(/[^A-Za-z0-9]+/g, '_').replaceAll(/^_|_$/g, '');
  if (plain === '') return codePoints(value);
  return /^[A-Za-z]/.test(plain) && !['true', 'false', 'null'].includes(plain) ? plain : `_${plain}`;
}

/** The values of an enumeration by their GraphQL names. Two names may come out the same; the later one gets an underscore more. */
export function enumValuesByName(values: readonly string[]): ReadonlyMap<string, string> {
  const byName = new Map<string, string>();
  for (const value of values) {
    let name = enumValueNameOf(value);
    while (byName.has(name)) name = `${name}_`;
    byName.set(name, value);
  }
  return byName;
}
