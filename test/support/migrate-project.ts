import * as app from '../../src/project/migrate/migrate-project.js';
import type { MigrateProjectOptions, ProjectMigration } from '../../src/project/migrate/migrate-project.js';
import type { Project } from '../../src/project/open/open-project.js';
import type { ContentDecisions } from '../../src/migrations/content/content-decisions.js';
import type { MigrateResult } from '../../src/migrations/migrate.js';

interface PlannedOptions extends MigrateProjectOptions {
  readonly decisions?: ContentDecisions;
}

/** Plans and applies at once, with no word from a user in between. */
export const migrateProjectDatabase = async (
  project: Project,
  { decisions, ...options }: PlannedOptions,
): Promise<MigrateResult> =>
  app.migrateProjectDatabase(project, await app.planProject(project, decisions), options);

/** The same, with the generated files and the seed. */
export const migrateProject = async (
  project: Project,
  { decisions, ...options }: PlannedOptions,
): Promise<ProjectMigration> =>
  app.migrateProject(project, await app.planProject(project, decisions), options);
