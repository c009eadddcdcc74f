import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { ContentType, VersionStatus } from '../../model/model.js';
import type { AccessScope } from '../../query/read-access.js';
import type { ParseContext, PreparedInput } from '../validation/input.js';
import type { CreateParams, VersionTimes, WriteAccess } from '../documents.js';
import type { WriteAction } from '../hooks.js';
import type { VersionRow } from '../rows/version-statements.js';

/** Extent of the caller's right to one write. */
export interface WritePermission {
  readonly type: ContentType;
  /** Null: without limits. */
  readonly accessScope: AccessScope | null;
  /** The caller's read access. Undefined: the server itself writes. */
  readonly access: WriteAccess | undefined;
}

/** Versions of one document. Null: of any locale, of any status. */
export interface VersionPattern {
  readonly locale: string | null;
  readonly status: VersionStatus | null;
}

/** A write of one document, authorized and validated as far as that needs no transaction. */
export interface PreparedWrite {
  readonly action: WriteAction;
  readonly type: ContentType;
  /** Undefined: a new document. */
  readonly documentId: string | undefined;
  /** As it is stored. Null: all locales. */
  readonly locale: string | null;
  /** The status that is written. `published` writes the draft, too. Null: the write deletes. */
  readonly status: VersionStatus | null;
  /** The client's data, unchecked. Null for actions that take none. */
  readonly data: unknown;
  readonly input: PreparedInput;
  readonly permission: WritePermission;
  /** The version that must exist. Null: none needs to. */
  readonly required: VersionPattern | null;
  /** The versions that are deleted. Null: the write deletes none. */
  readonly removed: VersionPattern | null;
  /** True if a document that does not exist is created under the given id. */
  readonly createsMissing?: boolean;
  readonly strictness?: ParseContext['strictness'];
  readonly times?: VersionTimes | undefined;
  readonly onSaved?: CreateParams['onSaved'];
}

/** The input of a write that takes no data. */
export const NO_INPUT: PreparedInput = Object.freeze({ data: {}, hashed: new Map() });

/** True if the pattern covers the version. */
export function isCovered({ locale, status }: VersionPattern, row: VersionRow): boolean {
  return (locale === null || row.locale === locale) && (status === null || row.status === status);
}

/** A document whose row is locked until the transaction ends. */
export interface LockedDocument {
  readonly documentId: string;
  /** All its versions before the write, oldest first. Empty for a new document. */
  readonly rows: readonly VersionRow[];
}

/** A write of one document, and the document, which is locked until the transaction ends. */
export interface LockedWrite {
  readonly write: PreparedWrite;
  readonly document: LockedDocument;
}

/**
 * Thrown where a write of a batch changes rows that another one depends on, or may not be valid. The batch is
 * then rolled back, and each of its writes becomes a batch of its own.
 */
export class BatchConflict extends Error {
  override readonly name = 'BatchConflict';
}

/** Documents of a batch after which other requests get their turn. */
const DOCUMENTS_PER_TURN = 50;

/** Runs work for one item after the other, with turns for other requests in between. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Result | Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(await work(item));
    if (results.length % DOCUMENTS_PER_TURN === 0) await yieldToEventLoop();
  }
  return results;
}
