import type { LinkOperation } from '../../validation/input.js';
import type { LinkEntry } from './link-entry.js';
import type { RelationMapping } from './relation-mapping.js';

/** One relation or media attribute in one write. */
export interface RelationWrite {
  readonly mapping: RelationMapping;
  /** What the client asked for. Null: the links are only published or copied to a new locale. */
  readonly operation: LinkOperation | null;
}

/** What the database contains about the links that a relation write changes. */
export interface StoredLinks {
  /** Owner side: the links of this document's versions. Inverse side: the links to this document. */
  readonly entries: readonly LinkEntry[];
  /**
   * Links that may have to be removed. Owner side: other documents' links to targets that can have one owner
   * only. Inverse side: the links of owners that can have one target only.
   */
  readonly conflictingLinks: readonly LinkEntry[];
  /** Owner side: the last position in the inverse list of each target. */
  readonly lastPositionByTarget: ReadonlyMap<string, number>;
  /** Inverse side: the last position in the list of each owner's version. */
  readonly lastPositionByOwner: ReadonlyMap<number, number>;
  /** Inverse side: the last position in this document's list, if the operation only appends to it. Else 0. */
  readonly lastPosition: number;
}

export interface LoadedRelationWrite extends RelationWrite {
  readonly stored: StoredLinks;
}

/**
 * Whether the operation only removes links or appends them, so that it does not need to know the rest of the
 * list.
 */
export function isAppendOnly({ mapping, operation }: RelationWrite): boolean {
  return (
    mapping.attribute.many &&
    operation?.kind === 'change' &&
    operation.connect.every(({ position }) => position.at === 'end')
  );
}
