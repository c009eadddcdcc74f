import { defined } from '../../lib/defined.js';
import { getOrCreate } from '../../lib/memoize.js';
import type { Uid } from '../../model/model.js';

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
  /** The position in the inverse side's list. Null if that has no order. */
  readonly inversePosition: number | null;
}

const SEPARATOR = '\n';

/** Returns a text that identifies a document in a list: its type, its id and the locale. */
export function relatedDocumentKey(type: Uid, documentId: string, locale: string): string {
  return [type, documentId, locale].join(SEPARATOR);
}

export interface RelatedDocument {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale: string;
}

/** Parses a key that {@link relatedDocumentKey} has made. */
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
  const bySource = new Map<number, LinkEntry[]>();
  for (const entry of entries) getOrCreate(bySource, entry.sourceId, () => []).push(entry);
  return bySource;
}
