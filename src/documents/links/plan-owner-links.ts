import { defined } from '../../lib/assert.js';
import { getOrCreate } from '../../lib/collections.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ColumnLink, VersionStatus } from '../../model/model.js';
import {
  baseRow,
  primaryRow,
  primaryStatus,
  publishedRow,
  siblingRow,
  writtenStatuses,
} from '../write/write-context.js';
import type { WriteContext } from '../write/write-context.js';
import type { LinkChange } from './link-changes.js';
import { applyListOperation, applyToOne, arrangeList } from './ordering.js';
import type { PositionedItem } from './ordering.js';
import {
  byPosition,
  hasInverseOrder,
  isShared,
  parseRelatedDocumentKey,
  relatedDocumentKey,
  singleTarget,
} from './relation-mapping.js';
import type { LinkEntry, LoadedRelationWrite } from './relation-mapping.js';
import { entryKey, missingReference, resolveOperation } from './resolve-targets.js';
import type { TargetLookup } from './resolve-targets.js';

/** The new value of a to-one relation that is stored in a column. */
interface ColumnOutcome {
  /** Values for fields of the version row; empty if they do not change. */
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
const detachTarget = (
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
  const changes = documentId === null ? [] : detachTarget(write, documentId, writtenStatuses(context));
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

/** The ids of the version rows that a write created or updated. */
export interface WrittenVersionIds {
  readonly primary: number;
  /** Null if the published version was not written, or if it is the primary version. */
  readonly published: number | null;
}

interface OwnerPlan {
  readonly context: WriteContext;
  readonly write: LoadedRelationWrite;
  readonly lookup: TargetLookup;
}

/** Returns the target statuses, for each of which the owner has a list; `null` for one list of all. */
const listStatuses = ({ mapping }: LoadedRelationWrite): readonly (VersionStatus | null)[] =>
  mapping.statusStoredIn === 'link' ? ['draft', 'published'] : [null];

interface StoredItem extends PositionedItem {
  readonly entry: LinkEntry;
}

/** Returns the links of a version, in order. */
const storedList = (
  { mapping, stored }: LoadedRelationWrite,
  sourceId: number | undefined,
  status: VersionStatus | null,
): readonly StoredItem[] =>
  stored.entries
    .filter((entry) => entry.sourceId === sourceId && (status === null || entry.targetStatus === status))
    .toSorted(byPosition)
    .map((entry) => ({ key: entryKey(mapping, entry), position: entry.position, entry }));

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
  readonly current: readonly StoredItem[];
  readonly desired: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  /** Positions in the inverse sides' lists by key. All copies of a list share them. */
  readonly inversePositions: Map<string, number | null>;
}

const inversePositionOf = (
  { mapping, stored }: LoadedRelationWrite,
  { key, documentId }: { readonly key: string; readonly documentId: string },
  positions: Map<string, number | null>,
): number | null =>
  hasInverseOrder(mapping.link) ? getOrCreate(positions, key, () => stored.nextPosition(documentId)) : null;

const changesOfList = (
  write: LoadedRelationWrite,
  { sourceId, status, current, desired, positions, inversePositions }: StatusList,
): readonly LinkChange[] => {
  const { mapping } = write;
  const kept = new Set<string>();
  const changes: LinkChange[] = [];
  for (const { key, position, entry } of current) {
    const newPosition = kept.has(key) ? undefined : positions.get(key);
    kept.add(key);
    if (newPosition === undefined) changes.push({ kind: 'remove', mapping, rowId: entry.rowId });
    else if (newPosition !== position)
      changes.push({ kind: 'move', mapping, rowId: entry.rowId, side: 'owner', position: newPosition });
  }
  for (const key of desired) {
    if (kept.has(key)) continue;
    const { type, documentId, locale } = parseRelatedDocumentKey(key);
    const entry = {
      sourceId,
      position: defined(positions.get(key), 'The position of a link'),
      targetType: type,
      targetDocumentId: documentId,
      targetStatus: status,
      targetLocale: mapping.localeStoredIn === 'link' ? locale : null,
      inversePosition: inversePositionOf(write, { key, documentId }, inversePositions),
    };
    changes.push({ kind: 'insert', mapping, entry });
  }
  return changes;
};

/** Removes links of other documents to exclusive targets, in the same status and locale. */
const detachFromOtherOwners = (
  { context, write: { mapping, stored } }: OwnerPlan,
  desired: readonly string[],
  status: VersionStatus | null,
): readonly LinkChange[] => {
  if (stored.conflictingLinks.length === 0) return [];
  const keys = new Set(desired);
  const written = writtenStatuses(context);
  const isSameStatus = ({ sourceStatus, targetStatus }: LinkEntry): boolean =>
    status === null
      ? written.some((writtenStatus) => writtenStatus === sourceStatus)
      : targetStatus === status;
  return stored.conflictingLinks
    .filter((entry) => keys.has(entryKey(mapping, entry)) && isSameStatus(entry))
    .map(({ rowId }) => ({ kind: 'remove', mapping, rowId }));
};

const planStatusList = (
  plan: OwnerPlan,
  written: WrittenVersionIds,
  status: VersionStatus | null,
  isFirst: boolean,
): { readonly isEmpty: boolean; readonly changes: readonly LinkChange[] } => {
  const { context, write } = plan;
  const { mapping, stored } = write;
  const base = baseRow(context) ?? (isShared(mapping) ? siblingRow(context) : undefined);
  const list = storedList(write, base?.id, status);
  const desired = desiredKeys(
    plan,
    list.map(({ key }) => key),
    isFirst,
  );
  const others = stored.entries.flatMap(({ position }) => position ?? []);
  const { positions, isCrowded } = arrangeList(list, desired, others);
  const inversePositions = new Map(list.map(({ key, entry }) => [key, entry.inversePosition]));
  const sourceIds = [written.primary, ...copiedVersionIds(context, write, written.published)];
  const changes = sourceIds.flatMap((sourceId) => {
    const current = sourceId === base?.id ? list : storedList(write, sourceId, status);
    return changesOfList(write, { sourceId, status, current, desired, positions, inversePositions });
  });
  const { documentId } = context;
  const spacing: LinkChange = { kind: 'space', mapping, side: 'owner', documentId };
  return {
    isEmpty: desired.length === 0,
    changes: [...changes, ...(isCrowded ? [spacing] : []), ...detachFromOtherOwners(plan, desired, status)],
  };
};

/** Plans the owner side of a table link, and the copies of its list. The version rows must exist. */
export function planOwnerList(
  plan: OwnerPlan,
  written: WrittenVersionIds,
): { readonly isEmpty: boolean; readonly changes: readonly LinkChange[] } {
  const { operation, stored } = plan.write;
  // Nothing is linked, and nothing is copied to the published version or to another locale.
  if (operation === null && stored.entries.length === 0) return { isEmpty: true, changes: [] };
  const lists = listStatuses(plan.write).map((status, index) =>
    planStatusList(plan, written, status, index === 0),
  );
  return {
    isEmpty: lists.every(({ isEmpty }) => isEmpty),
    changes: lists.flatMap(({ changes }) => changes),
  };
}

/** True if a list in a link table is copied to the published or to a new version without being sent. */
export function isListCopied(context: WriteContext, shared: boolean): boolean {
  const isPublished = context.type.draftAndPublish && context.publish && baseRow(context) !== undefined;
  const startsFromPublished = primaryRow(context) === undefined && publishedRow(context) !== undefined;
  return isPublished || startsFromPublished || (shared && siblingRow(context) !== undefined);
}
