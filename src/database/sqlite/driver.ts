import { closeSync, openSync } from 'node:fs';
import { createError } from '../../errors/catalogue.js';
import { errorCode, messageOf } from '../../lib/caught-errors.js';
import { OWNER_ONLY } from '../../lib/files.js';
import { classifyCause, classifyClientError } from '../dialect/driver-error.js';
import type { DriverErrorInfo } from '../dialect/driver-error.js';
import { adapterCause } from '../prisma/adapter-error.js';
import { createBetterSqlite3 } from './drivers/better-sqlite3.js';
import type { OpenSqlite } from './drivers/connection.js';
import { createNodeSqlite } from './drivers/node-sqlite.js';
import type { NodeSqlite } from './drivers/node-sqlite.js';

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

/** True if another process has locked the file. */
export function isSqliteBusy(error: unknown): boolean {
  // The adapter reports a locked file as a timeout.
  return errorCode(error).startsWith('SQLITE_BUSY') || adapterCause(error)?.kind === 'SocketTimeout';
}

/**
 * Classifies an error of a driver, of the adapter for Prisma, or of Prisma Client. Returns null for any
 * other error.
 */
export function classifySqliteError(error: unknown): DriverErrorInfo | null {
  if (isSqliteBusy(error)) return { kind: 'retry' };
  const cause = adapterCause(error);
  const code = errorCode(cause?.['originalCode'] === undefined ? error : { code: cause['originalCode'] });
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

/**
 * True if the SQLite of Node.js can be the driver. Before Node.js 24.15 and 25.7 it was experimental: using
 * it printed a warning, and it cut texts at a NUL character.
 */
export function hasNodeSqlite(version = process.versions.node): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 25 || (major === 25 && minor >= 7) || (major === 24 && minor >= 15);
}

/** Returns the package that contains SQLite for older versions of Node.js, with its version. */
export function sqlitePackages(version = process.versions.node): Readonly<Record<string, string>> {
  if (hasNodeSqlite(version)) return {};
  // Releases from 13 on contain their binary, which crashes Node.js 20.
  return { 'better-sqlite3': Number.parseInt(version, 10) < 22 ? '^12.11.1' : '^13.2.0' };
}

const loadPackage = async (): Promise<OpenSqlite> => {
  try {
    const { default: Database } = await import('better-sqlite3');
    // Only opening a database loads the compiled part.
    new Database(':memory:').close();
    return createBetterSqlite3(Database);
  } catch (error) {
    // Node.js breaks the lines of its message about a binary for another version within sentences.
    const [reason = ''] = messageOf(error).replaceAll(/\s+/g, ' ').split('. ');
    const [version = ''] = Object.values(sqlitePackages());
    throw createError('database/sqlite-driver-missing', { reason, version }, { cause: error });
  }
};

let driver: OpenSqlite | Promise<OpenSqlite> | undefined;

/**
 * Loads the driver: the SQLite of Node.js, or the package better-sqlite3 on older versions. Two drivers must
 * not open the same file in one process, since each would release the other's locks.
 *
 * @throws `database/sqlite-driver-missing`
 */
export async function loadDriver(): Promise<OpenSqlite> {
  driver ??= hasNodeSqlite()
    ? createNodeSqlite(process.getBuiltinModule('node:sqlite') as NodeSqlite)
    : loadPackage();
  return driver;
}
