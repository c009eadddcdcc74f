import { defined } from '../../lib/assert.js';
import { groupBy } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, ContentType, Link, LinkAttribute, Uid } from '../../model/model.js';
import type { LinkOperation } from '../validation/input.js';

/** A stored link: a row of a link table, or a version row whose column points at a document. */
export interface LinkEntry {
  /** The `id` of that row. */
  readonly rowId: number;
  /** The `id` of the owner's version that the link belongs to. */
  readonly sourceId: number;
  readonly sourceDocumentId: string;
  readonly sourceLocale: string;
  readonly sourceStatus: string;
  readonly targetType: Uid;
  readonly targetDocumentId: string;
  /** The status of the target. Null if the link does not store it. */
  readonly targetStatus: string | null;
  /** The locale of the target. Null if the link does not store it. */
  readonly targetLocale: string | null;
  /** The position in the owner's list. Null for column links. */
  readonly position: number | null;
  /** The position in the inverse side's list; null if that list has no order. */
  readonly inversePosition: number | null;
}

const SEPARATOR = '\n';

/** Returns a text that identifies a document in a list: its type, its id and the locale. */
export function relatedDocumentKey(type: Uid, documentId: string, locale: string): string {
  return [type, documentId, locale].join(SEPARATOR);
}

interface RelatedDocument {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale: string;
}

/** Parses a key of {@link relatedDocumentKey}. */
export function parseRelatedDocumentKey(key: string): RelatedDocument {
  const [type, documentId, locale] = key.split(SEPARATOR);
  return {
    type: defined(type, "A key's type"),
    documentId: defined(documentId, "A key's document id"),
    locale: defined(locale, "A key's locale"),
  };
}

const comparePositions =
  (positionOf: (entry: LinkEntry) => number | null) =>
  (left: LinkEntry, right: LinkEntry): number =>
    (positionOf(left) ?? 0) - (positionOf(right) ?? 0) || left.rowId - right.rowId;

/** Compares by the position in the owner's list. */
export const byPosition = comparePositions((entry) => entry.position);

/** Compares by the position in the inverse side's list. */
export const byInversePosition = comparePositions((entry) => entry.inversePosition);

/** Returns the links of each owner's version, by its `id`. */
export function groupBySource(entries: readonly LinkEntry[]): ReadonlyMap<number, readonly LinkEntry[]> {
  return groupBy(entries, ({ sourceId }) => sourceId);
}

/** A type that a link can point at, and the link's column for it. */
export interface RelationTarget {
  readonly type: ContentType;
  readonly column: string;
  readonly field: string;
}

/**
 * Location of the status (or locale) of a link: the version row of the `owner`, the row of the `link`, or
 * `none` if neither end has one.
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
  /** The types that the owner's rows can point at. On the inverse side, only `declaringType`. */
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

/** Returns the owner sides of the links that can point at documents of a type. */
export function incomingMappings(model: ContentModel, target: ContentType): readonly RelationMapping[] {
  return model.types
    .flatMap((type) => compileRelationMappings(model, type))
    .filter(
      ({ attribute, targets }) =>
        attribute.side === 'owner' && targets.some(({ type }) => type.uid === target.uid),
    );
}

/** Returns the type at the other end of the link for a reference to `uid`. */
export function relatedType(mapping: RelationMapping, uid: Uid): ContentType {
  if (mapping.attribute.side === 'inverse') return mapping.owner;
  const target = mapping.targets.find(({ type }) => type.uid === uid);
  return defined(target, `The target ${uid} of ${mapping.declaringType.uid} ${mapping.attribute.name}`).type;
}

/** Returns the single target of an inverse side, or of a link with one target type. */
export function singleTarget(mapping: RelationMapping): RelationTarget {
  const [target] = mapping.targets;
  return defined(target, `The target of ${mapping.declaringType.uid} ${mapping.attribute.name}`);
}

/** Returns the table whose rows are the links: the link table, or the owner's version table. */
export function linkTable({ link, owner }: RelationMapping): string {
  return link.kind === 'column' ? owner.storage.version.table : link.table;
}

/** True if the inverse side's list is ordered. */
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
 * Returns the locale in which the other end must exist, and to which the link belongs: the written locale, or
 * `fallback` if the written version has none.
 */
export function relatedLocale(related: ContentType, writtenLocale: string, fallbackLocale: string): string {
  if (!related.localized) return NO_LOCALE;
  return writtenLocale === NO_LOCALE ? fallbackLocale : writtenLocale;
}

/** One relation or media attribute in one write. */
export interface RelationWrite {
  readonly mapping: RelationMapping;
  /** The requested operation; null if the links are only published or copied to a new locale. */
  readonly operation: LinkOperation | null;
}

/** Stored data about the links that a relation write changes. */
export interface StoredLinks {
  /**
   * Owner side: the links of this document's versions. Inverse side: the links to this document, or only
   * those in a {@link isPartial | partial change}.
   */
  readonly entries: readonly LinkEntry[];
  /**
   * Links that may have to be removed. Owner side: other documents' links to targets that can have only one
   * owner. Inverse side: the links of owners that can have only one target.
   */
  readonly conflictingLinks: readonly LinkEntry[];
  /** Returns the next position after all versions of the list of a document at the other end. */
  readonly nextPosition: (documentId: string) => number;
  /** Positions in this document's list of an inverse side, next to the links of a partial change. */
  readonly neighbourPositions: readonly number[];
}

export interface LoadedRelationWrite extends RelationWrite {
  readonly stored: StoredLinks;
}

/** Returns a function that continues from the last position of each list. */
export function positionCounter(last: ReadonlyMap<string, number>): StoredLinks['nextPosition'] {
  const positions = new Map(last);
  return (documentId) => {
    const position = (positions.get(documentId) ?? 0) + 1;
    positions.set(documentId, position);
    return position;
  };
}

/** True if the operation changes only some links of a list. */
export function isPartial({ mapping, operation }: RelationWrite): boolean {
  return mapping.attribute.many && operation?.kind === 'change';
}
