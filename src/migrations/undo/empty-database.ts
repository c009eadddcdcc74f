import { toMigrationError } from '../apply/apply-migrations.js';
import { withSession } from '../apply/migration-status.js';
import type { MigrationTarget } from '../apply/migration-status.js';
import { copyDatabase } from './database-copies.js';
import { dropCopies } from './drop-copies.js';
import { readRecords } from './migration-record.js';

/**
 * Drops everything in the database, in one transaction. If the database is a file, keeps a copy next to it
 * and returns the path of the copy.
 *
 * @throws `migration/locked`, `migration/failed`
 */
export async function emptyDatabase(target: MigrationTarget): Promise<string | null> {
  const { dialect } = target;
  return withSession(target, true, async (session) => {
    try {
      return await session.runExclusive(async () => {
        const hasTables = (await session.columns()).size > 0;
        const path = hasTables ? copyDatabase(session, 'reset') : null;
        for (const { kept } of (await readRecords(session)).values())
          await dropCopies(session, { kept, dialect });
        await dialect.migrations.dropEverything(session);
        return path;
      });
    } catch (error) {
      throw toMigrationError(error, 'reset', target);
    }
  });
}
