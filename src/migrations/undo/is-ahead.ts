import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { compareTables } from '../plan/compare-tables.js';
import { parseTables } from '../schema/schema-tables.js';
import { readRecords } from './migration-record.js';

/**
 * True if the database has all that this checkout's migrations lead to, and what was added since asks nothing
 * of its writes. An older release may then serve from it.
 *
 * @param last the name of the migration that was applied last
 */
export async function isAhead(
  session: MigrationSession,
  migrations: readonly Migration[],
  last: string | undefined,
): Promise<boolean> {
  const schema = schemaAfterMigrations(migrations);
  if (schema === null) return true;
  const columns = await session.columns();
  const tables = await parseTables(schema);
  const hasAll = [...tables.values()].every((table) =>
    [...table.columns.keys()].every((column) => columns.get(table.name)?.has(column) === true),
  );
  if (!hasAll) return false;
  const current = (await readRecords(session)).get(last ?? '')?.after ?? null;
  return current === null || compareTables(tables, await parseTables(current)).changes.length === 0;
}
