/** Reason that a disk cannot be written or read. */
export type DiskFault = 'full' | 'read-only' | 'failing';

/** A fault that a driver reported, in terms common to all databases. */
export type DriverErrorInfo =
  /** SQLite names the columns. PostgreSQL names the constraint or index, and `columns` is empty. */
  | { readonly kind: 'unique'; readonly columns: readonly string[]; readonly constraint: string | null }
  | { readonly kind: 'foreign-key' }
  /** Another transaction was in the way. The same transaction may succeed when it is run again. */
  | { readonly kind: 'retry' }
  /** Nothing can be read or written at present. */
  | { readonly kind: 'unreachable' }
  /** The disk is full, can only be read, or fails. */
  | { readonly kind: 'disk'; readonly fault: DiskFault };

export interface ErrorClassifier {
  /** Classifies an error of the driver or of Prisma Client. Returns null where it is no known fault. */
  readonly classify: (error: unknown) => DriverErrorInfo | null;
}
