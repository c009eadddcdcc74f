import { NO_DECISIONS } from '../migrations/content/content-decisions.js';
import type { ContentDecisions } from '../migrations/content/content-decisions.js';
import { contentSnapshotOf } from '../migrations/files/content-snapshot.js';
import { applyMigrations } from '../migrations/apply/apply-migrations.js';
import type { ApplyOptions, ApplyResult } from '../migrations/apply/apply-migrations.js';
import type { RunCode } from '../migrations/apply/run-code.js';
import { migrate, previewMigration } from '../migrations/migrate.js';
import type { MigrateResult, MigrationPreview } from '../migrations/migrate.js';
import type { Rename } from '../migrations/schema/rename-in-schema.js';
import { loadMigrations } from '../migrations/files/load-migrations.js';
import { areSafeWhileRunning } from '../migrations/plan/additive.js';
import { migrationStatus } from '../migrations/apply/migration-status.js';
import type { MigrationStatus } from '../migrations/apply/migration-status.js';
import { surveyPending } from '../migrations/apply/survey-pending.js';
import type { PendingSurvey } from '../migrations/apply/survey-pending.js';
import { migrationTarget } from './migration-target.js';
import { mapUnreachableError } from './unreachable-error.js';
import { createRunCode } from './migration-code/run-migration-code.js';
import { generate } from './generate.js';
import type { GenerateResult } from './generate.js';
import { printProjectSchema } from './generated-files.js';
import { importProjectSeed } from './import-project-seed.js';
import type { Project } from './open-project.js';

export interface MigrateProjectOptions {
  /** The name of the migration, as the user gave it. */
  readonly label: string;
  readonly renames?: readonly Rename[];
  readonly acceptsDataLoss?: boolean;
  readonly acceptsMisfits?: boolean;
  readonly decisions?: ContentDecisions;
  readonly onProgress?: NonNullable<ApplyOptions['onProgress']>;
  /** Where given, a change may be folded into the last migration, if that is one of these. */
  readonly findUnpublished?: () => Promise<ReadonlySet<string>>;
  /** Told where the database was copied to, before a migration that changes or drops rows. */
  readonly onCopy?: (path: string) => void;
  /** Receives the lines that the code of migrations prints. */
  readonly onMessage?: (message: string) => void;
}

export interface ProjectMigration extends MigrateResult, GenerateResult {
  /** The number of seed documents imported by this call. */
  readonly seeded: number;
}

const onTarget = <T>(project: Project, work: () => Promise<T>): Promise<T> =>
  mapUnreachableError(project, work, 'directUrl');

const runCodeOf = (
  project: Project,
  { onMessage = () => undefined }: Pick<MigrateProjectOptions, 'onMessage'>,
): RunCode => createRunCode(project, onMessage);

/** Returns the SQL and the data losses of {@link migrateProject}. Changes nothing. */
export async function previewProjectMigration(
  project: Project,
  renames: readonly Rename[] = [],
  decisions: ContentDecisions = NO_DECISIONS,
): Promise<MigrationPreview> {
  const nextSchema = await printProjectSchema(project);
  return onTarget(project, () =>
    previewMigration({
      ...migrationTarget(project),
      nextSchema,
      nextContent: contentSnapshotOf(project.definitions),
      renames,
      decisions,
    }),
  );
}

/**
 * Migrates the database to the content-types. Writes and applies a migration if one is needed. Does not write
 * the generated files.
 */
export async function migrateProjectDatabase(
  project: Project,
  options: MigrateProjectOptions,
): Promise<MigrateResult> {
  const nextSchema = await printProjectSchema(project);
  return onTarget(project, () =>
    migrate({
      ...migrationTarget(project),
      ...options,
      nextSchema,
      nextContent: contentSnapshotOf(project.definitions),
      runCode: runCodeOf(project, options),
    }),
  );
}

/**
 * Migrates the database and updates the generated files, for development. Writes and applies a migration if
 * one is needed, then writes the schema, the types and the client. Imports the seed folder once. If the
 * migration is rejected, nothing is changed.
 *
 * @throws what `migrate` throws, `project/seed-import-failed`
 */
export async function migrateProject(
  project: Project,
  options: MigrateProjectOptions,
): Promise<ProjectMigration> {
  const result = await migrateProjectDatabase(project, options);
  const generation = await generate(project);
  return { ...result, ...generation, seeded: await importProjectSeed(project) };
}

/** Applies pending migrations and generates a missing client, for production. Writes no committed file. */
export async function deployProject(
  project: Project,
  options: Pick<
    MigrateProjectOptions,
    'acceptsDataLoss' | 'acceptsMisfits' | 'onProgress' | 'onMessage' | 'onCopy'
  > = {},
): Promise<ApplyResult> {
  return onTarget(project, () =>
    applyMigrations({ ...migrationTarget(project), ...options, runCode: runCodeOf(project, options) }),
  );
}

/** Returns the applied, pending and failed migrations of the project's database. */
export async function projectMigrationStatus(project: Project): Promise<MigrationStatus> {
  return onTarget(project, () => migrationStatus(migrationTarget(project)));
}

/** Counts what stands in the way of the pending migrations in the project's database. Changes nothing. */
export async function surveyPendingMigrations(project: Project): Promise<PendingSurvey> {
  return onTarget(project, () => surveyPending(migrationTarget(project)));
}

/** Whether instances of the release before may serve on while these migrations are applied and afterwards. */
export async function isSafeWhileRunning(
  { paths }: Pick<Project, 'paths'>,
  names: readonly string[],
): Promise<boolean> {
  return areSafeWhileRunning(await loadMigrations(paths.migrations), names);
}
