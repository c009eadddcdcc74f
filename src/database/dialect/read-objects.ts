/** Auxiliary objects of a database that reads use. */
export interface ReadObjects {
  /** The names of its full-text indexes. */
  readonly searchIndexes: ReadonlySet<string>;
}
