import { typeOf } from '../../../model/lookup.js';
import type { VersionStatus } from '../../../model/model.js';
import { writtenStatuses } from '../../write-context.js';
import type { WriteContext } from '../../write-context.js';
import { diffList } from './diff-list.js';
import type { PositionedItem } from './diff-list.js';
import type { LinkChanges } from '../apply/link-changes.js';
import { byInversePosition, parseRelatedDocumentKey } from '../link-entry.js';
import type { LinkEntry } from '../link-entry.js';
import { hasInverseOrder } from '../relation-mapping.js';
import { isAppendOnly } from '../relation-write.js';
import type { LoadedRelationWrite } from '../relation-write.js';
import { applyListOperation, applyToOne } from './ordering.js';
import type { ListOperation } from './ordering.js';
import type { WrittenVersionIds } from './plan-owner-list.js';
import { entryKey, missingReference, resolveOperation } from '../targets/resolve-links.js';
import type { TargetLookup } from '../targets/target-lookup.js';

interface InversePlanRequest {
  readonly context: WriteContext;
  readonly write: LoadedRelationWrite;
  readonly lookup: TargetLookup;
  readonly changes: LinkChanges;
  readonly versionIds: WrittenVersionIds;
}

interface InversePlan extends InversePlanRequest {
  /** The last position in the list of each owner's version, counted up as links are added. */
  readonly lastPositionByOwner: Map<number, number>;
}

/**
 * Returns the statuses in which links are written. `null`: neither end has one. A document of a type without
 * drafts is linked to both versions of owners that have drafts.
 */
const listStatuses = (
  context: WriteContext,
  { mapping }: LoadedRelationWrite,
): readonly (VersionStatus | null)[] => {
  if (mapping.statusStoredIn === 'none') return [null];
  return typeOf(context.model, context.type.uid).draftAndPublish
    ? writtenStatuses(context)
    : ['draft', 'published'];
};

const isInList = (
  { mapping }: LoadedRelationWrite,
  entry: LinkEntry,
  status: VersionStatus | null,
): boolean => {
  if (status === null) return true;
  return (mapping.statusStoredIn === 'owner' ? entry.sourceStatus : entry.targetStatus) === status;
};

/**
 * Returns the id of the owner's version that is to link here. That can be the written version. Undefined: the
 * owner has no version of that status.
 */
const ownerVersionId = (
  { context, write, lookup, versionIds }: InversePlan,
  key: string,
  status: VersionStatus | null,
): number | undefined => {
  const { mapping } = write;
  const { type, documentId, locale } = parseRelatedDocumentKey(key);
  const requiredStatus = mapping.statusStoredIn === 'owner' ? status : null;
  if (
    documentId === context.documentId &&
    locale === context.locale &&
    requiredStatus === 'published' &&
    versionIds.published !== null
  )
    return versionIds.published;
  return lookup
    .versions(type, documentId, locale)
    .find((version) => requiredStatus === null || version.status === requiredStatus)?.id;
};

/** Removes the previous target of an owner that can have one target only. */
const detachPreviousTarget = (
  { context, write, changes }: InversePlan,
  sourceId: number,
  status: VersionStatus | null,
): void => {
  const { mapping } = write;
  for (const conflictingLink of write.stored.conflictingLinks) {
    const isSameStatus = mapping.statusStoredIn !== 'link' || conflictingLink.targetStatus === status;
    const isSameLocale = mapping.localeStoredIn !== 'link' || conflictingLink.targetLocale === context.locale;
    if (conflictingLink.sourceId === sourceId && isSameStatus && isSameLocale)
      changes.remove(mapping, conflictingLink);
  }
};

const addLink = (
  plan: InversePlan,
  sourceId: number,
  status: VersionStatus | null,
  listPosition: number,
): void => {
  const { context, write, changes } = plan;
  const { mapping } = write;
  const inversePosition = hasInverseOrder(mapping.link) ? listPosition : null;
  if (mapping.link.kind === 'column') {
    changes.assign(mapping, { rowId: sourceId, documentId: context.documentId, inversePosition });
    return;
  }
  if (!mapping.link.ownerMany) detachPreviousTarget(plan, sourceId, status);
  const position = (plan.lastPositionByOwner.get(sourceId) ?? 0) + 1;
  plan.lastPositionByOwner.set(sourceId, position);
  changes.insert(mapping, {
    sourceId,
    position,
    inversePosition,
    targetType: mapping.declaringType.uid,
    targetDocumentId: context.documentId,
    targetStatus: mapping.statusStoredIn === 'link' ? status : null,
    targetLocale: mapping.localeStoredIn === 'link' ? context.locale : null,
  });
};

