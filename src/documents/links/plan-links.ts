import { defined } from '../../lib/assert.js';
import { getOrCreate } from '../../lib/collections.js';
import { typeOf } from '../../model/lookup.js';
import type { VersionStatus } from '../../model/model.js';
import { throwIssues } from '../validation/issues.js';
import type { Issue } from '../validation/issues.js';
import type { FieldValues } from '../write/table-statements.js';
import { writtenStatuses } from '../write/write-context.js';
import type { WriteContext } from '../write/write-context.js';
import type { LinkChange } from './link-changes.js';
import { applyListOperation, applyToOne, arrangeList } from './ordering.js';
import type { ArrangedList, ListOperation, PositionedItem } from './ordering.js';
import { planOwnerColumn, planOwnerList } from './plan-owner-links.js';
import type { WrittenVersionIds } from './plan-owner-links.js';
import {
  byInversePosition,
  hasInverseOrder,
  isPartial,
  parseRelatedDocumentKey,
} from './relation-mapping.js';
import type { LinkEntry, LoadedRelationWrite, RelationMapping } from './relation-mapping.js';
import { entryKey, missingReference, resolveOperation } from './resolve-targets.js';
import type { TargetLookup } from './resolve-targets.js';

/*
 * Plans the rows of relations and media that a write changes. prefetch-links loads the stored links,
 * resolve-targets finds the linked documents, ordering computes positions in lists, and link-changes
 * writes the planned changes.
 */

interface InversePlanRequest {
  readonly context: WriteContext;
  readonly write: LoadedRelationWrite;
  readonly lookup: TargetLookup;
  readonly versionIds: WrittenVersionIds;
}

interface InversePlan extends InversePlanRequest {
  readonly operation: ListOperation;
  /** The keys that the operation links. */
  readonly linked: ReadonlySet<string>;
  /** Positions in the owners' lists by key. All versions of a link share them. */
  readonly ownerPositions: Map<string, number>;
}

/**
 * Returns the statuses in which links are written; `null` if neither end has a status. A document of a type
 * without drafts is linked to both versions of owners that have drafts.
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
 * Returns the id of the owner's version that will link the document. This can be the written version.
 * Undefined if the owner has no version of that status.
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

/** Removes the previous target of an owner that can have only one target. */
const detachPreviousTarget = (
  { context, write: { mapping, stored } }: InversePlan,
  sourceId: number,
  status: VersionStatus | null,
): readonly LinkChange[] => {
  const isReplaced = (entry: LinkEntry): boolean =>
    entry.sourceId === sourceId &&
    (mapping.statusStoredIn !== 'link' || entry.targetStatus === status) &&
    (mapping.localeStoredIn !== 'link' || entry.targetLocale === context.locale);
  return stored.conflictingLinks.filter(isReplaced).map(({ rowId }) => ({ kind: 'remove', mapping, rowId }));
};

interface AddedLink {
  readonly key: string;
  readonly sourceId: number;
  readonly status: VersionStatus | null;
  readonly inversePosition: number | null;
}

const addLink = (
  plan: InversePlan,
  { key, sourceId, status, inversePosition }: AddedLink,
): readonly LinkChange[] => {
  const { context, write, ownerPositions } = plan;
  const { mapping, stored } = write;
  const { documentId } = context;
  if (mapping.link.kind === 'column')
    return [{ kind: 'assign', mapping, rowId: sourceId, documentId, inversePosition }];
  const entry = {
    sourceId,
    position: getOrCreate(ownerPositions, key, () =>
      stored.nextPosition(parseRelatedDocumentKey(key).documentId),
    ),
    inversePosition,
    targetType: mapping.declaringType.uid,
    targetDocumentId: documentId,
    targetStatus: mapping.statusStoredIn === 'link' ? status : null,
    targetLocale: mapping.localeStoredIn === 'link' ? context.locale : null,
  };
  return [
    ...(mapping.link.ownerMany ? [] : detachPreviousTarget(plan, sourceId, status)),
    { kind: 'insert', mapping, entry },
  ];
};

