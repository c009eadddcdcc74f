import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { DatabaseObject, MigrationSession } from '../../database/dialect/migration-support.js';
import type { SearchedTable } from '../../database/dialect/search-expressions.js';
import { areInPlace, missingObjects, syncObjects } from './auxiliary-objects.js';
import { assertSameDatabase, loadMigrations, matchesChecksum } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import type { MigrationDialect } from '../../database/dialect/dialect.js';

/** The record of one migration in Prisma's table. */
export interface HistoryEntry {
  readonly name: string;
  readonly checksum: string;
  /**
   * `unfinished`: the SQL is applied, and the migration's code was interrupted or is running. `failed`:
   * another tool began the migration and did not finish it.
   */
  readonly state: 'applied' | 'unfinished' | 'failed';
}

/** The names of a database's migrations by their state, in the order in which they were applied. */
export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
  /** The pending migrations that are still being written. */
  readonly drafts: readonly string[];
  /** Their SQL is applied, but their code was interrupted, or is running in another process. */
  readonly unfinished: readonly string[];
  /** Another tool began them and did not finish. */
  readonly failed: readonly string[];
  /** Applied, but the file has changed since then. */
  readonly edited: readonly string[];
  /** Applied, but no longer among the files. */
  readonly missing: readonly string[];
}

export interface MigrationTarget {
  /** Absolute path of `prisma/migrations`. */
  readonly folder: string;
  readonly url: string;
  readonly dialect: MigrationDialect;
  /** Milliseconds to wait for other migrating processes. Default: one minute. */
  readonly waitMs?: number;
  /** The auxiliary objects that the migrated database must have. */
  readonly objects?: readonly DatabaseObject[];
  /** The tables that get full-text indexes. */
  readonly searched?: readonly SearchedTable[];
}

export const DEFAULT_WAIT_MS = 60_000;

/** Prisma's table of applied migrations, which is in no schema. */
export const HISTORY_TABLE = '_prisma_migrations';

/** Written to the logs of a migration whose SQL is applied, but whose code has not ended. */
const CODE_PENDING = 'galley: migrate.ts has not ended';

const SELECT_HISTORY = `
  SELECT
    "migration_name" AS "name",
    "checksum",
    CASE
      WHEN "finished_at" IS NOT NULL THEN 'applied'
      WHEN "logs" = '${CODE_PENDING}' THEN 'unfinished'
      ELSE 'failed'
    END AS "state"
  FROM "${HISTORY_TABLE}"
  WHERE "rolled_back_at" IS NULL
  ORDER BY "started_at", "migration_name"`;

const INSERT_MIGRATION = `
  INSERT INTO "${HISTORY_TABLE}"
    ("id", "checksum", "migration_name", "started_at", "finished_at", "logs", "applied_steps_count")
  VALUES ($1, $2, $3, $4, $5, $6, 1)`;

const FINISH_MIGRATION = `
  UPDATE "${HISTORY_TABLE}" SET "finished_at" = $1, "logs" = NULL
  WHERE "migration_name" = $2 AND "rolled_back_at" IS NULL`;

const STATES: readonly HistoryEntry['state'][] = ['applied', 'unfinished', 'failed'];

/** Reads the migrations this database has seen, oldest first, without those marked as rolled back. */
export async function readHistory(session: MigrationSession): Promise<readonly HistoryEntry[]> {
  if (!(await session.columns()).has(HISTORY_TABLE)) return [];
  const rows = await session.query(SELECT_HISTORY);
  return rows.map(({ name, checksum, state }) => ({
    name: String(name),
    checksum: String(checksum),
    state: STATES.find((known) => known === state) ?? 'failed',
  }));
}

/** Formats a time as Prisma's adapters do. */
const formatTimestamp = (date: Date): string => date.toISOString().replace('Z', '+00:00');

interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly startedAt: Date;
  /** False if the migration has code, which runs next. */
  readonly isFinished: boolean;
}

/** Records a migration whose SQL is applied. */
export async function insertMigrationRecord(
  session: MigrationSession,
  { name, checksum, startedAt, isFinished }: AppliedMigration,
): Promise<void> {
  await session.query(INSERT_MIGRATION, [
    randomUUID(),
    checksum,
    name,
    formatTimestamp(startedAt),
    isFinished ? formatTimestamp(new Date()) : null,
    isFinished ? null : CODE_PENDING,
  ]);
}

/** Records that the code of a migration has ended. */
export async function finishMigrationRecord(session: MigrationSession, name: string): Promise<void> {
  await session.query(FINISH_MIGRATION, [formatTimestamp(new Date()), name]);
}

/** Marks a migration as rolled back, as Prisma does. It may then be applied again. */
export async function rollBackRecord(session: MigrationSession, name: string): Promise<void> {
  await session.query(
    `UPDATE "${HISTORY_TABLE}" SET "rolled_back_at" = $1
     WHERE "migration_name" = $2 AND "rolled_back_at" IS NULL`,
    [formatTimestamp(new Date()), name],
  );
}

