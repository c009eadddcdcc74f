import type { ContentDecisions, ContentRename } from '../migrations/content/content-decisions.js';
import { findRenameCandidates } from '../migrations/content/rename-candidates.js';
import { modelOfSnapshot } from '../migrations/files/content-snapshot.js';
import {
  contentAfterMigrations,
  lastMigrationWithSnapshot,
  loadMigrations,
} from '../migrations/files/load-migrations.js';
import type { Migration } from '../migrations/files/load-migrations.js';
import type { ContentModel } from '../model/model.js';
import type { Project } from './open-project.js';

const modelAfter = (migrations: readonly Migration[]): ContentModel | null => {
  const content = contentAfterMigrations(migrations);
  return content === null ? null : modelOfSnapshot(lastMigrationWithSnapshot(migrations) ?? '', content);
};

/**
 * Returns the content model that the migrations lead to. Null before the first migration, and after
 * migrations that are older than the content snapshots.
 */
export async function previousModel({ paths }: Pick<Project, 'paths'>): Promise<ContentModel | null> {
  return modelAfter(await loadMigrations(paths.migrations));
}

/** Returns what was removed since the migrations and may have been renamed, with what was added. */
export async function findProjectRenames(project: Project): Promise<readonly ContentRename[]> {
  const before = await previousModel(project);
  return before === null ? [] : findRenameCandidates(before, project.model);
}

/** The last migration of a project, and what it was planned from. */
export interface LastMigration {
  readonly name: string;
  readonly before: ContentModel | null;
  readonly decisions: ContentDecisions;
}

/** Returns the last migration with what it records. Null: there is none. */
export async function findLastMigration({ paths }: Pick<Project, 'paths'>): Promise<LastMigration | null> {
  const migrations = await loadMigrations(paths.migrations);
  const last = migrations.at(-1);
  return last === undefined
    ? null
    : { name: last.name, before: modelAfter(migrations.slice(0, -1)), decisions: last.decisions };
}

/** Returns all that the migrations have renamed. */
export async function recordedRenames({ paths }: Pick<Project, 'paths'>): Promise<readonly ContentRename[]> {
  return (await loadMigrations(paths.migrations)).flatMap(({ decisions }) => decisions.renames);
}
