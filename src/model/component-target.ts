import type { LinkAttribute, Uid } from './model.js';

/** The target of a link inside a component. */
export interface ComponentTarget {
  readonly type: Uid;
  readonly documentId: string;
}

/** Returns the prefix of the stored targets of polymorphic relations that are of a type. */
export function targetPrefix(type: Uid): string {
  return `${type} `;
}

/** A target as the JSON of components stores it: its documentId, after its type where that is not known. */
export function storedTarget({ target }: LinkAttribute, { type, documentId }: ComponentTarget): string {
  return target === null ? `${targetPrefix(type)}${documentId}` : documentId;
}

/** Reads what {@link storedTarget} wrote. Null: something else. */
export function readStoredTarget({ target }: LinkAttribute, stored: string): ComponentTarget | null {
  if (target !== null) return { type: target, documentId: stored };
  const end = stored.indexOf(' ');
  return end < 0 ? null : { type: stored.slice(0, end), documentId: stored.slice(end + 1) };
}