/** Records a migration in place of another, or only deletes the other's record. */
export async function replaceMigrationRecord(
  session: MigrationSession,
  replaced: string,
  migration: AppliedMigration | null,
): Promise<void> {
  await session.query(`DELETE FROM "${HISTORY_TABLE}" WHERE "migration_name" = $1`, [replaced]);
  if (migration !== null) await insertMigrationRecord(session, migration);
}

/** Compares the project's migrations with the records of a database. */
export function compareHistory(
  migrations: readonly Migration[],
  history: readonly HistoryEntry[],
): MigrationStatus {
  const byName = new Map(migrations.map((migration) => [migration.name, migration]));
  const squashed = new Set(migrations.flatMap(({ squashes = [] }) => squashes.flat()));
  const applied = history.filter(({ state }) => state === 'applied');
  const names = new Set(applied.map(({ name }) => name));
  const unfinished = history.filter(({ state }) => state === 'unfinished').map(({ name }) => name);
  const isApplied = ({ name, squashes }: Migration): boolean =>
    names.has(name) || squashes?.some((folded) => folded.every((each) => names.has(each))) === true;
  const pending = migrations.filter(
    (migration) => !isApplied(migration) && !unfinished.includes(migration.name),
  );
  return {
    applied: [...names],
    pending: pending.map(({ name }) => name),
    drafts: pending.filter(({ isDraft }) => isDraft).map(({ name }) => name),
    unfinished,
    failed: history
      .filter(({ name, state }) => state === 'failed' && !names.has(name))
      .map(({ name }) => name),
    edited: applied
      .filter(({ name, checksum }) => {
        const migration = byName.get(name);
        return migration !== undefined && !matchesChecksum(migration, checksum);
      })
      .map(({ name }) => name),
    // A squash counts as applied if all migrations that it folds are.
    missing: [...names].filter((name) => !byName.has(name) && !squashed.has(name)),
  };
}

/** True if no migration is pending, unfinished, failed, edited or missing. */
export function isUpToDate({ pending, unfinished, failed, edited, missing }: MigrationStatus): boolean {
  return pending.length + unfinished.length + failed.length + edited.length + missing.length === 0;
}

/**
 * Ends every transaction by building the auxiliary objects. Rebuilding a table on SQLite drops its triggers,
 * so a transaction that changes tables has to build them again.
 */
const withObjects = (
  session: MigrationSession,
  objects: readonly DatabaseObject[],
  dialect: MigrationDialect,
): MigrationSession => ({
  ...session,
  get file() {
    return session.file;
  },
  runExclusive: (work) =>
    session.runExclusive(async () => {
      const result = await work();
      await syncObjects(session, objects, dialect, { isMigration: true });
      return result;
    }),
});

/** Builds and drops objects if no transaction has done so, as when the schema does not change. */
const completeObjects = async (
  session: MigrationSession,
  objects: readonly DatabaseObject[],
  dialect: MigrationDialect,
): Promise<void> => {
  if (await areInPlace(session, objects, dialect)) return;
  await session.runExclusive(() => syncObjects(session, objects, dialect, { isMigration: true }));
};

/** Runs `work` on a migration session, and closes the session even if `work` throws. */
export async function withSession<T>(
  { url, dialect, objects = [], searched, waitMs = DEFAULT_WAIT_MS }: MigrationTarget,
  isWritable: boolean,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  const folder = dialect.migrations.databaseFolder(url);
  if (isWritable && folder !== null) await mkdir(folder, { recursive: true });
  const session = await dialect.migrations.openSession(url, { lockTimeoutMs: waitMs, isWritable });
  try {
    const result = await work(objects.length === 0 ? session : withObjects(session, objects, dialect));
    if (isWritable && objects.length > 0) await completeObjects(session, objects, dialect);
    if (isWritable && searched !== undefined) await dialect.migrations.search.build?.(session, searched);
    return result;
  } finally {
    await session.close();
  }
}

/**
 * Compares the project's migrations with those the database has seen. Changes nothing.
 *
 * @throws `migration/wrong-database`, `migration/unreadable`
 */
export async function migrationStatus(target: MigrationTarget): Promise<MigrationStatus> {
  await assertSameDatabase(target.folder, target.dialect.schema.provider);
  return withSession(target, false, async (session) => {
    // Before the folder: what another process writes and applies meanwhile is pending, and not missing.
    const history = await readHistory(session);
    return compareHistory(await loadMigrations(target.folder), history);
  });
}

/**
 * Builds the objects that the database lacks, as after another tool replaced a table. Objects of other
 * releases stay. Returns the names of those that could not be built.
 */
export async function ensureObjects(target: MigrationTarget): Promise<readonly string[]> {
  const { objects = [], dialect } = target;
  return withSession({ ...target, objects: [] }, true, async (session) => {
    if ((await missingObjects(session, objects, dialect)).length === 0) return [];
    await session.runExclusive(() => syncObjects(session, objects, dialect, { isMigration: false }));
    return missingObjects(session, objects, dialect);
  });
}
