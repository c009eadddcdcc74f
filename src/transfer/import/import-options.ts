/** What of an export is imported. */
export const IMPORT_PARTS = ['content', 'files', 'config'] as const;
export type ImportPart = (typeof IMPORT_PARTS)[number];

/** What becomes of documents that the database has already. */
export const EXISTING_POLICIES = ['refuse', 'skip', 'replace'] as const;
type ExistingPolicy = (typeof EXISTING_POLICIES)[number];

export interface ImportOptions {
  readonly parts: ReadonlySet<ImportPart>;
  /** The uids of the content-types whose documents are imported. Null: all. */
  readonly types: ReadonlySet<string> | null;
  readonly existing: ExistingPolicy;
}
