import type { MigrationSession } from '../../dialects/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import { lastMigrationWithSnapshot } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { compareTables } from '../plan/compare-tables.js';
import type { MigrationStep } from '../plan/compare-tables.js';
import { parseTables } from '../schema/schema-tables.js';
import type { Tables } from '../schema/schema-tables.js';

type Columns = ReadonlyMap<string, ReadonlySet<string>>;

const printStep = ({ action, table, column }: MigrationStep): string =>
  `${action.startsWith('drop') ? 'without ' : ''}${column === undefined ? table : `${table}.${column}`}`;

/** Whether the database is already as the step would make it. */
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

const parseParent = async (parent: string | null, previous: readonly Migration[]): Promise<Tables | null> => {
  if (parent === null) return new Map();
  const text = previous.find(({ name }) => name === parent)?.snapshot?.text;
  return text === undefined ? null : parseTables(text);
};

/**
 * Refuses a migration of another branch whose change this database has already: both branches made it. Its
 * SQL would fail.
 *
 * @param previous the migrations that are applied before it, oldest first
 * @throws `migration/duplicate`
 */
export async function assertNotDuplicate(
  session: MigrationSession,
  { name, snapshot, renames }: Migration,
  previous: readonly Migration[],
): Promise<void> {
  if (snapshot === null || snapshot.parent === lastMigrationWithSnapshot(previous)) return;
  const before = await parseParent(snapshot.parent, previous);
  if (before === null) return;
  const columns = await session.columns();
  const renamed = new Set(
    renames.flatMap(({ from, to, ...rename }) =>
      rename.kind === 'table' ? [from, to] : [`${rename.table}.${from}`, `${rename.table}.${to}`],
    ),
  );
  const done = compareTables(before, await parseTables(snapshot.text))
    .steps.filter(({ table, column }) => !renamed.has(column === undefined ? table : `${table}.${column}`))
    .filter((step) => isDone(step, columns));
  if (done.length > 0)
    throw createError('migration/duplicate', { name, changes: done.map(printStep).join(', ') });
}
