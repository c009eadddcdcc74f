import type { MigrationSession } from '../../dialects/migration-support.js';
import type { Migration } from '../files/load-migrations.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { compareTables } from '../plan/compare-tables.js';
import { renameInSchema } from '../schema/rename-in-schema.js';
import { parseTables } from '../schema/schema-tables.js';
import { affectedTables } from './affected-tables.js';
import { copyDatabase } from './database-copies.js';
import { keepRows, markRemoved } from './keep-rows.js';
import { recordOf } from './known-records.js';
import { deleteRecord, readRecords, writeRecord } from './migration-record.js';

interface RunOptions {
  readonly dialect: MigrationDialect;
  readonly run: () => Promise<void>;
  /** Told where the database was copied to. */
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
  { dialect, run, onCopy }: RunOptions,
): Promise<void> {
  const { name, sql, renames } = migration;
  const record = recordOf(migration, previous);
  const { before: beforeText, after: afterText } = record;
  const before = beforeText === null ? new Map() : await parseTables(beforeText);
  const steps =
    beforeText === null || afterText === null
      ? null
      : compareTables(
          await parseTables(renameInSchema(beforeText, renames, dialect).text),
          await parseTables(afterText),
        ).steps;
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
