import { mkdir } from 'node:fs/promises';
import type { MigrationSession } from '../dialects/migration-support.js';
import { readHistory } from './history.js';
import type { HistoryEntry } from './history.js';
import type { MigrationDialect } from './migration-dialect.js';
import { assertSameDatabase, loadMigrations, matchesChecksum } from './migration-files.js';
import type { Migration } from './migration-files.js';

/** Where a database stands among the project's migrations; names, oldest first. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** Begun by another tool and not finished. */
  readonly failed: readonly string[];
  /** Applied, but the file has changed since. */
  readonly edited: readonly string[];
  /** Applied, but no longer among the files. */
  readonly missing: readonly string[];
}

export interface DatabaseAddress {
  /** Absolute path of `prisma/migrations`. */
  readonly folder: string;
  readonly url: string;
  readonly dialect: MigrationDialect;
  /** How long to wait for other processes that migrate, in milliseconds; a minute by default. */
  readonly waitMs?: number;
}

export const DEFAULT_WAIT_MS = 60_000;

export function compareHistory(migrations: readonly Migration[], history: readonly HistoryEntry[]): MigrationStatus {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const applied = history.filter(({ state }) => state === 'applied');
  const names = new Set(applied.map(({ name }) => name));
  return {
    applied: [...names].toSorted(),
    pending: migrations.map(({ name }) => name).filter((name) => !names.has(name)),
    failed: history.filter(({ name, state }) => state === 'failed' && !names.has(name)).map(({ name }) => name),
    edited: applied.filter(({ name, checksum }) => {
      const migration = byName.get(name);
      return migration !== undefined && !matchesChecksum(migration, checksum);
    }).map(({ name }) => name),
    missing: [...names].filter((name) => !byName.has(name)).toSorted(),
  };
}

/** Nothing is pending, failed, edited or missing. */
export function isUpToDate({ pending, failed, edited, missing }: MigrationStatus): boolean {
  return pending.length + failed.length + edited.length + missing.length === 0;
}

/** Opens a connection to migrate on, and closes it whatever happens. */
export async function withSession<T>({ url, dialect, waitMs = DEFAULT_WAIT_MS }: DatabaseAddress, isWritten: boolean, work: (session: MigrationSession) => Promise<T>): Promise<T> {
  const folder = dialect.migrations.folderOf(url);
  if (isWritten && folder !== null) await mkdir(folder, { recursive: true });
  const session = await dialect.migrations.openSession(url, { waitMs, isWritten });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/**
 * Compares the project's migrations with what the database has seen. Changes nothing.
 *
 * @throws `migration/wrong-database`, `migration/unreadable`
 */
export async function migrationStatus(address: DatabaseAddress): Promise<MigrationStatus> {
  await assertSameDatabase(address.folder, address.dialect.prismaProvider);
  const migrations = await loadMigrations(address.folder);
  return withSession(address, false, async (session) => compareHistory(migrations, await readHistory(session)));
}
