import { createError } from '../errors/catalogue.js';
import { contentSnapshotOf } from '../migrations/files/content-snapshot.js';
import { isContentChanged } from '../migrations/files/content-transition.js';
import {
  contentAfterMigrations,
  loadMigrations,
  schemaAfterMigrations,
} from '../migrations/files/load-migrations.js';
import { planMigration } from '../migrations/plan/plan-migration.js';
import { checkHistory } from '../migrations/undo/check-history.js';
import type { MigrationStatus } from '../migrations/apply/migration-status.js';
import { migrationTarget } from './migration-target.js';
import { mapUnreachableError } from './unreachable-error.js';
import { printProjectSchema } from './generated-files.js';
import type { Project } from './open-project.js';

interface MigrationProblem {
  readonly reason: string;
  readonly remedy: string;
}

const listNames = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${names.length} migrations (${names.join(', ')})`;

/**
 * Returns whether the content-types need changes that no migration contains. Compares the two schema texts
 * first, because they are equal at nearly every start.
 */
const hasDrifted = async (project: Project): Promise<boolean> => {
  const migrations = await loadMigrations(project.paths.migrations);
  // Migrations of older releases do not state the content-types. They may be served as they are.
  const hasContent = contentAfterMigrations(migrations) !== null;
  if (hasContent && isContentChanged(contentSnapshotOf(project.definitions), migrations)) return true;
  const previousSchema = schemaAfterMigrations(migrations);
  const nextSchema = await printProjectSchema(project);
  if (previousSchema === nextSchema) return false;
  return (await planMigration({ previousSchema, nextSchema, dialect: project.dialect })).sql !== '';
};

const findMigrationProblem = async (
  project: Project,
  { failed, unfinished, pending }: MigrationStatus,
): Promise<MigrationProblem | null> => {
  if (failed.length > 0)
    return { reason: `${listNames(failed)} was started but not finished`, remedy: 'See: cms migrate status' };
  if (unfinished.length > 0)
    return {
      reason: `the code of ${listNames(unfinished)} has not ended`,
      remedy: 'Wait for it where it is running, otherwise run: cms migrate deploy',
    };
  if (pending.length > 0)
    return { reason: `${listNames(pending)} pending`, remedy: 'Run: cms migrate deploy' };
  if (await hasDrifted(project))
    return {
      reason: 'the content-types have changes that no migration contains',
      remedy: 'Run: cms migrate',
    };
  return null;
};

/** A database that can be served. */
export interface MigratedDatabase {
  /** The difference between its history and the folders of this checkout. */
  readonly warning: string | null;
  /** The auxiliary objects, outside the Prisma schema, that it lacks. */
  readonly missingObjects: readonly string[];
}

/**
 * Checks that the database has the tables of the content-types.
 *
 * @throws `project/pending-migrations`, with what is missing and the next command; `migration/unknown`,
 *   `migration/edited`, `database/unreachable`
 */
export async function assertMigrated(project: Project): Promise<MigratedDatabase> {
  return mapUnreachableError(
    project,
    async () => {
      const { status, error, warning, missingObjects } = await checkHistory(migrationTarget(project));
      if (error !== null) throw error;
      const problem = await findMigrationProblem(project, status);
      if (problem !== null) throw createError('project/pending-migrations', { ...problem });
      return { warning, missingObjects };
    },
    'directUrl',
  );
}
