import type { VersionStatus } from '../../model/model.js';
import { writtenStatuses } from '../write-scope.js';
import type { WriteScope } from '../write-scope.js';
import { diffList } from './diff-list.js';
import type { Placed } from './diff-list.js';
import type { LinkChanges } from './link-changes.js';
import { byInversePosition, readPeerKey } from './link-entry.js';
import type { LinkEntry } from './link-entry.js';
import { hasInverseOrder } from './link-view.js';
import { isAppending } from './link-work.js';
import type { LinkWork } from './link-work.js';
import { applyListOperation, applyToOne } from './ordering.js';
import type { ListOperation } from './ordering.js';
import type { WrittenIds } from './plan-owner-list.js';
import { entryKey, missingReference, resolveOperation } from './resolve-links.js';
import type { TargetBook } from './target-book.js';

interface InversePlan {
  readonly scope: WriteScope;
  readonly work: LinkWork;
  readonly book: TargetBook;
  readonly changes: LinkChanges;
  readonly written: WrittenIds;
}

/** The statuses in which links are written; `null`: neither end has any. A type without drafts links both versions of those that have them. */
const sliceStatuses = (scope: WriteScope, { view }: LinkWork): readonly (VersionStatus | null)[] => {
  if (view.statuses === 'none') return [null];
  return scope.type.draftAndPublish ? writtenStatuses(scope) : ['draft', 'published'];
};

const isInSlice = ({ view }: LinkWork, entry: LinkEntry, status: VersionStatus | null): boolean => {
  if (status === null) return true;
  return (view.statuses === 'owner' ? entry.sourceStatus : entry.targetStatus) === status;
};

/** The owner's version that is to link here, which may be the written one; undefined: it has none of that status. */
const ownerRow = ({ scope, work, book, written }: InversePlan, key: string, status: VersionStatus | null): number | undefined => {
  const { view } = work;
  const { type, documentId, locale } = readPeerKey(key);
  const wanted = view.statuses === 'owner' ? status : null;
  if (documentId === scope.documentId && locale === scope.locale && wanted === 'published' && written.published !== null) return written.published;
  return book.versions(type, documentId, locale).find((version) => wanted === null || version.status === wanted)?.id;
};

/** An owner that holds one target lets go of the one it had. */
const dropOwnersOthers = ({ scope, work, changes }: InversePlan, sourceId: number, status: VersionStatus | null): void => {
  const { view } = work;
  for (const rival of work.rivals) {
    const isSameStatus = view.statuses !== 'link' || rival.targetStatus === status;
    const isSameLocale = view.locales !== 'link' || rival.targetLocale === scope.locale;
    if (rival.sourceId === sourceId && isSameStatus && isSameLocale) changes.remove(view, rival);
  }
};

const link = (plan: InversePlan, sourceId: number, status: VersionStatus | null, place: number): void => {
  const { scope, work, changes } = plan;
  const { view } = work;
  const inversePosition = hasInverseOrder(view.link) ? place : null;
  if (view.link.kind === 'column') {
    changes.point(view, { rowId: sourceId, documentId: scope.documentId, inversePosition });
    return;
  }
  if (!view.link.ownerMany) dropOwnersOthers(plan, sourceId, status);
  const position = (work.lastOwn.get(sourceId) ?? 0) + 1;
  work.lastOwn.set(sourceId, position);
  changes.insert(view, {
    sourceId, position, inversePosition,
    targetType: view.self.uid, targetDocumentId: scope.documentId,
    targetStatus: view.statuses === 'link' ? status : null, targetLocale: view.locales === 'link' ? scope.locale : null,
  });
};

const move = ({ work, changes }: InversePlan, entry: LinkEntry, place: number): void => {
  if (hasInverseOrder(work.view.link)) changes.move(work.view, entry.rowId, 'inverse', place);
};

interface Slice {
  readonly status: VersionStatus | null;
  readonly entries: readonly LinkEntry[];
  readonly isFirst: boolean;
}

/** Adds at the end and takes out, without looking at the rest of the list. */
const appendSlice = (plan: InversePlan, { status, entries }: Slice, operation: ListOperation & { readonly kind: 'change' }): void => {
  const { work, changes } = plan;
  const stored = new Map(entries.map((entry) => [entryKey(work.view, entry), entry]));
  const connected = new Set(operation.connect.map(({ key }) => key));
  for (const key of operation.disconnect) {
    const entry = stored.get(key);
    if (entry !== undefined && !connected.has(key)) changes.remove(work.view, entry);
  }
  let place = work.lastHere ?? 0;
  for (const key of connected) {
    const entry = stored.get(key);
    const row = entry === undefined ? ownerRow(plan, key, status) : undefined;
    place += 1;
    if (entry !== undefined) move(plan, entry, place);
    else if (row !== undefined) link(plan, row, status, place);
  }
};

const arrangeSlice = (plan: InversePlan, { status, entries, isFirst }: Slice, operation: ListOperation): boolean => {
  const { work, changes } = plan;
  const { attribute } = work.view;
  const current = entries.map((entry): Placed<LinkEntry> => ({ key: entryKey(work.view, entry), position: entry.inversePosition, item: entry }));
  const keys = current.map(({ key }) => key);
  const onMissing = (): void => {
    if (isFirst) throw missingReference([attribute.name]);
  };
  const asked = attribute.many ? applyListOperation(keys, operation, onMissing) : applyToOne(keys, operation);
  // A document without a version of this status has its place all the same: it takes it when it is published.
  const diff = diffList(current, asked);
  for (const entry of diff.removed) changes.remove(work.view, entry);
  for (const { item, position } of diff.moved) move(plan, item, position);
  for (const { key, position } of diff.added) {
    const row = ownerRow(plan, key, status);
    if (row !== undefined) link(plan, row, status, position);
  }
  return asked.length === 0;
};

/** Plans the inverse side of a link: the owners' versions are changed. Answers whether the list is left empty. */
export function planInverse(plan: InversePlan): { readonly isEmpty: boolean } {
  const { scope, work, book } = plan;
  if (work.operation === null) return { isEmpty: false };
  const operation = resolveOperation({ scope, view: work.view, book }, work.operation);
  let isEmpty = true;
  sliceStatuses(scope, work).forEach((status, index) => {
    const slice = { status, isFirst: index === 0, entries: work.entries.filter((entry) => isInSlice(work, entry, status)).toSorted(byInversePosition) };
    if (isAppending(work) && operation.kind === 'change') {
      appendSlice(plan, slice, operation);
      isEmpty = false;
    } else if (!arrangeSlice(plan, slice, operation)) {
      isEmpty = false;
    }
  });
  return { isEmpty };
}
