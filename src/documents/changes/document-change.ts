import { isRecord } from '../../lib/is-record.js';
import type { Uid, VersionStatus } from '../../model/model.js';
import type { WriteAction } from '../hooks.js';

/** A write that is committed, by whichever process. */
export interface DocumentChange {
  readonly action: WriteAction;
  readonly type: Uid;
  readonly documentId: string;
  /** The locale written; null for types that are not localised, and where all were deleted. */
  readonly locale: string | null;
  /** `published`: the published version was written (with its draft, where there are drafts). */
  readonly status: VersionStatus | null;
  /** Of what was removed: keys of the watches it had fulfilled until then. */
  readonly watches: readonly string[];
}

export function printChange({ action, type, documentId, locale, status, watches }: DocumentChange): string {
  return JSON.stringify({ action, type, documentId, locale, status, ...(watches.length === 0 ? {} : { watches }) });
}

/** Null for what is no message of this version's. */
export function parseChange(text: string): DocumentChange | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || typeof value['type'] !== 'string' || typeof value['documentId'] !== 'string' || typeof value['action'] !== 'string') return null;
  return { ...(value as unknown as DocumentChange), watches: Array.isArray(value['watches']) ? (value['watches'] as string[]) : [] };
}
