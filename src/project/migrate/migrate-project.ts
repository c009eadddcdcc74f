/** The folder migrate applies migrations to the database of a project, beginning in this file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { applyMigrations } from '../../migrations/apply/apply-migrations.js';
import type { ApplyResult } from '../../migrations/apply/apply-migrations.js';
import { migrationStatus } from '../../migrations/apply/migration-history.js';
import type { MigrationStatus, MigrationTarget } from '../../migrations/apply/migration-history.js';
import type { RunCode } from '../../migrations/apply/run-code.js';
import { NO_DECISIONS, findRenameCandidates } from '../../migrations/content/content-decisions.js';
import type { ContentDecisions, ContentRename } from '../../migrations/content/content-decisions.js';
import {
  contentAfterMigrations,
  lastMigrationWithSnapshot,
  loadMigrations,
} from '../../migrations/files/load-migrations.js';
import type { Migration } from '../../migrations/files/load-migrations.js';
import { contentSnapshotOf, modelOfSnapshot } from '../../migrations/files/snapshots.js';
import type { AcceptedImpact } from '../../migrations/impact/data-impact.js';
import { inspectPending } from '../../migrations/impact/pending-impact.js';
import type { PendingImpact } from '../../migrations/impact/pending-impact.js';
import { applyPlan, createPlan } from '../../migrations/migrate.js';
import type { MigrateResult } from '../../migrations/migrate.js';
import { areSafeWhileRunning } from '../../migrations/plan/additive.js';
import type { MigrationStep } from '../../migrations/plan/compare-tables.js';
import type { ApplyPlanOptions, Plan } from '../../migrations/plan/plan-migration.js';
import { deleteCopies } from '../../migrations/undo/database-copies.js';
import type { DeletedCopies } from '../../migrations/undo/database-copies.js';
import { revertMigrations } from '../../migrations/undo/revert-migrations.js';
import type { RevertOptions, RevertResult } from '../../migrations/undo/revert-migrations.js';
import { squashMigrations } from '../../migrations/undo/squash-migrations.js';
import type { SquashResult } from '../../migrations/undo/squash-migrations.js';
import { emptyDatabase, findUndo, undoMigration } from '../../migrations/undo/undo-migration.js';
import type { Undo } from '../../migrations/undo/undo-migration.js';
import type { ContentModel } from '../../model/model.js';
import { LOCALES_FILE, PERMISSIONS_FILE } from '../access-files.js';
import { generate } from '../generate.js';
import type { GenerateResult } from '../generate.js';
import { printProjectSchema } from '../generated-files.js';
import { createRunCode } from './run-migration-code.js';
import { mapUnreachableError, migrationTarget, openProjectDatabase } from '../open/open-database.js';
import { logChanges } from '../open/open-log.js';
import type { Project } from '../open/open-project.js';

const FIRST_CONTENT = ['seed', LOCALES_FILE, PERMISSIONS_FILE];

/**
 * Imports the project's seed folder, locales and permissions, unless they are missing or were imported into
 * this database already. Returns the number of imported documents.
 */
export async function importProjectSeed(project: Project): Promise<number> {
  if (!FIRST_CONTENT.some((name) => existsSync(join(project.root, name)))) return 0;
  const { importSeed } = await import('./import-seed.js');
  const opened = await openProjectDatabase(project);
  try {
    return await importSeed(opened);
  } finally {
    await opened.close();
  }
}

const modelAfter = (migrations: readonly Migration[]): ContentModel | null => {
  const content = contentAfterMigrations(migrations);
  return content === null ? null : modelOfSnapshot(lastMigrationWithSnapshot(migrations) ?? '', content);
};

/**
 * Returns the content model after all migrations. Null before the first migration, and after migrations of
 * releases without content snapshots.
 */
export async function previousModel({ paths }: Pick<Project, 'paths'>): Promise<ContentModel | null> {
  return modelAfter(await loadMigrations(paths.migrations));
}

/** Returns possible renames: pairs of names that were removed and added since the last migration. */
export async function findProjectRenames(project: Project): Promise<readonly ContentRename[]> {
  const before = await previousModel(project);
  return before === null ? [] : findRenameCandidates(before, project.model);
}

/** The last migration of a project, and the inputs of its plan. */
export interface LastMigration {
  readonly name: string;
  readonly before: ContentModel | null;
  readonly decisions: ContentDecisions;
}

/** Returns the last migration with its records. Null if there is none. */
export async function findLastMigration({ paths }: Pick<Project, 'paths'>): Promise<LastMigration | null> {
  const migrations = await loadMigrations(paths.migrations);
  const last = migrations.at(-1);
  return last === undefined
    ? null
    : { name: last.name, before: modelAfter(migrations.slice(0, -1)), decisions: last.decisions };
}

