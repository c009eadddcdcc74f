import { defined } from '../../lib/defined.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, ContentType, Link, LinkAttribute, Uid } from '../../model/model.js';

/** A type that a link can point at, and the link's column for it. */
export interface RelationTarget {
  readonly type: ContentType;
  readonly column: string;
  readonly field: string;
}

/**
 * Location of the status (or locale) of a link: the `owner`'s version row, the `link`'s own row, or `none`
 * because neither end has one.
 */
type StoredIn = 'owner' | 'link' | 'none';

/** A relation or media attribute and its link, seen from the attribute's type. */
export interface RelationMapping {
  readonly attribute: LinkAttribute;
  readonly link: Link;
  /** The type that declares the attribute. */
  readonly declaringType: ContentType;
  /** The type whose version rows hold the link. */
  readonly owner: ContentType;
  /** The types the owner's rows can point at. On the inverse side only `declaringType`. */
  readonly targets: readonly RelationTarget[];
  readonly statusStoredIn: StoredIn;
  readonly localeStoredIn: StoredIn;
}

const relationTargets = (model: ContentModel, link: Link): readonly RelationTarget[] => {
  switch (link.kind) {
    case 'column':
      return [{ type: typeOf(model, link.target), column: link.column, field: link.field }];
    case 'table':
      return [{ type: typeOf(model, link.target), column: 'target_document_id', field: 'targetDocumentId' }];
    case 'morph':
      return link.targets.map(({ uid, column, field }) => ({ type: typeOf(model, uid), column, field }));
    default:
      return link satisfies never;
  }
};

const storedIn = (ownerHas: boolean, linkHas: boolean): StoredIn => {
  if (ownerHas) return 'owner';
  return linkHas ? 'link' : 'none';
};

const compileMapping = (
  model: ContentModel,
  declaringType: ContentType,
  attribute: LinkAttribute,
  link: Link,
): RelationMapping => {
  const owner = typeOf(model, link.owner);
  const targets = relationTargets(model, link);
  return Object.freeze({
    attribute,
    link,
    declaringType,
    owner,
    targets:
      attribute.side === 'owner' ? targets : targets.filter(({ type }) => type.uid === declaringType.uid),
    statusStoredIn: storedIn(owner.draftAndPublish, link.kind === 'table' && link.hasTargetStatus),
    localeStoredIn: storedIn(owner.localized, link.kind === 'table' && link.hasTargetLocale),
  });
};

/** Returns the links of a type's relation and media attributes. */
export function compileRelationMappings(model: ContentModel, type: ContentType): readonly RelationMapping[] {
  return Object.values(type.attributes).flatMap((attribute) => {
    if ((attribute.family !== 'relation' && attribute.family !== 'media') || attribute.link === null)
      return [];
    return [compileMapping(model, type, attribute, attribute.link)];
  });
}

/** Returns the type at the other end of the link that a reference to `uid` names. */
export function relatedType(mapping: RelationMapping, uid: Uid): ContentType {
  if (mapping.attribute.side === 'inverse') return mapping.owner;
  const target = mapping.targets.find(({ type }) => type.uid === uid);
  return defined(target, `The target ${uid} of ${mapping.declaringType.uid} ${mapping.attribute.name}`).type;
}

/**
 * Returns the only column by which the owner's rows point at this document. For inverse sides and for links
 * with one target type.
 */
export function singleTarget(mapping: RelationMapping): RelationTarget {
  const [target] = mapping.targets;
  return defined(target, `The target of ${mapping.declaringType.uid} ${mapping.attribute.name}`);
}

/** Returns the table whose rows are the links: the link table, or the owner's version table. */
export function linkTable({ link, owner }: RelationMapping): string {
  return link.kind === 'column' ? owner.storage.version.table : link.table;
}

/** True if the inverse side's list has an order of its own. */
export function hasInverseOrder(link: Link): boolean {
  if (link.kind === 'morph') return false;
  return link.kind === 'table' ? link.hasInversePosition : link.position !== null;
}

/** True if all locales of a document share the links: media attributes that are not localised. */
export function isShared(mapping: RelationMapping): boolean {
  return (
    mapping.declaringType.localized && mapping.attribute.side === 'owner' && !mapping.attribute.localized
  );
}

/**
 * Returns the locale in which the other end has to exist, and to which the link belongs: the written locale,
 * or `fallback` if the written version has none.
 */
export function relatedLocale(related: ContentType, writtenLocale: string, fallbackLocale: string): string {
  if (!related.localized) return NO_LOCALE;
  return writtenLocale === NO_LOCALE ? fallbackLocale : writtenLocale;
}
