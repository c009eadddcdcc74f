/** How a database would run a read, as far as indexes matter. */
export interface ReadPlan {
  /** Whether it looks at every row of a table. */
  readonly scans: boolean;
  /** Whether it sorts rows, instead of reading them in order. */
  readonly sorts: boolean;
  /** Whether it compares values of rows that no index has selected. */
  readonly filters: boolean;
}
