import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { lastMigrationWithSnapshot } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import type { MigrationEffects } from '../plan/compare-states.js';
import type { MigrationStep } from '../plan/compare-tables.js';

type Columns = ReadonlyMap<string, ReadonlySet<string>>;

const printStep = ({ action, table, column }: MigrationStep): string =>
  `${action.startsWith('drop') ? 'without ' : ''}${column === undefined ? table : `${table}.${column}`}`;

/** True if the database is already as the step would make it. */
const isDone = ({ action, table, column = '' }: MigrationStep, columns: Columns): boolean => {
  const existing = columns.get(table);
  switch (action) {
    case 'create-table':
      return existing !== undefined;
    case 'drop-table':
      return existing === undefined;
    case 'add-column':
      return existing?.has(column) === true;
    case 'drop-column':
      return existing?.has(column) !== true;
    default:
      return false;
  }
};

/**
 * Rejects a migration of another branch whose change this database has already: both branches made it. Its
 * SQL would fail.
 *
 * @param previous the migrations that are applied before it, oldest first
 * @throws `migration/duplicate`
 */
export async function assertNotDuplicate(
  session: MigrationSession,
  { name, snapshot }: Migration,
  previous: readonly Migration[],
  effects: MigrationEffects | null,
): Promise<void> {
  if (snapshot === null || effects === null || snapshot.parent === lastMigrationWithSnapshot(previous))
    return;
  const columns = await session.columns();
  const done = effects.tableSteps.filter((step) => isDone(step, columns));
  if (done.length > 0)
    throw createError('migration/duplicate', { name, changes: done.map(printStep).join(', ') });
}
