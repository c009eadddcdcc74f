import type { ContentRename } from '../migrations/content/content-decisions.js';
import { findContentRenameCandidates } from '../migrations/content/content-rename-candidates.js';
import { modelOfSnapshot } from '../migrations/files/content-snapshot.js';
import {
  contentAfterMigrations,
  lastMigrationWithSnapshot,
  loadMigrations,
  schemaAfterMigrations,
} from '../migrations/files/load-migrations.js';
import { findRenameCandidates } from '../migrations/plan/rename-candidates.js';
import type { Rename } from '../migrations/schema/rename-in-schema.js';
import { sequenceRenames } from '../migrations/schema/sequence-renames.js';
import type { ContentModel } from '../model/model.js';
import { printProjectSchema } from './generated-files.js';
import type { Project } from './open-project.js';

/** A rename of a table or column, or of a component or its attribute, which are stored as JSON. */
export type ProjectRename = Rename | ContentRename;

/**
 * Returns the content model that the migrations lead to. Null before the first migration, and after
 * migrations that are older than the content snapshots.
 */
export async function previousModel({ paths }: Pick<Project, 'paths'>): Promise<ContentModel | null> {
  const migrations = await loadMigrations(paths.migrations);
  const content = contentAfterMigrations(migrations);
  return content === null ? null : modelOfSnapshot(lastMigrationWithSnapshot(migrations) ?? '', content);
}

/**
 * Returns what was removed and may have been renamed, with what was added. The user decides before the
 * migration is planned.
 */
export async function findProjectRenames(project: Project): Promise<readonly ProjectRename[]> {
  const previous = schemaAfterMigrations(await loadMigrations(project.paths.migrations));
  if (previous === null) return [];
  const before = await previousModel(project);
  return [
    ...(await findRenameCandidates(previous, await printProjectSchema(project))),
    ...(before === null ? [] : findContentRenameCandidates(before, project.model)),
  ];
}

/** Returns all that the migrations have renamed. */
export async function recordedRenames({ paths }: Pick<Project, 'paths'>): Promise<readonly ProjectRename[]> {
  const migrations = await loadMigrations(paths.migrations);
  return migrations.flatMap(({ renames, decisions }) => [...renames, ...decisions.renames]);
}

const isDatabaseRename = (rename: ProjectRename): rename is Rename =>
  rename.kind === 'table' || rename.kind === 'column';

/** Splits renames into those of the database, each of which finds its new name free, and those in JSON. */
export function splitRenames(renames: readonly ProjectRename[]): {
  readonly database: readonly Rename[];
  readonly content: readonly ContentRename[];
} {
  return {
    database: sequenceRenames(renames.filter(isDatabaseRename)),
    content: renames.filter((rename): rename is ContentRename => !isDatabaseRename(rename)),
  };
}
