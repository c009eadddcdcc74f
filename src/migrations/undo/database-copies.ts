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
import type { MigrationSession, UndoSupport } from '../../database/dialect/migration-support.js';
import { withSession } from '../apply/migration-history.js';
import type { MigrationTarget } from '../apply/migration-history.js';
import { dropCopies, readRecords, writeRecord } from './migration-record.js';
import type { MigrationRecord } from './migration-record.js';

/** Maximum number of copies kept next to the database. */
const KEPT_COPIES = 3;

const copyPrefix = (path: string): string => `${basename(path).replace(/\.db$/, '')}.before-`;

/** Returns the copies next to a database file, newest first. */
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

/**
 * Copies the database file to the same folder, in its state before the running transaction, and returns the
 * path. A transaction makes one copy, and only the last few copies stay. Returns null if the database is not
 * a file. Synchronous, since nothing else may run meanwhile: another writer of this process would wait for
 * the lock and block the process.
 */
export const copyDatabase = ({ file }: MigrationSession, name: string): string | null => {
  if (file === null) return null;
  const { path, copies, copyTo } = file;
  const [existing] = copies;
  if (existing !== undefined) return existing;
  const target = join(dirname(path), `${copyPrefix(path)}${name}.db`);
  const incomplete = `${target}-incomplete`;
  rmSync(incomplete, { force: true });
  copyTo(incomplete);
  flush(incomplete);
  renameSync(incomplete, target);
  copies.push(target);
  for (const old of listCopies(path).slice(KEPT_COPIES)) rmSync(old, { force: true });
  return target;
};

/** The suffixes of a SQLite database and of the files that SQLite writes next to it. */
export const DATABASE_SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

/** Removes a database, and the files that SQLite writes next to it. */
const removeDatabase = (path: string): void => {
  for (const suffix of DATABASE_SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
};

/** Replaces the database by a copy, and removes the copy. */
export const restoreCopy = async (
  session: MigrationSession,
  { restore }: Extract<UndoSupport, { readonly kind: 'database' }>,
  path: string,
): Promise<void> => {
  // Restoring changes the journal mode of the file. The copy must stay intact until the end.
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

/** The copies that are deleted, or that a dry run lists. */
export interface DeletedCopies {
  /** Migrations whose copied rows are dropped, with the number of rows. */
  readonly migrations: readonly { readonly name: string; readonly rows: number }[];
  /** Copies of the whole database that are removed. */
  readonly files: readonly string[];
}

const copiedRows = ({ kept }: MigrationRecord): number =>
  kept.reduce((sum, { copy, rows }) => (copy === null ? sum : sum + rows), 0);

const recordsWithCopies = async (session: MigrationSession): Promise<readonly MigrationRecord[]> =>
  [...(await readRecords(session)).values()].filter(({ kept }) => kept.length > 0);

/**
 * Deletes the rows that were copied before migrations, and the copies of the database. With `isDryRun`, only
 * lists them. The migrations can still be reverted, but the values that they dropped are lost.
 */
export async function deleteCopies(
  target: MigrationTarget,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<DeletedCopies> {
  const { dialect, url } = target;
  const { undo } = dialect.migrations;
  return withSession(target, !isDryRun, async (session) => {
    const records = await recordsWithCopies(session);
    const files = undo.kind === 'database' ? listCopies(undo.path(url)) : [];
    const migrations = records.map((record) => ({ name: record.name, rows: copiedRows(record) }));
    if (isDryRun || records.length + files.length === 0) return { migrations, files };
    await session.runExclusive(async () => {
      for (const record of records) {
        await dropCopies(session, { kept: record.kept, dialect });
        await writeRecord(session, { ...record, kept: [] });
      }
    });
    for (const file of files) rmSync(file, { force: true });
    return { migrations, files };
  });
}
