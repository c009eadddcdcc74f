import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, isAbsolute, relative } from 'node:path';
import { findProjectRoot } from '../../config/project-root.js';
import { loadConfig } from '../../config/load-config.js';
import { adapterCause } from '../../database/prisma/adapter-error.js';
import { createError } from '../../errors/catalogue.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import type { ErrorKind } from '../../errors/error-kind.js';
import { isGalleyError } from '../../errors/galley-error.js';
import type { FileIssue, GalleyError, ValidationIssue } from '../../errors/galley-error.js';
import { errorCode, findSource, messageOf } from '../../lib/caught-errors.js';
import { isRecord, propertyOf } from '../../lib/records.js';
import { redactUrl } from '../../lib/text.js';
import { styleFor, wantsColor, wantsStackTraces, writeText } from './terminal.js';
import type { Terminal } from './terminal.js';
import { spellCommands, wrapMessage } from './text-layout.js';

const EXIT_CODES: Partial<Record<ErrorKind, number>> = { usage: 2, 'data-loss': 3, pending: 4 };
/** The exit code of shells for programs ended by Ctrl-C. */
export const EXIT_INTERRUPTED = 130;
const INTERRUPTIONS: ReadonlySet<string> = new Set(['cli/interrupted', 'cli/stopped']);

/** The options of an error report. */
export interface ReportOptions {
  /** Prints one JSON document to stdout instead of text to stderr. */
  readonly json: boolean;
  readonly color: boolean;
}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Returns the source line of an error in the project in `cwd`, as a suffix of its message. */
const printSource = (error: unknown, cwd: string | undefined): string => {
  const root = cwd === undefined ? undefined : findProjectRoot(cwd);
  const source = root === undefined ? undefined : findSource(root, error);
  return source === undefined ? '' : ` (${source})`;
};

/**
 * Converts any thrown value to an error of the catalogue. Unexpected ones become `cli/unexpected`, with their
 * source line in the project in `cwd`.
 */
export function toGalleyError(error: unknown, cwd?: string): GalleyError {
  if (isGalleyError(error)) return error;
  if (hasName(error, 'ExitPromptError') || hasName(error, 'AbortPromptError'))
    return createError('cli/interrupted');
  const reason = messageOf(error) + printSource(error, cwd);
  return createError('cli/unexpected', { reason }, { cause: error });
}

/**
 * Returns the exit code for an error: 2 wrong usage, 3 data would be lost, 4 migrations pending, 130
 * interrupted, otherwise 1.
 */
function exitCodeOf(error: GalleyError): number {
  return INTERRUPTIONS.has(error.code) ? EXIT_INTERRUPTED : (EXIT_CODES[error.kind] ?? 1);
}

const stackTraces = (error: unknown): readonly string[] => {
  if (!(error instanceof Error)) return [];
  return [error.stack ?? error.message, ...stackTraces(error.cause).map((stack) => `Caused by: ${stack}`)];
};

const REST_COUNT = / \(and (?<count>\d+) more\)$/;

/** Returns the message of an error, without the count of other issues if its details list them. */
const messageWithIssues = ({ message, details: { errors = [] } }: GalleyError): string =>
  Number(REST_COUNT.exec(message)?.groups?.['count']) === errors.length - 1
    ? message.replace(REST_COUNT, '')
    : message;

/** Prints the message of an error, and below each issue that the message does not contain. */
export function printIssues(error: GalleyError): string {
  const message = messageWithIssues(error);
  const issues = (error.details.errors ?? []).filter(
    (issue) => ![' ', ': '].some((gap) => message.includes(`${issue.path.join('.')}${gap}${issue.message}`)),
  );
  return [message, ...issues.map(({ path, message: text }) => `  ${path.join('.')}: ${text}`)].join('\n');
}

const printError = (error: GalleyError, terminal: Terminal, color: boolean): string => {
  const style = styleFor(color && wantsColor(terminal, terminal.stderr));
  const lines = [`${style.red(style.bold('Error:'))} ${printIssues(error)}`];
  if (error.hint !== undefined && error.hint !== '')
    lines.push(`${style.cyan('Hint:')} ${spellCommands(error.hint, terminal)}`);
  return wrapMessage(terminal.stderr, lines.join('\n'));
};

/** The document that `--json` prints for an error. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly hint?: string;
    /** All issues, in order. */
    readonly issues?: readonly (Pick<ValidationIssue, 'path' | 'message'> | FileIssue)[];
    readonly changes?: unknown;
    readonly losses?: unknown;
  };
}

/** Returns the document that `--json` prints for an error. */
export function errorDocument(error: GalleyError): ErrorDocument {
  const hint = error.hint === undefined || error.hint === '' ? {} : { hint: error.hint };
  const { errors = [], fileIssues = [] } = error.details;
  const issues = [...errors.map(({ path, message }) => ({ path, message })), ...fileIssues];
  // The effects of a rejected change on stored values: by type and attribute, or by table and column.
  const { changes, losses } = error.details;
  return {
    error: {
      code: error.code,
      message: messageWithIssues(error),
      ...hint,
      ...(issues.length === 0 ? {} : { issues }),
      ...(changes === undefined ? {} : { changes }),
      ...(losses === undefined ? {} : { losses }),
    },
  };
}

const spelledDocument = (thrown: GalleyError, terminal: Terminal): ReturnType<typeof errorDocument> => {
  const { error } = errorDocument(thrown);
  const hint = error.hint === undefined ? {} : { hint: spellCommands(error.hint, terminal) };
  return { error: { ...error, ...hint } };
};

/**
 * Prints an error as text or JSON and returns the exit code. Prints no text for a prompt that the user left
 * with Ctrl-C.
 */
export function reportError(thrown: unknown, terminal: Terminal, { json, color }: ReportOptions): number {
  const error = toGalleyError(thrown, terminal.cwd);
  if (json) writeText(terminal.stdout, JSON.stringify(spelledDocument(error, terminal), null, 2));
  else if (error.code !== 'cli/interrupted') writeText(terminal.stderr, printError(error, terminal, color));
  if (wantsStackTraces(terminal)) writeText(terminal.stderr, stackTraces(error).join('\n'));
  return exitCodeOf(error);
}

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
