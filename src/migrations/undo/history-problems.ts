import type { MigrationSession } from '../../database/dialect/migration-support.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import type { MigrationStatus } from '../apply/migration-status.js';
import type { Migration } from '../files/load-migrations.js';
import { isAhead } from './is-ahead.js';

/** The steps that take back everything since the oldest of these migrations. */
const downCommand = ({ applied }: MigrationStatus, names: readonly string[]): string => {
  const steps = applied.length - applied.findIndex((name) => names.includes(name));
  return steps === 1 ? 'cms migrate down' : `cms migrate down --steps ${steps}`;
};

const printThem = (names: readonly string[]): string => (names.length === 1 ? 'it' : 'them');

/** Returns the remedy for migrations that the database has and this checkout lacks. */
const missingRemedy = (status: MigrationStatus): string =>
  `Switch back to the branch that has ${printThem(status.missing)}, ` +
  `or take back what was applied since: ${downCommand(status, status.missing)}`;

/** Returns the remedy for applied migrations whose files have changed. */
const editedRemedy = (status: MigrationStatus): string =>
  `Restore ${printThem(status.edited)} from version control, ` +
  `or take back and apply anew: ${downCommand(status, status.edited)}, then cms migrate`;

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
 * Returns the error for a history that this checkout contradicts so that it cannot work on the database. A
 * release that is older than the database can, where nothing it needs has changed and nothing is pending.
 */
export async function blockingHistoryError(
  session: MigrationSession,
  migrations: readonly Migration[],
  status: MigrationStatus,
): Promise<GalleyError | null> {
  const error = historyError(status);
  if (error === null || status.pending.length > 0) return error;
  return (await isAhead(session, migrations, status.applied.at(-1))) ? null : error;
}