/** Returns all renames of the migrations. */
export async function recordedRenames({ paths }: Pick<Project, 'paths'>): Promise<readonly ContentRename[]> {
  return (await loadMigrations(paths.migrations)).flatMap(({ decisions }) => decisions.renames);
}

const MAX_TABLES = 3;

/**
 * Returns the default name of a migration: the names of the tables that it changes.
 *
 * @example
 *   labelMigration([{ action: 'add-column', table: 'articles', column: 'lead' }]); // 'articles'
 */
export function labelMigration(steps: readonly MigrationStep[]): string {
  const tables = [...new Set(steps.map(({ table }) => table))];
  return tables.length === 0 || tables.length > MAX_TABLES ? 'content_types' : tables.join('_');
}

/** The options for applying a plan. */
export interface MigrateProjectOptions extends Pick<
  ApplyPlanOptions,
  keyof AcceptedImpact | 'label' | 'onProgress' | 'findUnpublished' | 'assertLoaded' | 'onCopy'
> {
  /** Receives the console lines of migration code. */
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

const logMigrations = (project: Project, action: string, names: readonly string[]): Promise<void> =>
  logChanges(
    project,
    names.map((target) => ({ action, target })),
  );

/** Applies a plan of {@link planProject} to the database. Does not write the generated files. */
export async function migrateProjectDatabase(
  project: Project,
  plan: Plan,
  options: MigrateProjectOptions,
): Promise<MigrateResult> {
  return onTarget(project, async () => {
    const target = migrationTarget(project);
    const result = await applyPlan(plan, { ...target, ...options, runCode: runCodeOf(project, options) });
    await logMigrations(project, 'migrations.apply', result.applied);
    return result;
  });
}

/**
 * Migrates the database and updates the generated files, for development: the schema, the types and the
 * client. Imports the seed folder once. If the migration is rejected, nothing is changed.
 *
 * @throws the errors of `applyPlan`, `project/seed-import-failed`
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
  options: Omit<MigrateProjectOptions, 'label' | 'findUnpublished' | 'assertLoaded'> = {},
): Promise<ApplyResult> {
  return onTarget(project, async () => {
    const target = migrationTarget(project);
    const result = await applyMigrations({ ...target, ...options, runCode: runCodeOf(project, options) });
    await logMigrations(project, 'migrations.apply', result.applied);
    return result;
  });
}

/** Returns the applied, pending and failed migrations of the project's database. */
export async function projectMigrationStatus(project: Project): Promise<MigrationStatus> {
  return onTarget(project, () => migrationStatus(migrationTarget(project)));
}

/** Counts the impact of the pending migrations on the project's database. Changes nothing. */
export async function countPendingImpact(project: Project): Promise<PendingImpact> {
  return onTarget(project, () => inspectPending(migrationTarget(project)));
}

/**
 * True if instances of the previous release can keep running while these migrations are applied and
 * afterwards.
 */
export async function isSafeWhileRunning(
  { paths }: Pick<Project, 'paths'>,
  names: readonly string[],
): Promise<boolean> {
  return areSafeWhileRunning(await loadMigrations(paths.migrations), names);
}

/** Reverts migrations of the project's database. Changes no file. */
export async function revertProject(
  project: Project,
  options: Omit<RevertOptions, keyof MigrationTarget>,
): Promise<RevertResult> {
  return mapUnreachableError(project, async () => {
    const result = await revertMigrations({ ...migrationTarget(project), ...options });
    if (options.isDryRun !== true) await logMigrations(project, 'migrations.revert', result.reverted);
    return result;
  });
}

/** Returns what {@link undoProject} would undo. */
export async function findProjectUndo(project: Project): Promise<Undo> {
  return mapUnreachableError(project, () => findUndo(migrationTarget(project)));
}

/** Restores the project's database to its state before the last destructive migration. */
export async function undoProject(project: Project): Promise<Undo> {
  return mapUnreachableError(project, async () => {
    const result = await undoMigration(migrationTarget(project));
    await logMigrations(project, 'migrations.undo', result.undone);
    return result;
  });
}

/** Drops the data kept for reverting and undoing migrations. */
export async function dropUndoData(
  project: Project,
  options: { readonly isDryRun: boolean },
): Promise<DeletedCopies> {
  return mapUnreachableError(project, () => deleteCopies(migrationTarget(project), options));
}

/** Squashes the project's migrations into one. */
export async function squashProject(project: Project): Promise<SquashResult> {
  return mapUnreachableError(project, () => squashMigrations(migrationTarget(project)));
}

export interface ProjectReset {
  readonly applied: readonly string[];
  readonly seeded: number;
}

/**
 * Drops everything in the project's database, applies all migrations and imports the seed folder. Uploaded
 * files are kept.
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
