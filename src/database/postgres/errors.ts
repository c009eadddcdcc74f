import type { DriverErrorInfo } from '../dialect/driver-error.js';
import { errorCode } from '../../lib/caught-errors.js';
import { adapterCause } from '../prisma/adapter-error.js';
import { classifyCause, classifyClientError } from '../dialect/driver-error.js';

const RETRY: DriverErrorInfo = { kind: 'retry' };
const UNREACHABLE: DriverErrorInfo = { kind: 'unreachable' };

/** SQLSTATE codes, and Node's codes for a server that is not reachable. */
const CODES: Readonly<Record<string, DriverErrorInfo>> = {
  '40001': RETRY,
  '40P01': RETRY,
  '55P03': RETRY,
  '23503': { kind: 'foreign-key' },
  '53300': UNREACHABLE,
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  '57P04': UNREACHABLE,
  '57P05': UNREACHABLE,
  '53200': UNREACHABLE,
  '53400': UNREACHABLE,
  // A server that has become a standby is read-only until clients reach the new primary.
  '25006': { kind: 'disk', fault: 'read-only' },
  '53100': { kind: 'disk', fault: 'full' },
  '58030': { kind: 'disk', fault: 'failing' },
  '28P01': UNREACHABLE,
  '28000': UNREACHABLE,
  '3D000': UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ECONNABORTED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EPIPE: UNREACHABLE,
  // Poolers report an unreachable server with this code.
  '08P01': UNREACHABLE,
  '08000': UNREACHABLE,
  '08001': UNREACHABLE,
  '08004': UNREACHABLE,
  '08003': UNREACHABLE,
  '08006': UNREACHABLE,
};

/** Messages of the driver's errors that have no code. */
const BROKEN_CONNECTION_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
];

const isBrokenConnection = (error: unknown): boolean =>
  error instanceof Error && BROKEN_CONNECTION_MESSAGES.some((message) => error.message.startsWith(message));

/** Classifies an error of pg, its Prisma adapter or Prisma Client. Returns null for any other error. */
export function classifyPostgresError(error: unknown): DriverErrorInfo | null {
  const cause = adapterCause(error);
  if (cause !== null) {
    const classified =
      classifyCause(cause) ??
      CODES[errorCode(cause)] ??
      (cause.kind === 'SocketTimeout' ? UNREACHABLE : null);
    if (classified !== null) return classified;
  }
  const byCode = CODES[errorCode(error)];
  if (byCode !== undefined) return byCode;
  return isBrokenConnection(error) ? UNREACHABLE : classifyClientError(error);
}
