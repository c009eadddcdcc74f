import { createHash } from 'node:crypto';
import { memoize } from '../../lib/collections.js';
import { kebabCase } from '../../lib/names.js';
import { textForm } from '../../lib/stored-value.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';

/*
 * The names of cache tags. A response lists the tags that it depends on (response-tags.ts), and a write
 * announces those that it makes stale (announce-tags.ts). `scope` names a type, in one locale if the type is
 * localized: `article`, `article@fr`.
 */

/** The tag of every response. Announced by changes of permissions, locales and the schema, and by imports. */
export const SITE_TAG = 'all';

/** Names the scopes of a model. */
export interface TagNames {
  /** Returns the name of a type in tags: `article`. Unique in the model. */
  readonly nameOf: (type: ContentType) => string;
  /** Returns the scopes of a type: one for a locale, and those of all locales for null. */
  readonly scopesOf: (type: ContentType, locale: string | null) => readonly string[];
}

/** @param locales returns the codes of all locales */
export function createTagNames(model: ContentModel, locales: () => readonly string[]): TagNames {
  const rank = ({ origin }: ContentType): number => (origin === 'project' ? 0 : 1);
  const nameOf = memoize((type: ContentType): string => {
    const [first] = model.types
      .filter(({ singularName }) => singularName === type.singularName)
      .toSorted((left, right) => rank(left) - rank(right));
    return first === type ? type.singularName : kebabCase(type.typeName);
  });
  return {
    nameOf,
    scopesOf: (type, locale) => {
      if (!type.localized) return [nameOf(type)];
      return (locale === null ? locales() : [locale]).map((code) => `${nameOf(type)}@${code}`);
    },
  };
}

/** The tag of responses that cannot list all documents of a type: every change of the type announces it. */
export const anyChangeTag = (name: string): string => `${name}*`;

/** The tag of all responses that depend on a type: announced if a write changes too many documents. */
export const manyChangesTag = (name: string): string => `${name}!`;

/** The tag of a document: announced if its published version or a link that it owns changes. */
export const documentTag = (scope: string, documentId: string): string => `${scope}:${documentId}`;

/**
 * The tag of an inverse side of a document: announced if its list changes. Pages that show only the document
 * do not have it, so that a new article does not make all pages with its author stale.
 */
export const inverseTag = (scope: string, documentId: string, attribute: string): string =>
  `${documentTag(scope, documentId)}.${attribute}`;

/** The attribute of files under which `populate` returns the documents that link them. */
export const REFERRERS = 'related';

/** The tag of a list: announced if a published version appears or disappears. */
export const listTag = (scope: string): string => scope;

/**
 * The tag of responses with links of components, whose targets may not be published yet: announced if a
 * document is published that existed before.
 */
export const publishedTag = (scope: string): string => `${scope}+`;

/** The tag of lists that are sorted or filtered by an attribute: announced if its value changes anywhere. */
export const fieldTag = (scope: string, field: string): string => `${scope}.${field}`;

const HASH_LENGTH = 12;

/**
 * The tag of lists of the documents with one value: announced if such a document changes, appears or
 * disappears, before or after the write.
 */
export function equalityTag(scope: string, field: string, value: string): string {
  const digest = createHash('sha256').update(`${field}=${value}`).digest('hex');
  return `${scope}?${digest.slice(0, HASH_LENGTH)}`;
}

/** Types whose values usually select documents. Of other types only unique and indexed attributes do. */
const SELECTIVE_TYPES: readonly string[] = ['uid', 'enumeration', 'boolean'];
const COMPARABLE_TYPES: readonly string[] = [...SELECTIVE_TYPES, 'string', 'email', 'integer', 'biginteger'];

const isSelective = (attribute: Attribute | undefined): boolean =>
  attribute?.family === 'scalar' &&
  (SELECTIVE_TYPES.includes(attribute.type) ||
    (COMPARABLE_TYPES.includes(attribute.type) &&
      (attribute.isIndexed || attribute.constraints.unique === true)));

/** True if changes of a scalar announce tags of {@link equalityTag}. */
export const hasEqualityTags = ({ attributes }: ContentSchema, field: string): boolean =>
  Object.hasOwn(attributes, field) && isSelective(attributes[field]);

/** Prints a value as {@link equalityTag} compares it. Drivers return booleans as numbers or booleans. */
export function printTagValue(value: StoredScalar): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return textForm(value);
}

/** Returns the tags of all responses that depend on a type, by its name. */
export function tagsOfName(name: string): readonly string[] {
  return [manyChangesTag(name), anyChangeTag(name)];
}

/** Returns the name of the type that a tag belongs to. */
export function typeNameOfTag(tag: string): string {
  return tag.replace(/[@:.?!*+].*$/, '');
}
