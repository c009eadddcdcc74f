import type { Uid } from '../../model/model.js';

/** One link as it is stored: a row of a link table, or a version row whose column points somewhere. */
export interface LinkEntry {
  /** `id` of that row. */
  readonly rowId: number;
  /** The owner's version the link belongs to. */
  readonly sourceId: number;
  readonly sourceDocumentId: string;
  readonly sourceLocale: string;
  readonly sourceStatus: string;
  readonly targetType: Uid;
  readonly targetDocumentId: string;
  /** Null where the link does not say. */
  readonly targetStatus: string | null;
  readonly targetLocale: string | null;
  /** Place in the owner's list; null for columns, which hold one. */
  readonly position: number | null;
  /** Place in the inverse side's list; null where that has no order. */
  readonly inversePosition: number | null;
}

const SEPARATOR = '\n';

/** Names a document at the other end of a list: its type, its id and the locale meant. */
export function peerKey(type: Uid, documentId: string, locale: string): string {
  return [type, documentId, locale].join(SEPARATOR);
}

export interface Peer {
  readonly type: Uid;
  readonly documentId: string;
  readonly locale: string;
}

export function readPeerKey(key: string): Peer {
  const [type = '', documentId = '', locale = ''] = key.split(SEPARATOR);
  return { type, documentId, locale };
}

const byPlace = (place: (entry: LinkEntry) => number | null) => (left: LinkEntry, right: LinkEntry): number =>
  (place(left) ?? 0) - (place(right) ?? 0) || left.rowId - right.rowId;

/** In the owner's order. */
export const byPosition = byPlace((entry) => entry.position);

/** In the inverse side's order. */
export const byInversePosition = byPlace((entry) => entry.inversePosition);
