import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import type { Migration } from '../files/load-migrations.js';
import { blockingHistoryError, historyError } from '../undo/history-problems.js';
import { readHistory } from './migration-history.js';
import { compareHistory } from './migration-status.js';
import type { MigrationStatus } from './migration-status.js';

/** A migration to apply, or one whose code is to be run to its end. */
export interface PendingMigration {
  readonly migration: Migration;
  readonly isSqlApplied: boolean;
}

/** Asserts that the database has applied all or nothing of what a pending migration folds. */
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
 * Lists what is to be applied, oldest first. With `allowsAhead`, the database may have been migrated by a
 * newer release, where nothing is pending.
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
