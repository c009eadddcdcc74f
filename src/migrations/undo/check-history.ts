import type { GalleyError } from '../../errors/galley-error.js';
import { readHistory } from '../apply/migration-history.js';
import { compareHistory, withSession } from '../apply/migration-status.js';
import type { MigrationStatus, MigrationTarget } from '../apply/migration-status.js';
import { assertSameDatabase, loadMigrations } from '../files/load-migrations.js';
import { missingObjects } from '../objects/sync-objects.js';
import { blockingHistoryError, historyError } from './history-problems.js';

/** True if a release can work on a database whose history differs from its folders. */
export interface HistoryCheck {
  readonly status: MigrationStatus;
  /** Why it cannot. */
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
  const migrations = await loadMigrations(target.folder);
  return withSession(target, false, async (session) => {
    const status = compareHistory(migrations, await readHistory(session));
    const error = await blockingHistoryError(session, migrations, status);
    return {
      status,
      error,
      warning: error === null ? (historyError(status)?.message ?? null) : null,
      missingObjects: await missingObjects(session, target.objects ?? [], target.dialect),
    };
  });
}
