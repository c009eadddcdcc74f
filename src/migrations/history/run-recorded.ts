import type { MigrationSession } from '../../dialects/migration-support.js';
import { printContentSnapshot } from '../files/content-snapshot.js';
import { contentAfterMigrations, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { compareTables } from '../plan/compare-tables.js';
import { renameInSchema } from '../schema/rename-in-schema.js';
import { parseTables } from '../schema/schema-tables.js';
import { affectedTables } from './affected-tables.js';
import { keepRows, markRemoved } from './keep-rows.js';
import { writeRecord } from './migration-record.js';

const contentAfter = (migrations: readonly Migration[]): string | null => {
  const content = contentAfterMigrations(migrations);
  return content === null ? null : printContentSnapshot(content);
};

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
  { dialect, run }: { readonly dialect: MigrationDialect; readonly run: () => Promise<void> },
): Promise<void> {
  const { name, sql, renames, snapshot } = migration;
  const beforeText = schemaAfterMigrations(previous);
  const afterText = snapshot === null ? null : schemaAfterMigrations([...previous, migration]);
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
  await run();
  await markRemoved(session, kept, { dialect, before, renames });
  await writeRecord(session, {
    name,
    sql,
    before: beforeText,
    after: afterText,
    contentBefore: contentAfter(previous),
    contentAfter: snapshot === null ? null : contentAfter([...previous, migration]),
    kept,
  });
}
