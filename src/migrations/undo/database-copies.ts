import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type {
  DatabaseFile,
  MigrationSession,
  UndoSupport,
} from '../../database/dialect/migration-support.js';

/** Maximum number of copies kept next to the database. */
const KEPT_COPIES = 3;

const copyPrefix = (path: string): string => `${basename(path).replace(/\.db$/, '')}.before-`;

/** Returns the copies beside a database file, newest first. */
export const listCopies = (path: string): readonly string[] =>
  (existsSync(dirname(path)) ? readdirSync(dirname(path)) : [])
    .filter((name) => name.startsWith(copyPrefix(path)) && name.endsWith('.db'))
    .map((name) => join(dirname(path), name))
    .toSorted((left, right) => statSync(right).mtimeMs - statSync(left).mtimeMs);

const flush = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** The copies of the transactions that are running, by the file that each transaction has. */
const copies = new WeakMap<DatabaseFile, string>();

/**
 * Copies the whole database beside it, as it was before the running transaction, and returns where to. One
 * copy serves a whole transaction, and only the last few stay. Returns null where the database is no file.
 * Synchronous, since nothing else may run meanwhile: a writer of this process would wait for the lock and
 * block the process.
 */
export const copyDatabase = ({ file }: MigrationSession, name: string): string | null => {
  if (file === null) return null;
  const existing = copies.get(file);
  if (existing !== undefined) return existing;
  const { path, copyTo } = file;
  const target = join(dirname(path), `${copyPrefix(path)}${name}.db`);
  const incomplete = `${target}-incomplete`;
  rmSync(incomplete, { force: true });
  copyTo(incomplete);
  flush(incomplete);
  renameSync(incomplete, target);
  copies.set(file, target);
  for (const old of listCopies(path).slice(KEPT_COPIES)) rmSync(old, { force: true });
  return target;
};

/** A SQLite database and the files that SQLite keeps beside it. */
export const DATABASE_SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

/** Removes a database with what SQLite keeps beside it. */
const removeDatabase = (path: string): void => {
  for (const suffix of DATABASE_SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
};

/** Makes the database what a copy is, and removes the copy. */
export const restoreCopy = async (
  session: MigrationSession,
  { restore }: Extract<UndoSupport, { readonly kind: 'database' }>,
  path: string,
): Promise<void> => {
  // Restoring changes the journal mode of the file, and the copy is to be whole until the end.
  const source = `${path}-source`;
  removeDatabase(source);
  copyFileSync(path, source);
  try {
    await restore(session, source);
  } finally {
    removeDatabase(source);
  }
  rmSync(path);
};
