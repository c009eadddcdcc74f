import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { printContentSnapshot } from '../files/content-snapshot.js';
import { contentAfterMigrations, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { readRecords } from './migration-record.js';
import type { MigrationRecord } from './migration-record.js';

/** The snapshot of the content-types after migrations, as text. */
const contentTextAfter = (migrations: readonly Migration[]): string | null => {
  const content = contentAfterMigrations(migrations);
  return content === null ? null : printContentSnapshot(content);
};

/** Returns the record of a migration, derived from its folder and those before it. */
export const recordOf = (
  migration: Migration,
  previous: readonly Migration[],
): Omit<MigrationRecord, 'kept'> => ({
  name: migration.name,
  sql: migration.sql,
  before: schemaAfterMigrations(previous),
  after: migration.snapshot === null ? null : schemaAfterMigrations([...previous, migration]),
  contentBefore: contentTextAfter(previous),
  contentAfter: migration.snapshot === null ? null : contentTextAfter([...previous, migration]),
});

/**
 * Returns what each applied migration has done, by name: by the record in the database, or else, where an
 * older release has applied it, by its folder.
 */
export async function knownRecords(
  session: MigrationSession,
  migrations: readonly Migration[],
): Promise<ReadonlyMap<string, MigrationRecord>> {
  const fromFolders = migrations.map((migration, index): readonly [string, MigrationRecord] => [
    migration.name,
    { ...recordOf(migration, migrations.slice(0, index)), kept: [] },
  ]);
  return new Map([...fromFolders, ...(await readRecords(session))]);
}
