/** What of an export is imported. */
export const IMPORT_PARTS = ['content', 'files', 'config'] as const;
export type ImportPart = (typeof IMPORT_PARTS)[number];

/** What becomes of documents that the database has already. */
export const EXISTING_POLICIES = ['refuse', 'skip', 'replace'] as const;
/** `clear`: everything that the database has is deleted, as a backup that is restored takes its place. */
type ExistingPolicy = (typeof EXISTING_POLICIES)[number] | 'clear';

export interface ImportOptions {
  readonly parts: ReadonlySet<ImportPart>;
  /** The uids of the content-types whose documents are imported. Null: all. */
  readonly types: ReadonlySet<string> | null;
  readonly existing: ExistingPolicy;
}
