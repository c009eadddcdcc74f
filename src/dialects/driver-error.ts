/** A fault that a driver reported, in terms common to all databases. */
export type DriverErrorInfo =
  /** SQLite names the columns. PostgreSQL names the constraint or index, and `columns` is empty. */
  | { readonly kind: 'unique'; readonly columns: readonly string[]; readonly constraint: string | null }
  | { readonly kind: 'foreign-key' }
  /** Another transaction was in the way. The same transaction may succeed when it is run again. */
  | { readonly kind: 'retry' }
  | { readonly kind: 'unreachable' };

export interface ErrorClassifier {
  /** Classifies an error of the driver or of Prisma Client. Returns null where it is no known fault. */
  readonly classify: (error: unknown) => DriverErrorInfo | null;
}
