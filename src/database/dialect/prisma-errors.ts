import type { AdapterCause } from '../prisma/adapter-error.js';
import { errorCode } from '../../lib/error-code.js';
import { isRecord } from '../../lib/is-record.js';
import type { DriverErrorInfo } from './driver-error.js';

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
