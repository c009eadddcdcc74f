import type { DriverFault } from './dialect.js';
import { adapterCause, causeFault, clientFault, errorCode } from './prisma-faults.js';

const RETRY: DriverFault = { kind: 'retry' };
const UNREACHABLE: DriverFault = { kind: 'unreachable' };

/** SQLSTATE of what is no fault of the statement, and Node's codes for a server that does not answer. */
const CODES: Readonly<Record<string, DriverFault>> = {
  '40001': RETRY,
  '40P01': RETRY,
  '55P03': RETRY,
  '23503': { kind: 'foreign-key' },
  '53300': UNREACHABLE,
  '57P01': UNREACHABLE,
  '57P02': UNREACHABLE,
  '57P03': UNREACHABLE,
  '25006': UNREACHABLE,
  '28P01': UNREACHABLE,
  '28000': UNREACHABLE,
  '3D000': UNREACHABLE,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EPIPE: UNREACHABLE,
};

/** The driver gives these no code. */
const BROKEN_CONNECTION = /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

export function readPostgresFault(error: unknown): DriverFault | null {
  const cause = adapterCause(error);
  if (cause !== null) {
    const known = causeFault(cause) ?? CODES[errorCode(cause)] ?? (cause.kind === 'SocketTimeout' ? UNREACHABLE : null);
    if (known !== null) return known;
  }
  const coded = CODES[errorCode(error)];
  if (coded !== undefined) return coded;
  return error instanceof Error && BROKEN_CONNECTION.test(error.message) ? UNREACHABLE : clientFault(error);
}
