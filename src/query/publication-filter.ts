/**
 * Which documents a read selects by how their draft and published versions relate, beside the `status` that says which of the two is answered.
 * It has no meaning for types without drafts. A pair are the draft and the published version of one document in one locale.
 *
 * - `never-published`: drafts without a published version in their locale. Published versions: none.
 * - `has-published-version`: versions of pairs.
 * - `modified`, `unmodified`: versions of pairs whose draft was, or was not, saved after it was last published: its `updatedAt` is, or is not,
 *   later than the published version's. A draft that was saved with the values it had counts as modified; one that was discarded does not.
 * - `never-published-document`: drafts of documents that have no published version in any locale. Published versions: none.
 * - `has-published-version-document`: versions of documents that have the other version too, in some locale.
 * - `published-without-draft`, `published-with-draft`: published versions that lack, or have, their draft. Drafts: none.
 */
export const PUBLICATION_FILTERS = [
  'never-published', 'has-published-version', 'modified', 'unmodified', 'never-published-document', 'has-published-version-document',
  'published-without-draft', 'published-with-draft',
] as const;
export type PublicationFilter = (typeof PUBLICATION_FILTERS)[number];

/** The filter of a query, in whichever way it was asked for; null: none. */
export function publicationFilterOf({ publicationFilter, hasPublishedVersion }: { readonly publicationFilter?: PublicationFilter; readonly hasPublishedVersion: boolean | null }): PublicationFilter | null {
  if (publicationFilter !== undefined) return publicationFilter;
  if (hasPublishedVersion === null) return null;
  return hasPublishedVersion ? 'has-published-version-document' : 'never-published-document';
}
