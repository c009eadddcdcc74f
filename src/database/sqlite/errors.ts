import type { DriverErrorInfo } from '../dialect/driver-error.js';
import { errorCode } from '../../lib/error-code.js';
import { adapterCause } from '../prisma/adapter-error.js';
import { classifyCause, classifyClientError } from '../dialect/prisma-errors.js';

const CODES: Readonly<Record<string, DriverErrorInfo>> = {
  SQLITE_CANTOPEN: { kind: 'unreachable' },
  SQLITE_NOTADB: { kind: 'unreachable' },
  SQLITE_FULL: { kind: 'disk', fault: 'full' },
  SQLITE_READONLY: { kind: 'disk', fault: 'read-only' },
  SQLITE_PERM: { kind: 'disk', fault: 'read-only' },
  SQLITE_IOERR: { kind: 'disk', fault: 'failing' },
  SQLITE_LOCKED: { kind: 'retry' },
};

/** `SQLITE_IOERR_WRITE` is a case of `SQLITE_IOERR`. */
const primaryCode = (code: string): string => /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;

/** The driver's error for a missing folder has no code. */
const MISSING_FILE = /^Cannot open database/;

/** True if another process has locked the file. */
export function isSqliteBusy(error: unknown): boolean {
  // The adapter reports a locked file as a timeout.
  return errorCode(error).startsWith('SQLITE_BUSY') || adapterCause(error)?.kind === 'SocketTimeout';
}

/**
 * Classifies an error of better-sqlite3, of its Prisma adapter, or of Prisma Client. Returns null for any
 * other error.
 */
export function classifySqliteError(error: unknown): DriverErrorInfo | null {
  if (isSqliteBusy(error)) return { kind: 'retry' };
  const cause = adapterCause(error);
  const code = errorCode(cause?.['originalCode'] === undefined ? error : { code: cause['originalCode'] });
  if (error instanceof TypeError && MISSING_FILE.test(error.message)) return { kind: 'unreachable' };
  return (
    (cause === null ? null : classifyCause(cause)) ?? CODES[primaryCode(code)] ?? classifyClientError(error)
  );
}
