import { isRecord } from '../../lib/is-record.js';
import type { Uid, VersionStatus } from '../../model/model.js';
import type { WriteAction } from '../hooks.js';

/** A committed write of any process. */
export interface DocumentChange {
  readonly action: WriteAction;
  readonly type: Uid;
  readonly documentId: string;
  /** The written locale. Null for types that are not localised, and if all locales were deleted. */
  readonly locale: string | null;
  /** `published`: the published version was written, and the draft if the type has drafts. */
  readonly status: VersionStatus | null;
  /** If a version was removed: the keys of the watches that matched it. */
  readonly watches: readonly string[];
}

/** Prints a change as a message for all listening processes. {@link parseChange} reads it. */
export function printChange({ action, type, documentId, locale, status, watches }: DocumentChange): string {
  return JSON.stringify({
    action,
    type,
    documentId,
    locale,
    status,
    ...(watches.length === 0 ? {} : { watches }),
  });
}

/** Parses a message. Returns null if it is not a valid change. */
export function parseChange(text: string): DocumentChange | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (
    !isRecord(value) ||
    typeof value['type'] !== 'string' ||
    typeof value['documentId'] !== 'string' ||
    typeof value['action'] !== 'string'
  )
    return null;
  return {
    ...(value as unknown as DocumentChange),
    watches: Array.isArray(value['watches']) ? (value['watches'] as string[]) : [],
  };
}
