import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { loadConfig } from '../config/load-config.js';
import { findProjectRoot } from '../config/project-root.js';
import { adapterCause } from '../database/prisma/adapter-error.js';
import { createError } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { errorCode } from '../lib/caught-errors.js';
import { isRecord, propertyOf } from '../lib/records.js';
import { redactUrl, relativePath } from '../lib/text.js';

const FILE_CODES: Readonly<Record<string, ErrorCode>> = {
  EACCES: 'file/not-permitted',
  EPERM: 'file/not-permitted',
  EROFS: 'file/read-only',
  ENOSPC: 'file/no-space',
  EDQUOT: 'file/no-space',
  EIO: 'file/failing',
  EMFILE: 'file/too-many-open',
  ENFILE: 'file/too-many-open',
  ENOENT: 'file/missing',
  EISDIR: 'file/is-folder',
};

/** Errors that are about one file. */
const PATH_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['file/not-permitted', 'file/missing']);

/** Errors by the codes of SQLite, without their second part, and of PostgreSQL. */
const DATABASE_CODES: Readonly<Record<string, ErrorCode>> = {
  SQLITE_READONLY: 'database/read-only',
  SQLITE_PERM: 'database/read-only',
  SQLITE_CANTOPEN: 'database/not-openable',
  SQLITE_FULL: 'database/full',
  SQLITE_BUSY: 'database/locked',
  SQLITE_LOCKED: 'database/locked',
  SQLITE_IOERR: 'database/failing',
  SQLITE_CORRUPT: 'database/damaged',
  SQLITE_NOTADB: 'database/damaged',
  '25006': 'database/read-only',
  '42501': 'database/not-permitted',
  '53100': 'database/full',
  '58030': 'database/failing',
};

/** Errors whose cause may have more details. */
const WRAPPERS: ReadonlySet<string> = new Set<ErrorCode>([
  'migration/change-failed',
  'migration/failed',
  'database/unreachable',
  'config/load-failed',
  'project/module-load-failed',
]);

/** The suffix of the temporary file that replaces a file. */
const TEMPORARY_SUFFIX = /\.\d+\.new$/;

/** Returns an error and its causes, outermost first. Driver adapters describe the cause in a plain object. */
const chainOf = (error: unknown): readonly unknown[] => {
  const next = adapterCause(error) ?? propertyOf(error, 'cause');
  return next === undefined || next === null ? [error] : [error, ...chainOf(next)];
};

const databaseCodeOf = (error: unknown): ErrorCode | undefined => {
  const original = isRecord(error) ? error['originalCode'] : undefined;
  const code = typeof original === 'string' ? original : errorCode(error);
  return DATABASE_CODES[code] ?? DATABASE_CODES[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''];
};

const nearestExisting = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));

const isReadable = (path: string): boolean => {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

const fileError = (error: unknown, cwd: string): Error | null => {
  const code = FILE_CODES[errorCode(error)];
  if (code === 'file/is-folder') {
    // A file that replaces a folder is renamed to it. Errors of reading a folder have no path.
    const folder = propertyOf(error, 'dest') ?? propertyOf(error, 'path');
    const path = typeof folder === 'string' ? relativePath(cwd, folder) : 'The path';
    return createError(code, { path }, { cause: error });
  }
  const errorPath = propertyOf(error, 'path');
  const isOfDisk = code !== undefined && !PATH_CODES.has(code);
  // Errors of writing to an open file have no path. The disk is that of the project, or is mounted in it.
  const given =
    typeof errorPath === 'string' ? errorPath : isOfDisk && 'syscall' in Object(error) ? cwd : null;
  if (code === undefined || given === null) return null;
  const display = (path: string): string => {
    const local = relative(cwd, path);
    return !isAbsolute(path) || local.startsWith('..') || local === '' ? path : local;
  };
  const path = given.replace(TEMPORARY_SUFFIX, '');
  if (code === 'file/missing') return createError(code, { path: display(path) }, { cause: error });
  const existing = nearestExisting(path);
  const [action, verb] = isReadable(existing) ? ['written', 'write'] : ['read', 'read'];
  // A file is replaced by a temporary one, for which its folder must be writable.
  const target = given === path ? existing : nearestExisting(dirname(path));
  const params = { path: display(existing), target: display(target), action, verb };
  return createError(code, params, { cause: error });
};

/** Returns the last line of a message of Prisma Client, the reason. The other lines quote the call. */
const prismaReason = (error: unknown): string | null => {
  if (!(error instanceof Error) || !error.name.startsWith('PrismaClient')) return null;
  return error.message.trim().split('\n').at(-1)?.trim() ?? error.message;
};

/**
 * Translates an error of the file system, the database or Prisma Client to one of the catalogue, with a
 * remedy. Returns any other error unchanged.
 *
 * @param cwd the folder to which paths in messages are relative
 * @param database the name of the database in messages: `The database file:./data.db`
 */
export function translateSystemError(error: unknown, cwd: string, database = 'The database'): unknown {
  if (isGalleyError(error) && !WRAPPERS.has(error.code)) return error;
  const chain = chainOf(error);
  for (const each of chain) {
    const code = databaseCodeOf(each);
    if (code !== undefined) return createError(code, { database }, { cause: error });
    const file = fileError(each, cwd);
    if (file !== null) return file;
  }
  if (isGalleyError(error)) return error;
  const reason = chain.map(prismaReason).find((text) => text !== null);
  return reason === undefined
    ? error
    : createError('database/refused', { database, reason }, { cause: error });
}

/** Translates an error like {@link translateSystemError}, and names the database of the project in `cwd`. */
export async function describeSystemError(error: unknown, cwd: string): Promise<unknown> {
  if (translateSystemError(error, cwd) === error) return error;
  const root = findProjectRoot(cwd);
  const config = root === undefined ? null : await loadConfig(root).catch(() => null);
  const database = config === null ? undefined : `The database ${redactUrl(config.database.url)}`;
  return translateSystemError(error, cwd, database);
}
