import type { DriverFault } from './dialect.js';
import { adapterCause, causeFault, clientFault, errorCode } from './prisma-faults.js';

const CODES: Readonly<Record<string, DriverFault>> = {
  SQLITE_CANTOPEN: { kind: 'unreachable' },
  SQLITE_NOTADB: { kind: 'unreachable' },
  SQLITE_FULL: { kind: 'unreachable' },
};

/** The driver gives a missing folder no code. */
const NO_FILE = /^Cannot open database/;

/** Whether another process has the file for itself at the moment. */
export function isSqliteBusy(error: unknown): boolean {
  // The adapter knows no better word for it than a timeout.
  return errorCode(error).startsWith('SQLITE_BUSY') || adapterCause(error)?.kind === 'SocketTimeout';
}

export function readSqliteFault(error: unknown): DriverFault | null {
  if (isSqliteBusy(error)) return { kind: 'retry' };
  const cause = adapterCause(error);
  const code = errorCode(cause?.['originalCode'] === undefined ? error : { code: cause['originalCode'] });
  if (error instanceof TypeError && NO_FILE.test(error.message)) return { kind: 'unreachable' };
  return (cause === null ? null : causeFault(cause)) ?? CODES[code] ?? clientFault(error);
}
