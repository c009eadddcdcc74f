import { toRestorable } from '../versions/document-history.js';
import type { Database } from '../../database/database.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/records.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ContentModel, VersionStatus } from '../../model/model.js';
import { IDS_ONLY } from '../../query/query.js';
import { FULL_ACCESS } from '../../query/read-access.js';
import type { ReadAccess } from '../../query/read-access.js';
import type { BulkItem, DocumentService } from '../documents.js';
import { readVersions, targetKeyOf } from './release-contents.js';
import type { ReleaseItem, ReleaseTarget } from './release-store.js';

interface RevertContext {
  readonly database: Database;
  readonly model: ContentModel;
  readonly documents: Pick<DocumentService, 'bulk'>;
  readonly access: ReadAccess | undefined;
}

/** A published version to write again, and the draft that the document keeps. */
interface ReplacedVersion extends ReleaseTarget {
  readonly published: string;
  readonly draft: string | undefined;
}

/** The writes that revert a release. */
interface RevertPlan {
  /** The documents that were published or unpublished after the release. */
  readonly changed: readonly ReleaseItem[];
  /** The documents that were not published before the release, and are now. */
  readonly unpublished: readonly ReleaseItem[];
  readonly replaced: readonly ReplacedVersion[];
}

/** A write of a revert that failed. */
interface RevertFailure {
  readonly item: ReleaseTarget;
  readonly error: GalleyError;
}

/** Compares the documents of a release with the versions that it replaced and wrote. */
export async function planRevert(context: RevertContext, items: readonly ReleaseItem[]): Promise<RevertPlan> {
  const current = await readVersions(context, items, 'published');
  const drafts = await readVersions(
    context,
    items.filter(({ content }) => content !== null),
    'draft',
  );
  const writtenAt = (item: ReleaseItem): number | null => current.get(targetKeyOf(item))?.updatedAt ?? null;
  return {
    changed: items.filter((item) => writtenAt(item) !== item.writtenAt),
    unpublished: items.filter((item) => item.content === null && writtenAt(item) !== null),
    replaced: items.flatMap(({ content, ...item }) =>
      content === null
        ? []
        : [{ ...item, published: content, draft: drafts.get(targetKeyOf(item))?.content }],
    ),
  };
}

const paramsOf = ({ type, documentId, locale }: ReleaseTarget, access: ReadAccess | undefined) => ({
  type,
  documentId,
  locale: locale === NO_LOCALE ? undefined : locale,
  access,
  selection: IDS_ONLY,
});

/** Returns the write of a stored version, without links to documents that no longer exist. */
const updateOf = async (
  { database, model, access }: RevertContext,
  target: ReleaseTarget,
  text: string,
  status: VersionStatus,
): Promise<BulkItem> => {
  const content: unknown = JSON.parse(text);
  const type = typeOf(model, target.type);
  const { data } = await toRestorable(
    { database, model },
    { type, access: access ?? FULL_ACCESS },
    isRecord(content) ? content : {},
  );
  return { action: 'update', params: { ...paramsOf(target, access), data, status } };
};

/** Makes the writes of a plan. Returns the first that failed. */
export async function restoreReplaced(
  context: RevertContext,
  { unpublished, replaced }: RevertPlan,
): Promise<RevertFailure | null> {
  const { documents, access } = context;
  const run = async (
    targets: readonly ReleaseTarget[],
    items: readonly BulkItem[],
  ): Promise<RevertFailure | null> => {
    const outcomes = await documents.bulk({ items, atomic: false });
    for (const [index, outcome] of outcomes.entries()) {
      const item = targets[index];
      if ('error' in outcome && item !== undefined) return { item, error: outcome.error };
    }
    return null;
  };
  const updates = async (
    versions: readonly ReplacedVersion[],
    status: VersionStatus,
  ): Promise<RevertFailure | null> => {
    const items: BulkItem[] = [];
    for (const version of versions)
      items.push(
        await updateOf(
          context,
          version,
          status === 'draft' ? (version.draft ?? version.published) : version.published,
          status,
        ),
      );
    return run(versions, items);
  };
  const failure =
    (await run(
      unpublished,
      unpublished.map((item) => ({ action: 'unpublish', params: paramsOf(item, access) })),
    )) ?? (await updates(replaced, 'published'));
  if (failure !== null) return failure;
  // Publishing wrote the draft as well, which gets its values back.
  return updates(
    replaced.filter(({ draft, published }) => draft !== undefined && draft !== published),
    'draft',
  );
}
