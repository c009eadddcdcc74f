import { fail } from '../errors/catalogue.js';
import { loadMigrations, schemaAfter } from '../migrations/migration-files.js';
import { planMigration } from '../migrations/plan.js';
import { migrationStatus } from '../migrations/status.js';
import { reaching } from './as-unreachable.js';
import { printProjectSchema } from './generated-files.js';
import type { Project } from './open-project.js';

interface Obstacle {
  readonly reason: string;
  readonly remedy: string;
}

const listNames = (names: readonly string[]): string => (names.length === 1 ? String(names[0]) : `${names.length} migrations (${names.join(', ')})`);

/** Whether the content-types ask for tables that no migration makes. The texts are compared first: they are the same at nearly every start. */
const hasDrifted = async (project: Project): Promise<boolean> => {
  const previousSchema = schemaAfter(await loadMigrations(project.paths.migrations));
  const nextSchema = await printProjectSchema(project);
  if (previousSchema === nextSchema) return false;
  return (await planMigration({ previousSchema, nextSchema, dialect: project.dialect })).sql !== '';
};

const findObstacle = async (project: Project): Promise<Obstacle | null> => {
  const { config, paths, dialect } = project;
  const { failed, pending } = await migrationStatus({ folder: paths.migrations, url: config.database.url, dialect });
  if (failed.length > 0) return { reason: `${listNames(failed)} was begun and never finished`, remedy: 'See: cms migrate status' };
  if (pending.length > 0) return { reason: `${listNames(pending)} pending`, remedy: 'Run: cms migrate deploy' };
  if (await hasDrifted(project)) return { reason: 'the content-types have changes that no migration makes', remedy: 'Run: cms migrate' };
  return null;
};

/**
 * Makes sure that the database has the tables which the content-types ask for.
 *
 * @throws `project/pending-migrations`, which says what is missing and the next command; `database/unreachable`
 */
export async function assertMigrated(project: Project): Promise<void> {
  const obstacle = await reaching(project, () => findObstacle(project));
  if (obstacle !== null) throw fail('project/pending-migrations', { ...obstacle });
}
