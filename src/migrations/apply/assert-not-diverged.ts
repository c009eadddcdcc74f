import { createError } from '../../errors/catalogue.js';
import { tablesChangedByBoth } from '../schema/merge-schemas.js';
import { lastMigrationWithSnapshot, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { quoteName } from '../migration-dialect.js';

/**
 * Rejects a migration from another branch that rebuilds a table without columns that were added meanwhile,
 * and would so drop them. Tables that are changed in place have no such risk.
 *
 * @param applied the migrations that are applied before it, oldest first
 * @throws `migration/diverged`
 */
export function assertNotDiverged(migration: Migration, applied: readonly Migration[]): void {
  const { name, sql, snapshot } = migration;
  if (snapshot === null || snapshot.parent === lastMigrationWithSnapshot(applied)) return;
  const baseSchema =
    snapshot.parent === null
      ? ''
      : applied.find((candidate) => candidate.name === snapshot.parent)?.snapshot?.text;
  const currentSchema = schemaAfterMigrations(applied);
  if (baseSchema === undefined || currentSchema === null) return;
  const conflictingTables = tablesChangedByBoth(baseSchema, currentSchema, snapshot.text).filter((table) =>
    sql.includes(`DROP TABLE ${quoteName(table)};`),
  );
  if (conflictingTables.length > 0)
    throw createError('migration/diverged', { name, tables: conflictingTables.join(', ') });
}
