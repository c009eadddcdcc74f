import type { ContentModel, ContentType } from '../../model/model.js';
import { isUnchanged, mergeData } from './merge-values.js';
import type { Merged, Sides } from './merge-values.js';
import { isSame } from './version-data.js';
import type { Data } from './version-data.js';

/** The draft and the published version of a document in a locale. */
export interface Versions {
  readonly draft: Data;
  /** Null: not published. The draft itself if both are equal. */
  readonly published: Data | null;
}

/** A value that both sides have changed differently. */
export interface Conflict {
  readonly version: 'draft' | 'published';
  /** The path of the value, or `$status`. */
  readonly path: string;
}

export interface MergedVersions {
  /** The versions in which the file wins every conflict. */
  readonly file: Versions;
  /** The versions in which the database wins every conflict. */
  readonly database: Versions;
  readonly conflicts: readonly Conflict[];
}

/** The path of conflicts about the status. */
export const STATUS_PATH = '$status';

const mergePublished = (
  model: ContentModel,
  type: ContentType,
  { base, file, database }: Sides<Data | null>,
  baseDraft: Data | undefined,
): Merged<Data | null> => {
  if (file !== null && database !== null)
    return mergeData(model, type, { base: base ?? baseDraft, file, database });
  const published = file ?? database;
  const agreed = (value: Data | null): Merged<Data | null> => ({
    file: value,
    database: value,
    conflicts: [],
  });
  // One side has published the document, or none.
  if (base === null || base === undefined || published === null) return agreed(published);
  // The other side has unpublished it.
  if (isUnchanged(model, type, base, published)) return agreed(null);
  return { file, database, conflicts: [STATUS_PATH] };
};

/** Files may omit generated values, so that only values of both versions are compared. */
const areEqual = (draft: Data, published: Data): boolean =>
  Object.entries(draft).every(([name, value]) => !(name in published) || isSame(value, published[name]));

const joinVersions = (draft: Data, published: Data | null): Versions => ({
  draft,
  published: published !== null && areEqual(draft, published) ? draft : published,
});

const isOneVersion = ({ draft, published }: Versions): boolean => draft === published;

/** Merges a document in a locale: drafts and published versions by attribute, and the status. */
export function mergeVersions(
  model: ContentModel,
  type: ContentType,
  { base, file, database }: Sides<Versions>,
): MergedVersions {
  const drafts = mergeData(model, type, {
    base: base?.draft,
    file: file.draft,
    database: database.draft,
  });
  const draftConflicts = drafts.conflicts.map((path): Conflict => ({ version: 'draft', path }));
  if (base !== undefined && [base, file, database].every(isOneVersion))
    return {
      file: { draft: drafts.file, published: drafts.file },
      database: { draft: drafts.database, published: drafts.database },
      conflicts: draftConflicts,
    };
  const published = mergePublished(
    model,
    type,
    { base: base?.published, file: file.published, database: database.published },
    base?.draft,
  );
  return {
    file: joinVersions(drafts.file, published.file),
    database: joinVersions(drafts.database, published.database),
    conflicts: [
      ...draftConflicts,
      ...published.conflicts.map((path): Conflict => ({ version: 'published', path })),
    ],
  };
}
