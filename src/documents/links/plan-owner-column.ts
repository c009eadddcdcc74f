import type { ColumnLink, VersionStatus } from '../../model/model.js';
import { baseRow, siblingRow, writtenStatuses } from '../write-scope.js';
import type { WriteScope } from '../write-scope.js';
import type { LinkChanges } from './link-changes.js';
import { peerKey, readPeerKey } from './link-entry.js';
import { isShared } from './link-view.js';
import type { LinkWork } from './link-work.js';
import { applyToOne } from './ordering.js';
import { resolveOperation } from './resolve-links.js';
import type { TargetBook } from './target-book.js';

/** What a to-one relation kept in a column becomes. */
export interface ColumnOutcome {
  /** Fields of the version row; empty: they stay. */
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly documentId: string | null;
}

const linkedDocument = (link: ColumnLink, values: Readonly<Record<string, unknown>> | undefined): string | null => {
  const documentId = values?.[link.field];
  return typeof documentId === 'string' ? documentId : null;
};

const wantedDocument = (scope: WriteScope, work: LinkWork, book: TargetBook, current: string | null): string | null => {
  const { view, operation } = work;
  if (operation === null) return current;
  const [end] = view.ends;
  const keys = current === null || end === undefined ? [] : [peerKey(end.type.uid, current, '')];
  const [wanted] = applyToOne(keys, resolveOperation({ scope, view, book }, operation));
  return wanted === undefined ? null : readPeerKey(wanted).documentId;
};

/** A document that may have one owner is taken from those that had it, in every status that is written. */
const stealFrom = (work: LinkWork, documentId: string, statuses: readonly VersionStatus[], changes: LinkChanges): void => {
  for (const rival of work.rivals) {
    const isWritten = statuses.some((status) => status === rival.sourceStatus);
    if (rival.targetDocumentId === documentId && isWritten) changes.remove(work.view, rival);
  }
};

/** Plans the owner's side of a link kept in a column: it is written with the version row itself. */
export function planOwnerColumn(scope: WriteScope, work: LinkWork, link: ColumnLink, book: TargetBook, changes: LinkChanges): ColumnOutcome {
  const base = baseRow(scope) ?? (isShared(work.view) ? siblingRow(scope) : undefined);
  const current = linkedDocument(link, base?.values);
  const documentId = wantedDocument(scope, work, book, current);
  if (documentId !== null) stealFrom(work, documentId, writtenStatuses(scope), changes);
  if (documentId === current) return { data: {}, documentId };
  const place = documentId === null ? null : (work.lastInverse.get(documentId) ?? 0) + 1;
  return { data: { [link.field]: documentId, ...(link.position === null ? {} : { [link.position.field]: place }) }, documentId };
}
