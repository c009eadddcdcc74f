import { closeSync, openSync } from 'node:fs';
import { createError } from '../../errors/catalogue.js';
import { errorCode } from '../../lib/caught-errors.js';
import { OWNER_ONLY } from '../../lib/files.js';
import { classifyCause, classifyClientError } from '../dialect/driver-error.js';
import type { DriverErrorInfo } from '../dialect/driver-error.js';
import { adapterCause } from '../prisma/adapter-error.js';

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

/**
 * Creates an empty database file that only its owner may read, unless the file exists. SQLite creates files
 * that every user may read; its log files get the permissions of the database. If creation fails, the driver
 * reports the reason.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY));
  } catch {
    // It is there already, or the driver fails with the same reason.
  }
}

/** Returns the path in `file:/absolute/data.db`. */
export function sqlitePath(url: string): string {
  return url.replace(/^file:/, '');
}

type Driver = typeof import('better-sqlite3');

const load = async (): Promise<Driver> => {
  try {
    const { default: Database } = await import('better-sqlite3');
    // Only opening a database loads the compiled part.
    new Database(':memory:').close();
    return Database;
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n');
    throw createError('database/sqlite-driver-missing', { reason }, { cause: error });
  }
};

let driver: Promise<Driver> | undefined;

/**
 * Loads the driver. It is an optional dependency: machines without a prebuilt binary must compile it, and
 * projects on PostgreSQL do not need it.
 *
 * @throws `database/sqlite-driver-missing`
 */
export function loadDriver(): Promise<Driver> {
  driver ??= load();
  return driver;
}