interface StatusList {
  readonly status: VersionStatus | null;
  /** The links, in order. */
  readonly entries: readonly LinkEntry[];
}

const linkedKeys = (operation: ListOperation, isList: boolean): ReadonlySet<string> => {
  if (operation.kind === 'set') return new Set(operation.targets);
  return new Set(operation.connect.slice(isList ? 0 : -1).map(({ key }) => key));
};

/** Arranges the list of the edited version. The lists of other versions get the same positions. */
const arrangeEntries = (
  { write: { mapping, stored }, operation, linked }: InversePlan,
  { entries }: StatusList,
): ArrangedList & { readonly desired: readonly string[] } => {
  const { attribute } = mapping;
  const named = entries.map((entry): PositionedItem => ({
    key: entryKey(mapping, entry),
    position: entry.inversePosition,
  }));
  // Links that are not loaded are in the list as positions, so that others are placed between them.
  const taken = new Set(named.map(({ position }) => position));
  const others = [...new Set(stored.neighbourPositions)].filter((position) => !taken.has(position));
  const current = [...named, ...others.map((position) => ({ key: `at ${position}`, position }))].toSorted(
    (one, other) => (one.position ?? 0) - (other.position ?? 0),
  );
  const keys = current.map(({ key }) => key);
  const desired = attribute.many
    ? applyListOperation(keys, operation, () => {
        throw missingReference([attribute.name]);
      })
    : applyToOne(keys, operation);
  const used = stored.entries.flatMap(({ inversePosition }) => inversePosition ?? []);
  return { desired, ...arrangeList(current, desired, used, (key) => linked.has(key)) };
};

/** True if an item is removed from a list. */
const isRemoved = (
  { operation, linked, write: { mapping } }: Pick<InversePlan, 'operation' | 'linked' | 'write'>,
  key: string,
): boolean => {
  if (linked.has(key)) return false;
  if (operation.kind === 'set') return true;
  return operation.disconnect.includes(key) || (!mapping.attribute.many && linked.size > 0);
};

const changesOfList = (
  plan: InversePlan,
  { status, entries }: StatusList,
  { desired, positions }: ReturnType<typeof arrangeEntries>,
): readonly LinkChange[] => {
  const { write, linked } = plan;
  const { mapping } = write;
  const hasOrder = hasInverseOrder(mapping.link);
  const stored = new Set<string>();
  const changes: LinkChange[] = [];
  for (const entry of entries) {
    const key = entryKey(mapping, entry);
    stored.add(key);
    const { rowId } = entry;
    const position = positions.get(key);
    if (isRemoved(plan, key)) changes.push({ kind: 'remove', mapping, rowId });
    else if (hasOrder && linked.has(key) && position !== undefined && position !== entry.inversePosition)
      changes.push({ kind: 'move', mapping, rowId, side: 'inverse', position });
  }
  for (const key of desired) {
    if (stored.has(key) || !linked.has(key)) continue;
    // A document without a version of this status gets its position when it is published.
    const sourceId = ownerVersionId(plan, key, status);
    const inversePosition = hasOrder ? (positions.get(key) ?? null) : null;
    if (sourceId !== undefined) changes.push(...addLink(plan, { key, sourceId, status, inversePosition }));
  }
  return changes;
};

/** Excludes a removed link of a document to itself from publication with the owner's side. */
const excludeSelfLink = (plan: InversePlan): readonly LinkChange[] => {
  const { context, versionIds } = plan;
  const { mapping, stored } = plan.write;
  const { published } = versionIds;
  if (published === null || mapping.statusStoredIn !== 'owner') return [];
  const selfLink = stored.entries.find(
    ({ sourceDocumentId, sourceLocale, sourceStatus }) =>
      sourceDocumentId === context.documentId && sourceLocale === context.locale && sourceStatus === 'draft',
  );
  if (selfLink === undefined || !isRemoved(plan, entryKey(mapping, selfLink))) return [];
  return [{ kind: 'exclude', mapping, sourceId: published, documentId: context.documentId }];
};

