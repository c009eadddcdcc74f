import type { VersionStatus } from '../../model/model.js';
import { baseRow, primaryRow, primaryStatus, publishedRow, siblingRow, writtenStatuses } from '../write-scope.js';
import type { WriteScope } from '../write-scope.js';
import { diffList } from './diff-list.js';
import type { Placed } from './diff-list.js';
import type { LinkChanges } from './link-changes.js';
import { byPosition, readPeerKey } from './link-entry.js';
import type { LinkEntry } from './link-entry.js';
import { hasInverseOrder, isShared } from './link-view.js';
import type { LinkWork } from './link-work.js';
import { applyListOperation, applyToOne } from './ordering.js';
import { entryKey, missingReference, resolveOperation } from './resolve-links.js';
import type { TargetBook } from './target-book.js';

/** Ids of the version rows that a write made or changed. */
export interface WrittenIds {
  readonly primary: number;
  /** Null: the published version was not written, or there is none beside the primary one. */
  readonly published: number | null;
}

interface OwnerPlan {
  readonly scope: WriteScope;
  readonly work: LinkWork;
  readonly book: TargetBook;
  readonly changes: LinkChanges;
}

/** The statuses of the target that this owner's lists are kept apart by; `null`: one list. */
const sliceStatuses = ({ view }: LinkWork): readonly (VersionStatus | null)[] => (view.statuses === 'link' ? ['draft', 'published'] : [null]);

const entriesOf = (work: LinkWork, sourceId: number | undefined, status: VersionStatus | null): readonly LinkEntry[] =>
  work.entries.filter((entry) => entry.sourceId === sourceId && (status === null || entry.targetStatus === status)).toSorted(byPosition);

const wantedKeys = ({ scope, work, book }: OwnerPlan, current: readonly string[], isFirst: boolean): readonly string[] => {
  const { view, operation } = work;
  if (operation === null) return current;
  const list = resolveOperation({ scope, view, book }, operation);
  if (!view.attribute.many) return applyToOne(current, list);
  return applyListOperation(current, list, () => {
    if (isFirst) throw missingReference([view.attribute.name]);
  });
};

/** Version rows that get the same list: the published one, and for what all locales share the other locales'. */
const copyTargets = (scope: WriteScope, work: LinkWork, published: number | null): readonly number[] => {
  const own = published === null ? [] : [published];
  if (!isShared(work.view)) return own;
  const statuses = published === null ? [primaryStatus(scope.type)] : [primaryStatus(scope.type), 'published'];
  const others = scope.rows.filter(({ locale, status }) => locale !== scope.locale && statuses.includes(status));
  return [...own, ...others.map(({ id }) => id)];
};

interface Slice {
  readonly sourceId: number;
  readonly status: VersionStatus | null;
  readonly wanted: readonly string[];
  /** Places in the inverse sides' lists, by key; shared by all copies of one list. */
  readonly inverse: Map<string, number | null>;
}

const placeInInverse = (work: LinkWork, key: string, known: Map<string, number | null>): number | null => {
  if (!hasInverseOrder(work.view.link)) return null;
  const stored = known.get(key);
  if (stored !== undefined) return stored;
  const { documentId } = readPeerKey(key);
  const place = (work.lastInverse.get(documentId) ?? 0) + 1;
  known.set(key, place);
  return place;
};

const writeSlice = ({ work, changes }: OwnerPlan, { sourceId, status, wanted, inverse }: Slice): void => {
  const { view } = work;
  const current = entriesOf(work, sourceId, status).map((entry): Placed<LinkEntry> => ({ key: entryKey(view, entry), position: entry.position, item: entry }));
  const diff = diffList(current, wanted);
  for (const entry of diff.removed) changes.remove(view, entry);
  for (const { item, position } of diff.moved) changes.move(view, item.rowId, 'owner', position);
  for (const { key, position } of diff.added) {
    const { type, documentId, locale } = readPeerKey(key);
    changes.insert(view, {
      sourceId, position,
      targetType: type, targetDocumentId: documentId,
      targetStatus: status, targetLocale: view.locales === 'link' ? locale : null,
      inversePosition: placeInInverse(work, key, inverse),
    });
  }
};

/** Takes exclusive targets from the other documents that linked them in the same status and locale. */
const steal = ({ scope, work, changes }: OwnerPlan, wanted: readonly string[], status: VersionStatus | null): void => {
  const keys = new Set(wanted);
  const written = writtenStatuses(scope);
  for (const rival of work.rivals) {
    const isSameStatus = status === null ? written.some((each) => each === rival.sourceStatus) : rival.targetStatus === status;
    if (keys.has(entryKey(work.view, rival)) && isSameStatus) changes.remove(work.view, rival);
  }
};

/**
 * Plans the owner's side of a link kept in a table, and the copies of the list. Answers whether the list is left empty.
 * The version rows must be written already.
 */
export function planOwnerList(plan: OwnerPlan, written: WrittenIds): { readonly isEmpty: boolean } {
  const { scope, work } = plan;
  const base = baseRow(scope) ?? (isShared(work.view) ? siblingRow(scope) : undefined);
  let isEmpty = true;
  sliceStatuses(work).forEach((status, index) => {
    const entries = entriesOf(work, base?.id, status);
    const wanted = wantedKeys(plan, entries.map((entry) => entryKey(work.view, entry)), index === 0);
    const inverse = new Map(entries.map((entry) => [entryKey(work.view, entry), entry.inversePosition]));
    for (const sourceId of [written.primary, ...copyTargets(scope, work, written.published)]) writeSlice(plan, { sourceId, status, wanted, inverse });
    steal(plan, wanted, status);
    if (wanted.length > 0) isEmpty = false;
  });
  return { isEmpty };
}

/** Whether a link table's list has to be looked at although nothing was sent: it is published, or copied to a new version. */
export function isCopied(scope: WriteScope, shared: boolean): boolean {
  const isPublished = scope.type.draftAndPublish && scope.publish && baseRow(scope) !== undefined;
  const isStarted = primaryRow(scope) === undefined && publishedRow(scope) !== undefined;
  return isPublished || isStarted || (shared && siblingRow(scope) !== undefined);
}
