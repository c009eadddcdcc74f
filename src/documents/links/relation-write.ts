import type { LinkOperation } from '../validation/input.js';
import type { LinkEntry } from './link-entry.js';
import type { RelationMapping } from './relation-mapping.js';

/** One relation or media attribute in one write. */
export interface RelationWrite {
  readonly mapping: RelationMapping;
  /** The requested operation. Null: the links are only published or copied to a new locale. */
  readonly operation: LinkOperation | null;
}

/** Stored data about the links that a relation write changes. */
export interface StoredLinks {
  /**
   * Owner side: the links of this document's versions. Inverse side: the links to this document, or those
   * that {@link isPartial | a change} names.
   */
  readonly entries: readonly LinkEntry[];
  /**
   * Links that may have to be removed. Owner side: other documents' links to targets that can have one owner
   * only. Inverse side: the links of owners that can have one target only.
   */
  readonly conflictingLinks: readonly LinkEntry[];
  /** Returns the next position after all versions of the list of a document at the other end. */
  readonly nextPosition: (documentId: string) => number;
  /** Positions in this document's list of an inverse side, around those that a change names. */
  readonly neighbourPositions: readonly number[];
}

export interface LoadedRelationWrite extends RelationWrite {
  readonly stored: StoredLinks;
}

/** Returns a function that counts on from the last position of each list. */
export function positionCounter(last: ReadonlyMap<string, number>): StoredLinks['nextPosition'] {
  const positions = new Map(last);
  return (documentId) => {
    const position = (positions.get(documentId) ?? 0) + 1;
    positions.set(documentId, position);
    return position;
  };
}

/** True if the operation changes a list by the links that it names, whatever else the list contains. */
export function isPartial({ mapping, operation }: RelationWrite): boolean {
  return mapping.attribute.many && operation?.kind === 'change';
}
