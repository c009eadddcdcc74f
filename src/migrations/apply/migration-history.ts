import { randomUUID } from 'node:crypto';
import type { MigrationSession } from '../../database/dialect/migration-support.js';

/** The record of one migration in Prisma's own table. */
export interface HistoryEntry {
  readonly name: string;
  readonly checksum: string;
  /**
   * `unfinished` where the SQL is applied and the migration's code was interrupted, or is running. `failed`
   * where another tool began the migration and did not finish it.
   */
  readonly state: 'applied' | 'unfinished' | 'failed';
}

/** Prisma's own table, which is in no schema. */
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

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly startedAt: Date;
  /** False where the migration has code, which runs next. */
  readonly isFinished: boolean;
}

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

/** Records a migration in place of another, or only forgets the other. */
export async function replaceMigrationRecord(
  session: MigrationSession,
  replaced: string,
  migration: AppliedMigration | null,
): Promise<void> {
  await session.query(`DELETE FROM "${HISTORY_TABLE}" WHERE "migration_name" = $1`, [replaced]);
  if (migration !== null) await insertMigrationRecord(session, migration);
}
