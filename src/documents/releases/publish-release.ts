import { isDeepStrictEqual } from 'node:util';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { NO_LOCALE } from '../../model/model.js';
import { IDS_ONLY } from '../../query/query.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { BulkItem } from '../documents.js';
import { keepReplaced, keepWritten, readVersions, targetKeyOf } from './release-contents.js';
import {
  assertMayChange,
  assertOpen,
  changeRelease,
  describeTarget,
  findRelease,
  namedIn,
  toEntry,
  visibleItems,
} from './release-context.js';
import type { Release, ReleaseContext, ReleaseEntry, ReleaseProblem } from './release-context.js';
import type { ReleaseChange, ReleaseItem, StoredRelease } from './release-store.js';
import { planRevert, restoreReplaced } from './revert-release.js';

/** The effect of a change on one attribute. */
interface AttributeChange {
  readonly attribute: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The effect of a change. */
export interface ReleaseDifference extends ReleaseEntry {
  /** True if the document is not published before. */
  readonly isNew: boolean;
  readonly attributes: readonly AttributeChange[];
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

const parseContent = (text: string | undefined): Readonly<Record<string, unknown>> => {
  const content: unknown = text === undefined ? NOTHING : JSON.parse(text);
  return isRecord(content) ? content : NOTHING;
};

const attributeChanges = (
  before: string | undefined,
  after: string | undefined,
): readonly AttributeChange[] => {
  const [left, right] = [parseContent(before), parseContent(after)];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.flatMap((attribute) => {
    const [from, to] = [left[attribute] ?? null, right[attribute] ?? null];
    return isDeepStrictEqual(from, to) ? [] : [{ attribute, before: from, after: to }];
  });
};

/** Returns the effect of each change of a release: that to come, or once it is published, the past one. */
export async function diffRelease(
  context: ReleaseContext,
  name: string,
): Promise<readonly ReleaseDifference[]> {
  const release = await findRelease(context, name);
  const items = await visibleItems(context, release);
  const current = await readVersions(context, items, 'published');
  const publishing = items.filter(({ action }) => action === 'publish');
  const drafts = await readVersions(context, publishing, 'draft');
  const isDone = release.publishedAt !== null;
  return items.map((item) => {
    const key = targetKeyOf(item);
    const live = current.get(key)?.content;
    const before = isDone ? (item.content ?? undefined) : live;
    const after = isDone ? live : drafts.get(key)?.content;
    return { ...toEntry(item), isNew: before === undefined, attributes: attributeChanges(before, after) };
  });
}

/** Returns the write that makes a change. */
const toBulkItem = (
  { type, documentId, locale, action }: ReleaseChange,
  access: ReadAccess | undefined,
): BulkItem => ({
  action,
  params: {
    type,
    documentId,
    locale: locale === NO_LOCALE ? undefined : locale,
    access,
    selection: IDS_ONLY,
  },
});

/** Makes the changes, and returns those that failed. Changes of removed types are skipped. */
const runItems = async (
  { model, documents, access }: ReleaseContext,
  items: readonly ReleaseItem[],
): Promise<readonly ReleaseProblem[]> => {
  const known = items.filter(({ type }) => model.typesByUid[type]?.draftAndPublish === true);
  const outcomes = await documents.bulk({
    items: known.map((item) => toBulkItem(item, access)),
    atomic: false,
  });
  return known.flatMap((item, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined || !('error' in outcome)) return [];
    const { message, details } = outcome.error;
    return [{ ...toEntry(item), reason: message, errors: details.errors ?? [] }];
  });
};

/** Returns the error of a release, some of whose changes failed. Null: none did. */
const invalidRelease = (
  release: StoredRelease,
  problems: readonly ReleaseProblem[],
  total: number,
): GalleyError | null => {
  const [first] = problems;
  if (first === undefined) return null;
  const item = describeTarget({ ...first, locale: first.locale ?? NO_LOCALE });
  const params = { ...namedIn(release), failed: problems.length, total, item, reason: first.reason };
  return createError('release/invalid', params, { details: { problems } });
};

/**
 * Returns the changes of a release that can be published.
 *
 * @throws `release/published`, `release/empty`, `request/forbidden`
 */
export async function publishableItems(
  context: ReleaseContext,
  release: StoredRelease,
): Promise<readonly ReleaseItem[]> {
  assertOpen(release);
  const items = await context.store.items(release.id);
  if (items.length === 0) throw createError('release/empty', namedIn(release));
  assertMayChange(context, items);
  return items;
}

/** Makes the changes of a release, and returns those that failed. */
export async function checkRelease(
  context: ReleaseContext,
  name: string,
): Promise<readonly ReleaseProblem[]> {
  return runItems(context, await publishableItems(context, await findRelease(context, name)));
}

/**
 * Makes all changes of a release in one transaction.
 *
 * @throws `release/invalid`, after which nothing has changed, and the errors of `publishableItems`
 */
export function publishRelease(context: ReleaseContext, name: string): Promise<Release> {
  return changeRelease(context, { action: 'publish', name }, async (tx, release) => {
    const items = await publishableItems(context, release);
    await keepReplaced(context, tx, release.id, items);
    const error = invalidRelease(release, await runItems(context, items), items.length);
    if (error !== null) throw error;
    await keepWritten(context, tx, items);
    const publishedAt = context.clock().getTime();
    await context.store.update(tx, release.id, { publishedAt, at: null, revertedAt: null, error: null });
  });
}

/**
 * Restores the published versions that a release replaced, in one transaction.
 *
 * @throws `release/not-published`, `release/changed` unless it is forced, `release/not-reverted`
 */
export function revertRelease(
  context: ReleaseContext,
  name: string,
  { isForced }: { readonly isForced: boolean },
): Promise<Release> {
  return changeRelease(context, { action: 'revert', name }, async (tx, release) => {
    if (release.publishedAt === null) throw createError('release/not-published', namedIn(release));
    const items = await context.store.items(release.id);
    assertMayChange(context, items);
    const plan = await planRevert(context, items);
    const [first] = plan.changed;
    if (first !== undefined && !isForced)
      throw createError(
        'release/changed',
        { ...namedIn(release), count: plan.changed.length, item: describeTarget(first) },
        { details: { changes: plan.changed.map(toEntry) } },
      );
    const failure = await restoreReplaced(context, plan);
    if (failure !== null)
      throw createError('release/not-reverted', {
        ...namedIn(release),
        item: describeTarget(failure.item),
        reason: failure.error.message,
      });
    await context.store.update(tx, release.id, {
      publishedAt: null,
      revertedAt: context.clock().getTime(),
    });
  });
}
