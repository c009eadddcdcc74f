import { emptyDatabase } from '../migrations/undo/empty-database.js';
import { forgetCopies } from '../migrations/undo/forget-copies.js';
import type { Forgotten } from '../migrations/undo/forget-copies.js';
import type { MigrationTarget } from '../migrations/apply/migration-status.js';
import { migrateDown } from '../migrations/undo/migrate-down.js';
import type { DownOptions, DownResult } from '../migrations/undo/migrate-down.js';
import { squashMigrations } from '../migrations/undo/squash-migrations.js';
import type { SquashResult } from '../migrations/undo/squash-migrations.js';
import { findUndo, undoMigration } from '../migrations/undo/undo-migration.js';
import type { Undo } from '../migrations/undo/undo-migration.js';
import { generate } from './generate.js';
import { importProjectSeed } from './import-project-seed.js';
import { deployProject } from './migrate-project.js';
import type { MigrateProjectOptions } from './migrate-project.js';
import { migrationTarget } from './migration-target.js';
import type { Project } from './open-project.js';
import { mapUnreachableError } from './unreachable-error.js';

/** Takes back migrations of the project's database. Changes no file. */
export async function downProject(
  project: Project,
  options: Omit<DownOptions, keyof MigrationTarget>,
): Promise<DownResult> {
  return mapUnreachableError(project, () => migrateDown({ ...migrationTarget(project), ...options }));
}

/** Returns what {@link undoProject} would undo. */
export async function findProjectUndo(project: Project): Promise<Undo> {
  return mapUnreachableError(project, () => findUndo(migrationTarget(project)));
}

/** Makes the project's database what it was before the last destructive migration. */
export async function undoProject(project: Project): Promise<Undo> {
  return mapUnreachableError(project, () => undoMigration(migrationTarget(project)));
}

/** Drops what was kept for migrations to be taken back or undone. */
export async function forgetProject(
  project: Project,
  options: { readonly isDryRun: boolean },
): Promise<Forgotten> {
  return mapUnreachableError(project, () => forgetCopies(migrationTarget(project), options));
}

/** Folds the project's migrations into one. */
export async function squashProject(project: Project): Promise<SquashResult> {
  return mapUnreachableError(project, () => squashMigrations(migrationTarget(project)));
}

export interface ProjectReset {
  readonly applied: readonly string[];
  readonly seeded: number;
}

/**
 * Drops everything in the project's database, applies all migrations and imports the seed folder. Uploaded
 * files stay where they are.
 */
export async function resetProject(
  project: Project,
  options: Pick<MigrateProjectOptions, 'onProgress' | 'onMessage' | 'onCopy'> = {},
): Promise<ProjectReset> {
  const path = await mapUnreachableError(project, () => emptyDatabase(migrationTarget(project)));
  if (path !== null) options.onCopy?.(path);
  const { applied } = await deployProject(project, {
    ...options,
    acceptsDataLoss: true,
    acceptsInvalid: true,
  });
  await generate(project);
  return { applied, seeded: await importProjectSeed(project) };
}