const moveLink = ({ write, changes }: InversePlan, entry: LinkEntry, listPosition: number): void => {
  if (hasInverseOrder(write.mapping.link)) changes.move(write.mapping, entry.rowId, 'inverse', listPosition);
};

interface StatusList {
  readonly status: VersionStatus | null;
  readonly entries: readonly LinkEntry[];
  readonly isFirst: boolean;
}

/** Appends and removes links without knowing the rest of the list. */
const appendToList = (
  plan: InversePlan,
  { status, entries }: StatusList,
  operation: ListOperation & { readonly kind: 'change' },
): void => {
  const { write, changes } = plan;
  const stored = new Map(entries.map((entry) => [entryKey(write.mapping, entry), entry]));
  const connected = new Set(operation.connect.map(({ key }) => key));
  for (const key of operation.disconnect) {
    const entry = stored.get(key);
    if (entry !== undefined && !connected.has(key)) changes.remove(write.mapping, entry);
  }
  let listPosition = write.stored.lastPosition;
  for (const key of connected) {
    const entry = stored.get(key);
    const ownerId = entry === undefined ? ownerVersionId(plan, key, status) : undefined;
    listPosition += 1;
    if (entry !== undefined) moveLink(plan, entry, listPosition);
    else if (ownerId !== undefined) addLink(plan, ownerId, status, listPosition);
  }
};

const arrangeList = (
  plan: InversePlan,
  { status, entries, isFirst }: StatusList,
  operation: ListOperation,
): boolean => {
  const { write, changes } = plan;
  const { attribute } = write.mapping;
  const current = entries.map((entry): PositionedItem<LinkEntry> => ({
    key: entryKey(write.mapping, entry),
    position: entry.inversePosition,
    item: entry,
  }));
  const keys = current.map(({ key }) => key);
  const onMissing = (): void => {
    if (isFirst) throw missingReference([attribute.name]);
  };
  const desired = attribute.many
    ? applyListOperation(keys, operation, onMissing)
    : applyToOne(keys, operation);
  // A document without a version of this status keeps its position, and gets it when it is published.
  const diff = diffList(current, desired);
  for (const entry of diff.removed) changes.remove(write.mapping, entry);
  for (const { item, position } of diff.moved) moveLink(plan, item, position);
  for (const { key, position } of diff.added) {
    const ownerId = ownerVersionId(plan, key, status);
    if (ownerId !== undefined) addLink(plan, ownerId, status, position);
  }
  return desired.length === 0;
};

/** Whether an item is removed from a list. */
const isRemoved = (key: string, operation: ListOperation, isList: boolean): boolean => {
  if (operation.kind === 'set') return !operation.targets.includes(key);
  if (operation.connect.some((placement) => placement.key === key)) return false;
  return operation.disconnect.includes(key) || (!isList && operation.connect.length > 0);
};

/** A link of the draft to its own document that is removed here is not published with the owner's side. */
const withholdOwnLink = (
  { context, write: { mapping, stored }, changes, versionIds }: InversePlan,
  operation: ListOperation,
): void => {
  const { published } = versionIds;
  if (published === null || mapping.statusStoredIn !== 'owner') return;
  const own = stored.entries.find(
    ({ sourceDocumentId, sourceLocale, sourceStatus }) =>
      sourceDocumentId === context.documentId && sourceLocale === context.locale && sourceStatus === 'draft',
  );
  if (own === undefined || !isRemoved(entryKey(mapping, own), operation, mapping.attribute.many)) return;
  changes.withhold(mapping, published, context.documentId);
};

/**
 * Plans the inverse side of a link, which changes the owners' versions.
 *
 * @returns whether the list is empty afterwards
 */
export function planInverse(request: InversePlanRequest): { readonly isEmpty: boolean } {
  const { context, write, lookup } = request;
  const plan = { ...request, lastPositionByOwner: new Map(write.stored.lastPositionByOwner) };
  if (write.operation === null) return { isEmpty: false };
  const operation = resolveOperation({ context, mapping: write.mapping, lookup }, write.operation);
  withholdOwnLink(plan, operation);
  let isEmpty = true;
  listStatuses(context, write).forEach((status, index) => {
    const list = {
      status,
      isFirst: index === 0,
      entries: write.stored.entries
        .filter((entry) => isInList(write, entry, status))
        .toSorted(byInversePosition),
    };
    if (isAppendOnly(write) && operation.kind === 'change') {
      appendToList(plan, list, operation);
      isEmpty = false;
    } else if (!arrangeList(plan, list, operation)) {
      isEmpty = false;
    }
  });
  return { isEmpty };
}
