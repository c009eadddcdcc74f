import { randomUUID } from 'node:crypto';
import type { MigrationSession } from '../dialects/migration-support.js';

/** What the database remembers of one migration, in Prisma's own table. */
export interface HistoryEntry {
  readonly name: string;
  readonly checksum: string;
  /** `failed`: begun by another tool and not finished. Ours leave no such trace, their record being part of the same transaction. */
  readonly state: 'applied' | 'failed';
}

/** Prisma's own table, which no schema names. */
export const HISTORY_TABLE = '_prisma_migrations';

const READ = `SELECT "migration_name" AS "name", "checksum", CASE WHEN "finished_at" IS NULL THEN 0 ELSE 1 END AS "finished"
FROM "${HISTORY_TABLE}" WHERE "rolled_back_at" IS NULL ORDER BY "started_at", "migration_name"`;

const RECORD = `INSERT INTO "${HISTORY_TABLE}" ("id", "checksum", "migration_name", "started_at", "finished_at", "applied_steps_count")
VALUES ($1, $2, $3, $4, $5, 1)`;

/** The migrations this database has seen, oldest first; those marked as rolled back are left out. */
export async function readHistory(session: MigrationSession): Promise<readonly HistoryEntry[]> {
  if (!(await session.columns()).has(HISTORY_TABLE)) return [];
  const rows = await session.query(READ);
  return rows.map(({ name, checksum, finished }) => ({ name: String(name), checksum: String(checksum), state: Number(finished) === 1 ? 'applied' : 'failed' }));
}

/** The form in which Prisma's adapters write times. */
const timestamp = (date: Date): string => date.toISOString().replace('Z', '+00:00');

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly startedAt: Date;
}

export async function recordMigration(session: MigrationSession, { name, checksum, startedAt }: AppliedMigration): Promise<void> {
  await session.query(RECORD, [randomUUID(), checksum, name, timestamp(startedAt), timestamp(new Date())]);
}
