import type { VersionStatus } from '../../../model/model.js';
import {
  baseRow,
  primaryRow,
  primaryStatus,
  publishedRow,
  siblingRow,
  writtenStatuses,
} from '../../write-context.js';
import type { WriteContext } from '../../write-context.js';
import { diffList, isSameList } from './diff-list.js';
import type { PositionedItem } from './diff-list.js';
import type { LinkChanges } from '../apply/link-changes.js';
import { byPosition, parseRelatedDocumentKey } from '../link-entry.js';
import type { LinkEntry } from '../link-entry.js';
import { hasInverseOrder, isShared } from '../relation-mapping.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import { applyListOperation, applyToOne } from './ordering.js';
import { entryKey, missingReference, resolveOperation } from '../targets/resolve-links.js';
import type { TargetLookup } from '../targets/target-lookup.js';

/** The ids of the version rows that a write created or updated. */
export interface WrittenVersionIds {
  readonly primary: number;
  /** Null: the published version was not written, or the primary version is the published one. */
  readonly published: number | null;
}

interface OwnerPlan {
  readonly context: WriteContext;
  readonly write: LoadedRelationWrite;
  readonly lookup: TargetLookup;
  readonly changes: LinkChanges;
}

/** Returns the target statuses for which the owner has a list each. `null`: one list for all. */
const listStatuses = ({ mapping }: LoadedRelationWrite): readonly (VersionStatus | null)[] =>
  mapping.statusStoredIn === 'link' ? ['draft', 'published'] : [null];

/** The links of a version, in their order. */
const storedList = (
  { mapping, stored }: LoadedRelationWrite,
  sourceId: number | undefined,
  status: VersionStatus | null,
): readonly PositionedItem<LinkEntry>[] =>
  stored.entries
    .filter((entry) => entry.sourceId === sourceId && (status === null || entry.targetStatus === status))
    .toSorted(byPosition)
    .map((entry) => ({ key: entryKey(mapping, entry), position: entry.position, item: entry }));

const desiredKeys = (
  { context, write, lookup }: OwnerPlan,
  current: readonly string[],
  isFirst: boolean,
): readonly string[] => {
  const { mapping, operation } = write;
  if (operation === null) return current;
  const listOperation = resolveOperation({ context, mapping, lookup }, operation);
  if (!mapping.attribute.many) return applyToOne(current, listOperation);
  return applyListOperation(current, listOperation, () => {
    if (isFirst) throw missingReference([mapping.attribute.name]);
  });
};

/**
 * Returns the version rows that get a copy of the list: the published version, and other locales that share
 * it.
 */
const copiedVersionIds = (
  context: WriteContext,
  write: LoadedRelationWrite,
  published: number | null,
): readonly number[] => {
  const publishedIds = published === null ? [] : [published];
  if (!isShared(write.mapping)) return publishedIds;
  const statuses =
    published === null ? [primaryStatus(context.type)] : [primaryStatus(context.type), 'published'];
  const otherLocales = context.rows.filter(
    ({ locale, status }) => locale !== context.locale && statuses.includes(status),
  );
  return [...publishedIds, ...otherLocales.map(({ id }) => id)];
};

interface StatusList {
  readonly sourceId: number;
  readonly status: VersionStatus | null;
  readonly current: readonly PositionedItem<LinkEntry>[];
  readonly desired: readonly string[];
  /** Positions in the inverse sides' lists by key. All copies of a list share them. */
  readonly inversePositions: Map<string, number | null>;
}

const inversePositionOf = (
  write: LoadedRelationWrite,
  { key, documentId }: { readonly key: string; readonly documentId: string },
  positions: Map<string, number | null>,
): number | null => {
  if (!hasInverseOrder(write.mapping.link)) return null;
  const stored = positions.get(key);
  if (stored !== undefined) return stored;
  const position = (write.stored.lastPositionByTarget.get(documentId) ?? 0) + 1;
  positions.set(key, position);
  return position;
};

const writeList = (
  { write, changes }: OwnerPlan,
  { sourceId, status, current, desired, inversePositions }: StatusList,
): void => {
  const { mapping } = write;
  if (isSameList(current, desired)) return;
  const diff = diffList(current, desired);
  for (const entry of diff.removed) changes.remove(mapping, entry);
  for (const { item, position } of diff.moved) changes.move(mapping, item.rowId, 'owner', position);
  for (const { key, position } of diff.added) {
    const { type, documentId, locale } = parseRelatedDocumentKey(key);
    changes.insert(mapping, {
      sourceId,
      position,
      targetType: type,
      targetDocumentId: documentId,
      targetStatus: status,
      targetLocale: mapping.localeStoredIn === 'link' ? locale : null,
      inversePosition: inversePositionOf(write, { key, documentId }, inversePositions),
    });
  }
};

/** Removes links of other documents to exclusive targets, in the same status and locale. */
const detachFromOtherOwners = (
  { context, write, changes }: OwnerPlan,
  desired: readonly string[],
  status: VersionStatus | null,
): void => {
  if (write.stored.conflictingLinks.length === 0) return;
  const keys = new Set(desired);
  const written = writtenStatuses(context);
  for (const conflictingLink of write.stored.conflictingLinks) {
    const isSameStatus =
      status === null
        ? written.some((writtenStatus) => writtenStatus === conflictingLink.sourceStatus)
        : conflictingLink.targetStatus === status;
    if (keys.has(entryKey(write.mapping, conflictingLink)) && isSameStatus)
      changes.remove(write.mapping, conflictingLink);
  }
};

/**
 * Plans the owner side of a table link, and the copies of its list. The version rows must have been written.
 *
 * @returns whether the list is empty afterwards
 */
export function planOwnerList(plan: OwnerPlan, written: WrittenVersionIds): { readonly isEmpty: boolean } {
  const { context, write } = plan;
  // Nothing is linked, and nothing is copied to the published version or to another locale.
  if (write.operation === null && write.stored.entries.length === 0) return { isEmpty: true };
  const base = baseRow(context) ?? (isShared(write.mapping) ? siblingRow(context) : undefined);
  let isEmpty = true;
  listStatuses(write).forEach((status, index) => {
    const stored = storedList(write, base?.id, status);
    const desired = desiredKeys(
      plan,
      stored.map(({ key }) => key),
      index === 0,
    );
    const inversePositions = new Map(stored.map(({ key, item }) => [key, item.inversePosition]));
    for (const sourceId of [written.primary, ...copiedVersionIds(context, write, written.published)]) {
      const current = sourceId === base?.id ? stored : storedList(write, sourceId, status);
      writeList(plan, { sourceId, status, current, desired, inversePositions });
    }
    detachFromOtherOwners(plan, desired, status);
    if (desired.length > 0) isEmpty = false;
  });
  return { isEmpty };
}

/** Whether a list in a link table is copied although none was sent: to the published or to a new version. */
export function isListCopied(context: WriteContext, shared: boolean): boolean {
  const isPublished = context.type.draftAndPublish && context.publish && baseRow(context) !== undefined;
  const startsFromPublished = primaryRow(context) === undefined && publishedRow(context) !== undefined;
  return isPublished || startsFromPublished || (shared && siblingRow(context) !== undefined);
}
