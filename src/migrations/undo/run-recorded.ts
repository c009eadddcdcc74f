import type { MigrationSession } from '../../database/dialect/migration-support.js';
import type { Migration } from '../files/load-migrations.js';
import type { MigrationDialect } from '../migration-dialect.js';
import type { MigrationStep } from '../plan/compare-tables.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Tables } from '../schema/schema-tables.js';
import { affectedTables } from './affected-tables.js';
import { copyDatabase } from './database-copies.js';
import { keepRows, markRemoved } from './keep-rows.js';
import { recordOf } from './known-records.js';
import { deleteRecord, readRecords, writeRecord } from './migration-record.js';

interface RunOptions {
  readonly dialect: MigrationDialect;
  /** The steps between the tables, by the names after the renames. Null for SQL written by hand. */
  readonly steps: readonly MigrationStep[] | null;
  readonly run: () => Promise<void>;
  /** Receives the path of the copy of the database. */
  readonly onCopy?: ((path: string) => void) | undefined;
}

/**
 * Runs a migration with `run`, keeps the rows that it changes or drops, and records what it did, so that it
 * can be taken back.
 *
 * @param previous the migrations before it, oldest first
 */
export async function runRecorded(
  session: MigrationSession,
  migration: Migration,
  previous: readonly Migration[],
  { dialect, steps, run, onCopy }: RunOptions,
): Promise<void> {
  const { name, sql, renames } = migration;
  const record = recordOf(migration, previous);
  const before: Tables = record.before === null ? new Map() : await parseTables(record.before);
  const existing = [...(await session.columns()).keys()];
  const affected = affectedTables(existing, { sql, renames, steps });
  const kept = await keepRows(session, name, affected, { dialect, before });
  const path = kept.length === 0 ? null : copyDatabase(session, name);
  if (path !== null) onCopy?.(path);
  await run();
  await markRemoved(session, kept, { dialect, before, renames });
  await writeRecord(session, { ...record, kept });
}

/**
 * Records a migration in place of another, whose rows stay kept, or only forgets the other.
 *
 * @param previous the migrations before both, oldest first
 */
export async function replaceRecord(
  session: MigrationSession,
  replaced: string,
  migration: Migration | null,
  previous: readonly Migration[],
): Promise<void> {
  const kept = (await readRecords(session)).get(replaced)?.kept ?? [];
  await deleteRecord(session, replaced);
  if (migration === null) return;
  await writeRecord(session, { ...recordOf(migration, previous), kept });
}
