import { NO_DECISIONS } from '../migrations/content/content-decisions.js';
import type { ContentDecisions } from '../migrations/content/content-decisions.js';
import { contentSnapshotOf } from '../migrations/files/content-snapshot.js';
import { applyMigrations } from '../migrations/apply/apply-migrations.js';
import type { ApplyResult } from '../migrations/apply/apply-migrations.js';
import type { RunCode } from '../migrations/apply/run-code.js';
import { applyPlan, createPlan } from '../migrations/migrate.js';
import type { MigrateResult } from '../migrations/migrate.js';
import type { AcceptedImpact } from '../migrations/impact/data-impact.js';
import type { ApplyPlanOptions, Plan } from '../migrations/plan/plan.js';
import { loadMigrations } from '../migrations/files/load-migrations.js';
import { areSafeWhileRunning } from '../migrations/plan/additive.js';
import { migrationStatus } from '../migrations/apply/migration-status.js';
import type { MigrationStatus } from '../migrations/apply/migration-status.js';
import { inspectPending } from '../migrations/apply/pending-impact.js';
import type { PendingImpact } from '../migrations/apply/pending-impact.js';
import { migrationTarget } from './migration-target.js';
import { mapUnreachableError } from './unreachable-error.js';
import { createRunCode } from './migration-code/run-migration-code.js';
import { generate } from './generate.js';
import type { GenerateResult } from './generate.js';
import { printProjectSchema } from './generated-files.js';
import { importProjectSeed } from './import-project-seed.js';
import type { Project } from './open-project.js';

/** The options that a plan is applied with. */
export interface MigrateProjectOptions extends Pick<
  ApplyPlanOptions,
  keyof AcceptedImpact | 'label' | 'onProgress' | 'findUnpublished' | 'onCopy'
> {
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

/** Plans the migration of the project's database to the content-types. Changes nothing. */
export async function planProject(
  project: Project,
  decisions: ContentDecisions = NO_DECISIONS,
): Promise<Plan> {
  const nextSchema = await printProjectSchema(project);
  const nextContent = contentSnapshotOf(project.definitions);
  const state = { nextSchema, nextContent, decisions };
  return onTarget(project, () => createPlan(state, migrationTarget(project)));
}

/** Applies a plan of {@link planProject} to the database. Does not write the generated files. */
export async function migrateProjectDatabase(
  project: Project,
  plan: Plan,
  options: MigrateProjectOptions,
): Promise<MigrateResult> {
  return onTarget(project, () =>
    applyPlan(plan, { ...migrationTarget(project), ...options, runCode: runCodeOf(project, options) }),
  );
}

/**
 * Migrates the database and updates the generated files, for development: the schema, the types and the
 * client. Imports the seed folder once. If the migration is rejected, nothing is changed.
 *
 * @throws what `applyPlan` throws, `project/seed-import-failed`
 */
export async function migrateProject(
  project: Project,
  plan: Plan,
  options: MigrateProjectOptions,
): Promise<ProjectMigration> {
  const result = await migrateProjectDatabase(project, plan, options);
  const generation = await generate(project);
  return { ...result, ...generation, seeded: await importProjectSeed(project) };
}

/** Applies pending migrations and generates a missing client, for production. Writes no committed file. */
export async function deployProject(
  project: Project,
  options: Omit<MigrateProjectOptions, 'label' | 'findUnpublished'> = {},
): Promise<ApplyResult> {
  return onTarget(project, () =>
    applyMigrations({ ...migrationTarget(project), ...options, runCode: runCodeOf(project, options) }),
  );
}

/** Returns the applied, pending and failed migrations of the project's database. */
export async function projectMigrationStatus(project: Project): Promise<MigrationStatus> {
  return onTarget(project, () => migrationStatus(migrationTarget(project)));
}

/** Counts the impact of the pending migrations on the project's database. Changes nothing. */
export async function countPendingImpact(project: Project): Promise<PendingImpact> {
  return onTarget(project, () => inspectPending(migrationTarget(project)));
}

/** True if instances of the release before may serve on while these migrations are applied and afterwards. */
export async function isSafeWhileRunning(
  { paths }: Pick<Project, 'paths'>,
  names: readonly string[],
): Promise<boolean> {
  return areSafeWhileRunning(await loadMigrations(paths.migrations), names);
}
