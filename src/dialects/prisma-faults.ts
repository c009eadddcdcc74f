import { isRecord } from '../lib/is-record.js';
import type { DriverFault } from './dialect.js';

/** What a driver adapter tells Prisma Client of a failed statement. */
export interface AdapterCause {
  readonly kind: string;
  readonly [key: string]: unknown;
}

const property = (value: unknown, key: string): unknown => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined);

const isCause = (value: unknown): value is AdapterCause => typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

/** The adapter's words, whether the adapter threw them itself or Prisma Client wrapped them. */
export function adapterCause(error: unknown): AdapterCause | null {
  const wrapped = property(property(error, 'meta'), 'driverAdapterError') ?? error;
  const cause = property(wrapped, 'cause');
  return isCause(cause) ? cause : null;
}

/** The stable code of an error of Prisma Client, a driver or Node. */
export function errorCode(error: unknown): string {
  const code = property(error, 'code');
  return typeof code === 'string' ? code : '';
}

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

const uniqueFault = (cause: AdapterCause): DriverFault => {
  const constraint = isRecord(cause['constraint']) ? cause['constraint'] : {};
  const { index } = constraint;
  return { kind: 'unique', columns: textsOf(constraint['fields']), constraint: typeof index === 'string' ? index : null };
};

const UNREACHABLE = new Set([
  'DatabaseNotReachable', 'ConnectionClosed', 'TooManyConnections', 'TlsConnectionError', 'AuthenticationFailed', 'DatabaseAccessDenied', 'DatabaseDoesNotExist',
]);

/** The faults that both adapters describe alike. */
export function causeFault(cause: AdapterCause): DriverFault | null {
  switch (cause.kind) {
    case 'UniqueConstraintViolation': return uniqueFault(cause);
    case 'ForeignKeyConstraintViolation': case 'RestrictViolation': return { kind: 'foreign-key' };
    case 'TransactionWriteConflict': return { kind: 'retry' };
    default: return UNREACHABLE.has(cause.kind) ? { kind: 'unreachable' } : null;
  }
}

/** Prisma Client waited longer for a connection or a transaction's turn than it would. */
const OVERLOADED = new Set(['P2024', 'P2028', 'P1001', 'P1002', 'P1008', 'P1017']);

export function clientFault(error: unknown): DriverFault | null {
  const code = errorCode(error);
  if (code === 'P2034') return { kind: 'retry' };
  return OVERLOADED.has(code) ? { kind: 'unreachable' } : null;
}
