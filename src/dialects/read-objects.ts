/** What a database has beside the schema that reads use. */
export interface ReadObjects {
  /** The names of its full-text indexes. */
  readonly searchIndexes: ReadonlySet<string>;
  /** Whether it counts the rows of content-types while they are written. */
  readonly hasTotals: boolean;
}
