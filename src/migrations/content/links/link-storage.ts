/** The version table of a type, and what its rows stand for. */
export interface VersionTable {
  readonly table: string;
  readonly drafts: boolean;
  readonly locales: boolean;
}

/** Storage location of the links of a relation or media attribute. */
export interface LinkStorage {
  readonly owner: VersionTable;
  /** The link table. Null if the link is a column of the owner's table. */
  readonly table: string | null;
  /** The column with the position in the inverse side's list. Null if that list has no order. */
  readonly inverse: string | null;
  readonly hasTargetStatus: boolean;
  readonly hasTargetLocale: boolean;
}

/** Links to one type before the migration, which become links of another storage. */
export interface LinkSource {
  readonly storage: LinkStorage;
  /** The column with the target. */
  readonly column: string;
  readonly target: VersionTable;
  /** True if the former target owns the links after the migration. */
  readonly isReversed: boolean;
  /** The column that holds the other end after the migration. */
  readonly to: string;
}

/** Storage location of links after the migration, with the limits on their number. */
export interface NewLinkStorage extends LinkStorage {
  /** The columns with the targets. One per target type. */
  readonly columns: readonly string[];
  /** True if a version of the owner links one target at most. */
  readonly isSingle: boolean;
  /** True if one owner at most may link a target. */
  readonly isExclusive: boolean;
}

/** Links that the migration saves before the tables change, and restores in their new form afterwards. */
export interface LinkMigration {
  readonly after: NewLinkStorage;
  /** Links of the first sources go first. */
  readonly sources: readonly LinkSource[];
}
