import { applyMigrations } from '../migrations/apply.js';
import type { ApplyResult } from '../migrations/apply.js';
import { migrate, previewMigration } from '../migrations/migrate.js';
import type { MigrateResult, Preview } from '../migrations/migrate.js';
import { loadMigrations, schemaAfter } from '../migrations/migration-files.js';
import { findRenameCandidates } from '../migrations/rename-candidates.js';
import type { Rename } from '../migrations/rename-in-schema.js';
import { migrationStatus } from '../migrations/status.js';
import type { DatabaseAddress, MigrationStatus } from '../migrations/status.js';
import { reaching } from './as-unreachable.js';
import { generate } from './generate.js';
import type { Generation } from './generate.js';
import { printProjectSchema } from './generated-files.js';
import { importProjectSeed } from './import-project-seed.js';
import type { Project } from './open-project.js';

export interface MigrateProjectOptions {
  /** What the migration is called, in the user's words. */
  readonly label: string;
  readonly renames?: readonly Rename[];
  readonly acceptsDataLoss?: boolean;
  readonly onProgress?: (event: { readonly name: string; readonly done: number; readonly total: number }) => void;
}

export interface ProjectMigration extends MigrateResult, Generation {
  /** Documents of the seed folder that were imported now. */
  readonly seeded: number;
}

const addressOf = ({ paths, config, dialect }: Project): DatabaseAddress & { readonly dialect: Project['dialect'] } => ({ folder: paths.migrations, url: config.database.url, dialect });

/** What {@link migrateProject} would do to the database: SQL and losses. Changes nothing. */
export async function previewProjectMigration(project: Project, renames: readonly Rename[] = []): Promise<Preview> {
  const nextSchema = await printProjectSchema(project);
  return reaching(project, () => previewMigration({ ...addressOf(project), nextSchema, renames }));
}

/** What looks like a rename, to be asked about before anything is planned as a loss. */
export async function findProjectRenames(project: Project): Promise<readonly Rename[]> {
  const previous = schemaAfter(await loadMigrations(project.paths.migrations));
  return previous === null ? [] : findRenameCandidates(previous, await printProjectSchema(project));
}

/** Brings the database alone in line with the content-types, writing and applying a migration where one is needed. */
export async function migrateProjectDatabase(project: Project, options: MigrateProjectOptions): Promise<MigrateResult> {
  const nextSchema = await printProjectSchema(project);
  return reaching(project, () => migrate({ ...addressOf(project), ...options, nextSchema }));
}

/**
 * Development: brings database and generated files in line with the content-types. Writes and applies a migration where one is needed,
 * then the schema, the types and the client; imports the seed folder once. A refusal changes nothing.
 *
 * @throws what `migrate` throws, `project/broken-seed`
 */
export async function migrateProject(project: Project, options: MigrateProjectOptions): Promise<ProjectMigration> {
  const result = await migrateProjectDatabase(project, options);
  const generation = await generate(project);
  return { ...result, ...generation, seeded: await importProjectSeed(project) };
}

/** Production: applies what is pending and makes the client where it is missing. Writes no committed file. */
export async function deployProject(project: Project, options: Pick<MigrateProjectOptions, 'acceptsDataLoss' | 'onProgress'> = {}): Promise<ApplyResult> {
  return reaching(project, () => applyMigrations({ ...addressOf(project), ...options }));
}

/** Where the database stands among the project's migrations. */
export async function projectMigrationStatus(project: Project): Promise<MigrationStatus> {
  return reaching(project, () => migrationStatus(addressOf(project)));
}
