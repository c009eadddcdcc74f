import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { missingObjects } from './auxiliary-objects.js';
import { compareHistory, readHistory, withSession } from './migration-history.js';
import type { MigrationStatus, MigrationTarget } from './migration-history.js';
import { assertSameDatabase, loadMigrations, schemaAfterMigrations } from '../files/load-migrations.js';
import type { Migration } from '../files/load-migrations.js';
import { compareTables } from '../plan/compare-tables.js';
import { parseTables } from '../schema/schema-tables.js';
import { readRecords } from '../undo/migration-record.js';

/**
 * True if the database has all tables and columns of this checkout's migrations, and later additions demand
 * nothing of its writes. An older release may then serve from it.
 *
 * @param last the name of the migration that was applied last
 */
async function isAhead(
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

/** Returns the command that reverts everything since the oldest of these migrations. */
const downCommand = ({ applied }: MigrationStatus, names: readonly string[]): string => {
  const steps = applied.length - applied.findIndex((name) => names.includes(name));
  return steps === 1 ? 'cms migrate down' : `cms migrate down --steps ${steps}`;
};

const pronounFor = (names: readonly string[]): string => (names.length === 1 ? 'it' : 'them');

/** Returns the remedy for migrations that the database has and this checkout lacks. */
const missingRemedy = (status: MigrationStatus): string =>
  `Switch back to the branch that has ${pronounFor(status.missing)}, ` +
  `or revert the migrations applied since: ${downCommand(status, status.missing)}`;

/** Returns the remedy for applied migrations whose files have changed. */
const editedRemedy = (status: MigrationStatus): string =>
  `Restore ${pronounFor(status.edited)} from version control, ` +
  `or revert and apply again: ${downCommand(status, status.edited)}, then cms migrate`;

/** Returns the error for migrations that this checkout lacks or has changed. Null if there are none. */
export function historyError(status: MigrationStatus): GalleyError | null {
  const { missing, edited } = status;
  if (missing.length > 0)
    return createError('migration/unknown', {
      count: missing.length === 1 ? 'a migration' : `${missing.length} migrations`,
      names: missing.join(', '),
      remedy: missingRemedy(status),
    });
  if (edited.length > 0)
    return createError('migration/edited', { names: edited.join(', '), remedy: editedRemedy(status) });
  return null;
}

/**
 * Returns the error that keeps this checkout from working on the database; null if it can work. A release
 * older than the database can, if nothing that it needs has changed and nothing is pending.
 */
async function blockingHistoryError(
  session: MigrationSession,
  migrations: readonly Migration[],
  status: MigrationStatus,
): Promise<GalleyError | null> {
  const error = historyError(status);
  if (error === null || status.pending.length > 0) return error;
  return (await isAhead(session, migrations, status.applied.at(-1))) ? null : error;
}

/** A migration to apply, or one whose code has not ended. */
export interface PendingMigration {
  readonly migration: Migration;
  readonly isSqlApplied: boolean;
}

/** Asserts that the database has applied all or none of the migrations that a pending one folds. */
const assertNotPartlySquashed = (
  migrations: readonly Migration[],
  { pending }: MigrationStatus,
  names: ReadonlySet<string>,
): void => {
  for (const { name, squashes = [] } of migrations) {
    const [folded = []] = squashes;
    const lacking = folded.filter((each) => !names.has(each));
    if (pending.includes(name) && squashes.flat().some((each) => names.has(each)))
      throw createError('migration/partly-squashed', { name, lacking: lacking.join(', ') });
  }
};

/**
 * Lists the migrations to apply, oldest first. With `allowsAhead`, a newer release may have migrated the
 * database if nothing is pending.
 *
 * @throws `migration/unfinished`, `migration/code-missing`, `migration/draft`, `migration/unknown`,
 *   `migration/edited`, `migration/partly-squashed`
 */
export async function listPending(
  session: MigrationSession,
  migrations: readonly Migration[],
  { allowsAhead = false }: { readonly allowsAhead?: boolean },
): Promise<readonly PendingMigration[]> {
  const history = await readHistory(session);
  const status = compareHistory(migrations, history);
  const { pending, drafts, failed, unfinished } = status;
  const [failedName] = failed;
  if (failedName !== undefined) throw createError('migration/unfinished', { name: failedName });
  const error = allowsAhead ? await blockingHistoryError(session, migrations, status) : historyError(status);
  if (error !== null) throw error;
  const missing = unfinished.find((name) => !migrations.some((migration) => migration.name === name));
  if (missing !== undefined) throw createError('migration/code-missing', { name: missing });
  const [draft] = drafts;
  if (draft !== undefined) throw createError('migration/draft', { name: draft });
  assertNotPartlySquashed(migrations, status, new Set(history.map(({ name }) => name)));
  return migrations
    .filter(({ name }) => pending.includes(name) || unfinished.includes(name))
    .map((migration) => ({ migration, isSqlApplied: unfinished.includes(migration.name) }));
}

/** Result of comparing the history of a database with the migration folders. */
export interface HistoryCheck {
  readonly status: MigrationStatus;
  /** Error that keeps this checkout from working on the database; null if it can. */
  readonly error: GalleyError | null;
  /** Message about a tolerated difference between the folders and the database; null if there is none. */
  readonly warning: string | null;
  /** The auxiliary objects that the database lacks. */
  readonly missingObjects: readonly string[];
}

/**
 * Checks whether this checkout can work on the database. Changes nothing.
 *
 * @throws `migration/wrong-database`, `migration/unreadable`
 */
export async function checkHistory(target: MigrationTarget): Promise<HistoryCheck> {
  await assertSameDatabase(target.folder, target.dialect.schema.provider);
  return withSession(target, false, async (session) => {
    // Before the folder: what another process writes and applies meanwhile is pending, and not missing.
    const history = await readHistory(session);
    const migrations = await loadMigrations(target.folder);
    const status = compareHistory(migrations, history);
    const error = await blockingHistoryError(session, migrations, status);
    return {
      status,
      error,
      warning: error === null ? (historyError(status)?.message ?? null) : null,
      missingObjects: await missingObjects(session, target.objects ?? [], target.dialect),
    };
  });
}
