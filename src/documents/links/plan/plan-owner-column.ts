import { NO_LOCALE } from '../../../model/model.js';
import type { ColumnLink, VersionStatus } from '../../../model/model.js';
import { baseRow, siblingRow, writtenStatuses } from '../../write/write-context.js';
import type { WriteContext } from '../../write/write-context.js';
import type { LinkChange } from '../apply/link-changes.js';
import { relatedDocumentKey, parseRelatedDocumentKey } from '../link-entry.js';
import { isShared, singleTarget } from '../relation-mapping.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import { applyToOne } from './ordering.js';
import { resolveOperation } from '../targets/resolve-links.js';
import type { TargetLookup } from '../targets/target-lookup.js';

/** The new value of a to-one relation that is stored in a column. */
export interface ColumnOutcome {
  /** Values for fields of the version row. Empty: they do not change. */
  readonly values: Readonly<Record<string, string | number | null>>;
  readonly documentId: string | null;
  /** Changes of other documents' links. */
  readonly changes: readonly LinkChange[];
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
  { mapping, stored }: LoadedRelationWrite,
  documentId: string,
  statuses: readonly VersionStatus[],
): readonly LinkChange[] =>
  stored.conflictingLinks
    .filter(
      ({ targetDocumentId, sourceStatus }) =>
        targetDocumentId === documentId && statuses.some((status) => status === sourceStatus),
    )
    .map(({ rowId }) => ({ kind: 'remove', mapping, rowId }));

/** Plans the owner side of a column link. Its value is written with the version row. */
export function planOwnerColumn(
  { context, lookup }: { readonly context: WriteContext; readonly lookup: TargetLookup },
  write: LoadedRelationWrite,
  link: ColumnLink,
): ColumnOutcome {
  const base = baseRow(context) ?? (isShared(write.mapping) ? siblingRow(context) : undefined);
  const current = linkedDocument(link, base?.values);
  const documentId = desiredDocument(context, write, lookup, current);
  const changes =
    documentId === null ? [] : detachFromOtherOwners(write, documentId, writtenStatuses(context));
  if (documentId === current) return { values: {}, documentId, changes };
  const position =
    documentId === null || link.position === null ? null : write.stored.nextPosition(documentId);
  return {
    values: {
      [link.field]: documentId,
      ...(link.position === null ? {} : { [link.position.field]: position }),
    },
    documentId,
    changes,
  };
}
