import { NO_LOCALE } from '../../../model/model.js';
import type { ColumnLink, VersionStatus } from '../../../model/model.js';
import { baseRow, siblingRow, writtenStatuses } from '../../write-context.js';
import type { WriteContext } from '../../write-context.js';
import type { LinkChanges } from '../apply/link-changes.js';
import { relatedDocumentKey, parseRelatedDocumentKey } from '../link-entry.js';
import { isShared, singleTarget } from '../relation-mapping.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import { applyToOne } from './ordering.js';
import { resolveOperation } from '../targets/resolve-links.js';
import type { TargetLookup } from '../targets/target-lookup.js';

/** The new value of a to-one relation that is stored in a column. */
export interface ColumnOutcome {
  /** Values for fields of the version row. Empty: they do not change. */
  readonly data: Readonly<Record<string, string | number | null>>;
  readonly documentId: string | null;
}

const linkedDocument = (
  link: ColumnLink,
  values: Readonly<Record<string, unknown>> | undefined,
): string | null => {
  const documentId = values?.[link.field];
  return typeof documentId === 'string' ? documentId : null;
};

const desiredDocument = (
  context: WriteContext,
  write: LoadedRelationWrite,
  lookup: TargetLookup,
  current: string | null,
): string | null => {
  const { mapping, operation } = write;
  if (operation === null) return current;
  const keys =
    current === null ? [] : [relatedDocumentKey(singleTarget(mapping).type.uid, current, NO_LOCALE)];
  const [desired] = applyToOne(keys, resolveOperation({ context, mapping, lookup }, operation));
  return desired === undefined ? null : parseRelatedDocumentKey(desired).documentId;
};

/** Removes an exclusive target's links from its other owners, in every status that is written. */
const detachFromOtherOwners = (
  write: LoadedRelationWrite,
  documentId: string,
  statuses: readonly VersionStatus[],
  changes: LinkChanges,
): void => {
  for (const conflictingLink of write.stored.conflictingLinks) {
    const isWritten = statuses.some((status) => status === conflictingLink.sourceStatus);
    if (conflictingLink.targetDocumentId === documentId && isWritten)
      changes.remove(write.mapping, conflictingLink);
  }
};

/** Plans the owner side of a column link. Its value is written with the version row. */
export function planOwnerColumn(
  context: WriteContext,
  write: LoadedRelationWrite,
  link: ColumnLink,
  lookup: TargetLookup,
  changes: LinkChanges,
): ColumnOutcome {
  const base = baseRow(context) ?? (isShared(write.mapping) ? siblingRow(context) : undefined);
  const current = linkedDocument(link, base?.values);
  const documentId = desiredDocument(context, write, lookup, current);
  if (documentId !== null) detachFromOtherOwners(write, documentId, writtenStatuses(context), changes);
  if (documentId === current) return { data: {}, documentId };
  const position = documentId === null ? null : (write.stored.lastPositionByTarget.get(documentId) ?? 0) + 1;
  return {
    data: {
      [link.field]: documentId,
      ...(link.position === null ? {} : { [link.position.field]: position }),
    },
    documentId,
  };
}
