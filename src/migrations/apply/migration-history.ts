import { randomUUID } from 'node:crypto';
import type { MigrationSession } from '../../dialects/migration-support.js';

/** The record of one migration in Prisma's own table. */
export interface HistoryEntry {
  readonly name: string;
  readonly checksum: string;
  /**
   * `failed` where another tool began the migration and did not finish it. The toolkit's own migrations leave
   * no such record, since it is part of their transaction.
   */
  readonly state: 'applied' | 'failed';
}

/** Prisma's own table, which is in no schema. */
export const HISTORY_TABLE = '_prisma_migrations';

const SELECT_HISTORY = `
  SELECT
    "migration_name" AS "name",
    "checksum",
    CASE WHEN "finished_at" IS NULL THEN 0 ELSE 1 END AS "finished"
  FROM "${HISTORY_TABLE}"
  WHERE "rolled_back_at" IS NULL
  ORDER BY "started_at", "migration_name"`;

const INSERT_MIGRATION = `
  INSERT INTO "${HISTORY_TABLE}"
    ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
  VALUES ($1, $2, $3, $4, $5, 1)`;

/** Reads the migrations this database has seen, oldest first, without those marked as rolled back. */
export async function readHistory(session: MigrationSession): Promise<readonly HistoryEntry[]> {
  if (!(await session.columns()).has(HISTORY_TABLE)) return [];
  const rows = await session.query(SELECT_HISTORY);
  return rows.map(({ name, checksum, finished }) => ({
    name: String(name),
    checksum: String(checksum),
    state: Number(finished) === 1 ? 'applied' : 'failed',
  }));
}

/** Formats a time as Prisma's adapters do. */
const formatTimestamp = (date: Date): string => date.toISOString().replace('Z', '+00:00');

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly startedAt: Date;
}

export async function insertMigrationRecord(
  session: MigrationSession,
  { name, checksum, startedAt }: AppliedMigration,
): Promise<void> {
  await session.query(INSERT_MIGRATION, [
    randomUUID(),
    checksum,
    name,
    formatTimestamp(startedAt),
    formatTimestamp(new Date()),
  ]);
}
