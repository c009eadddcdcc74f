import type { ContentDecisions, ContentRename } from '../migrations/content/content-decisions.js';
import { findContentRenameCandidates } from '../migrations/content/content-rename-candidates.js';
import { modelOfSnapshot } from '../migrations/files/content-snapshot.js';
import {
  contentAfterMigrations,
  lastMigrationWithSnapshot,
  loadMigrations,
  schemaAfterMigrations,
} from '../migrations/files/load-migrations.js';
import type { Migration } from '../migrations/files/load-migrations.js';
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
  return modelAfter(await loadMigrations(paths.migrations));
}

const modelAfter = (migrations: readonly Migration[]): ContentModel | null => {
  const content = contentAfterMigrations(migrations);
  return content === null ? null : modelOfSnapshot(lastMigrationWithSnapshot(migrations) ?? '', content);
};

/**
 * Returns what was removed and may have been renamed, with what was added. The user decides before the
 * migration is planned.
 *
 * @param migrations those that lead to the state before
 */
async function findRenames(
  project: Project,
  migrations: readonly Migration[],
): Promise<readonly ProjectRename[]> {
  const previous = schemaAfterMigrations(migrations);
  if (previous === null) return [];
  const before = modelAfter(migrations);
  return [
    ...(await findRenameCandidates(previous, await printProjectSchema(project))),
    ...(before === null ? [] : findContentRenameCandidates(before, project.model)),
  ];
}

/** Returns what may have been renamed since the migrations, as {@link findRenames} does. */
export async function findProjectRenames(project: Project): Promise<readonly ProjectRename[]> {
  return findRenames(project, await loadMigrations(project.paths.migrations));
}

/** The last migration of a project, and what it was planned from. */
export interface LastMigration {
  readonly name: string;
  readonly before: ContentModel | null;
  /** The possible renames at the time of planning. */
  readonly candidates: readonly ProjectRename[];
  readonly renames: readonly ProjectRename[];
  readonly decisions: ContentDecisions;
}

/** Returns the last migration with what it records. Null: there is none. */
export async function findLastMigration(project: Project): Promise<LastMigration | null> {
  const migrations = await loadMigrations(project.paths.migrations);
  const last = migrations.at(-1);
  if (last === undefined) return null;
  const { name, renames, decisions } = last;
  const earlier = migrations.slice(0, -1);
  return {
    name,
    before: modelAfter(earlier),
    candidates: await findRenames(project, earlier),
    renames: [...renames, ...decisions.renames],
    decisions,
  };
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
