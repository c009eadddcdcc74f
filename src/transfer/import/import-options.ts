/** The parts of an export that can be imported. */
export const IMPORT_PARTS = ['content', 'files', 'config'] as const;
export type ImportPart = (typeof IMPORT_PARTS)[number];

/** Policies for documents that the database already has. */
export const EXISTING_POLICIES = ['refuse', 'skip', 'replace'] as const;
/** `clear`: the whole content of the database is deleted, since a restored backup replaces it. */
type ExistingPolicy = (typeof EXISTING_POLICIES)[number] | 'clear';

export interface ImportOptions {
  readonly parts: ReadonlySet<ImportPart>;
  /** The uids of the content-types whose documents are imported. Null: all. */
  readonly types: ReadonlySet<string> | null;
  readonly existing: ExistingPolicy;
}
