import { errorCode } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import type { AdapterCause } from '../prisma/adapter-error.js';

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const uniqueViolation = (cause: AdapterCause): DriverErrorInfo => {
  const constraint = isRecord(cause['constraint']) ? cause['constraint'] : {};
  const { index } = constraint;
  return {
    kind: 'unique',
    columns: textsOf(constraint['fields']),
    constraint: typeof index === 'string' ? index : null,
  };
};

const UNREACHABLE = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'TooManyConnections',
  'TlsConnectionError',
  'AuthenticationFailed',
  'DatabaseAccessDenied',
  'DatabaseDoesNotExist',
]);

/** Classifies the faults that both adapters describe in the same way. */
export function classifyCause(cause: AdapterCause): DriverErrorInfo | null {
  switch (cause.kind) {
    case 'UniqueConstraintViolation':
      return uniqueViolation(cause);
    case 'ForeignKeyConstraintViolation':
    case 'RestrictViolation':
      return { kind: 'foreign-key' };
    case 'TransactionWriteConflict':
      return { kind: 'retry' };
    default:
      return UNREACHABLE.has(cause.kind) ? { kind: 'unreachable' } : null;
  }
}

/** Prisma Client timed out waiting for a connection or for a transaction to begin. */
const OVERLOADED = new Set(['P2024', 'P2028', 'P1001', 'P1002', 'P1008', 'P1017']);

/** Classifies an error that Prisma Client raises itself, by its code. Returns null for other errors. */
export function classifyClientError(error: unknown): DriverErrorInfo | null {
  const code = errorCode(error);
  if (code === 'P2034') return { kind: 'retry' };
  return OVERLOADED.has(code) ? { kind: 'unreachable' } : null;
}

/** Reason that a disk cannot be written or read. */
export type DiskFault = 'full' | 'read-only' | 'failing';

/** A fault that a driver reported, in terms common to all databases. */
export type DriverErrorInfo =
  /** SQLite names the columns. PostgreSQL names the constraint or index, and `columns` is empty. */
  | { readonly kind: 'unique'; readonly columns: readonly string[]; readonly constraint: string | null }
  | { readonly kind: 'foreign-key' }
  /** A conflict with another transaction. The same transaction may succeed when it is run again. */
  | { readonly kind: 'retry' }
  /** Nothing can be read or written at present. */
  | { readonly kind: 'unreachable' }
  /** The disk is full, read-only, or failing. */
  | { readonly kind: 'disk'; readonly fault: DiskFault };

export interface ErrorClassifier {
  /** Classifies an error of the driver or of Prisma Client. Returns null for an unknown fault. */
  readonly classify: (error: unknown) => DriverErrorInfo | null;
}