/** Plans the inverse side of a link, which changes the owners' versions. */
function planInverse(request: InversePlanRequest): {
  readonly isEmpty: boolean;
  readonly changes: readonly LinkChange[];
} {
  const { context, write, lookup } = request;
  const { mapping, stored } = write;
  if (write.operation === null) return { isEmpty: false, changes: [] };
  const operation = resolveOperation({ context, mapping, lookup }, write.operation);
  const plan: InversePlan = {
    ...request,
    operation,
    linked: linkedKeys(operation, mapping.attribute.many),
    ownerPositions: new Map(
      stored.entries.flatMap((entry) =>
        entry.position === null ? [] : [[entryKey(mapping, entry), entry.position] as const],
      ),
    ),
  };
  const lists = listStatuses(context, write).map((status): StatusList => ({
    status,
    entries: stored.entries.filter((entry) => isInList(write, entry, status)).toSorted(byInversePosition),
  }));
  const arranged = arrangeEntries(plan, defined(lists[0], 'The list of an inverse side'));
  const { documentId } = context;
  const spacing: LinkChange = { kind: 'space', mapping, side: 'inverse', documentId };
  return {
    isEmpty: arranged.desired.length === 0 && !isPartial(write),
    changes: [
      ...excludeSelfLink(plan),
      ...lists.flatMap((list) => changesOfList(plan, list, arranged)),
      ...(arranged.isCrowded ? [spacing] : []),
    ],
  };
}

/** The stored rows and the operations for planning the links of one document. */
export interface LinkPlan {
  readonly context: WriteContext;
  readonly writes: readonly LoadedRelationWrite[];
  readonly requiredLinks: ReadonlySet<string>;
  readonly lookup: TargetLookup;
}

/** The changes of links that are columns. */
export interface ColumnPlan {
  /** Values to write with the version rows. */
  readonly values: FieldValues;
  /** Changes of other documents' links. */
  readonly changes: readonly LinkChange[];
  readonly issues: readonly Issue[];
}

const requiredIssues = (
  { requiredLinks }: LinkPlan,
  { attribute }: RelationMapping,
  isEmpty: boolean,
): readonly Issue[] =>
  isEmpty && requiredLinks.has(attribute.name) && !attribute.many
    ? [{ path: [attribute.name], message: 'must be set' }]
    : [];

/** Plans the links that are columns. */
export function planColumns(plan: LinkPlan): ColumnPlan {
  const outcomes = plan.writes.flatMap((write) => {
    const { link, attribute } = write.mapping;
    if (link.kind !== 'column' || attribute.side === 'inverse') return [];
    return [{ ...planOwnerColumn(plan, write, link), mapping: write.mapping }];
  });
  return {
    values: Object.assign({}, ...outcomes.map(({ values }) => values)) as FieldValues,
    changes: outcomes.flatMap(({ changes }) => changes),
    issues: outcomes.flatMap(({ mapping, documentId }) => requiredIssues(plan, mapping, documentId === null)),
  };
}

/**
 * Plans the links that are not columns, once the version rows are written. Returns their changes and those of
 * the column plan.
 *
 * @throws `request/invalid-relation`, and `request/invalid-values` for required links that are left empty
 */
export function planLists(
  plan: LinkPlan,
  columns: ColumnPlan,
  versionIds: WrittenVersionIds,
): readonly LinkChange[] {
  const outcomes = plan.writes.flatMap((write) => {
    const { link, attribute } = write.mapping;
    if (attribute.side === 'inverse')
      return [{ ...planInverse({ ...plan, write, versionIds }), mapping: write.mapping }];
    return link.kind === 'column'
      ? []
      : [{ ...planOwnerList({ ...plan, write }, versionIds), mapping: write.mapping }];
  });
  throwIssues([
    ...columns.issues,
    ...outcomes.flatMap(({ mapping, isEmpty }) => requiredIssues(plan, mapping, isEmpty)),
  ]);
  return [...columns.changes, ...outcomes.flatMap(({ changes }) => changes)];
}
