import { withSession } from '../apply/migration-status.js';
import type { MigrationTarget } from '../apply/migration-status.js';
import { missingObjects, syncObjects } from './sync-objects.js';

/**
 * Builds the objects that the database lacks, as where another tool has replaced a table. Objects of other
 * releases stay. Returns the names of those that could not be built.
 */
export async function ensureObjects(target: MigrationTarget): Promise<readonly string[]> {
  const { objects = [], dialect } = target;
  return withSession({ ...target, objects: [] }, true, async (session) => {
    if ((await missingObjects(session, objects, dialect)).length === 0) return [];
    await session.runExclusive(() => syncObjects(session, objects, dialect, { isMigration: false }));
    return missingObjects(session, objects, dialect);
  });
}
