/**
 * Selects documents by how their draft and published versions relate. `status` decides which of the two is
 * returned. Has no effect on types without drafts. A pair is the draft and the published version of one
 * document in one locale.
 *
 * - `never-published`: drafts without a published version in their locale. Published versions: none.
 * - `has-published-version`: versions of pairs.
 * - `modified`, `unmodified`: versions of pairs whose draft was, or was not, saved after publishing: its
 *   `updatedAt` is, or is not, later than that of the published version. Saving a draft without changes
 *   counts as modified; discarding it does not.
 * - `never-published-document`: drafts of documents without a published version in any locale. Published
 *   versions: none.
 * - `has-published-version-document`: versions of documents that also have the other version, in any locale.
 * - `published-without-draft`, `published-with-draft`: published versions without, or with, a draft. Drafts:
 *   none.
 */
export const PUBLICATION_FILTERS = [
  'never-published',
  'has-published-version',
  'modified',
  'unmodified',
  'never-published-document',
  'has-published-version-document',
  'published-without-draft',
  'published-with-draft',
] as const;
export type PublicationFilter = (typeof PUBLICATION_FILTERS)[number];

/** Returns the effective filter of a query. Null: none. */
export function publicationFilterOf({
  publicationFilter,
  hasPublishedVersion,
}: {
  readonly publicationFilter?: PublicationFilter;
  readonly hasPublishedVersion: boolean | null;
}): PublicationFilter | null {
  if (publicationFilter !== undefined) return publicationFilter;
  if (hasPublishedVersion === null) return null;
  return hasPublishedVersion ? 'has-published-version-document' : 'never-published-document';
}
