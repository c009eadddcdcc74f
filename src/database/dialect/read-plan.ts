/** The use of indexes in the database's plan of a read. */
export interface ReadPlan {
  /** True if it looks at every row of a table. */
  readonly scans: boolean;
  /** True if it sorts rows, instead of reading them in order. */
  readonly sorts: boolean;
  /** True if it compares values of rows that no index has selected. */
  readonly filters: boolean;
}
