import { databaseObjectsOf, searchedTables } from '../migrations/objects/database-objects.js';
import type { MigrationTarget } from '../migrations/apply/migration-status.js';
import type { Project } from './open-project.js';

/** Where the migrations of a project are, and what they are applied to. */
export const migrationTarget = ({
  paths,
  config,
  dialect,
  model,
}: Pick<Project, 'paths' | 'config' | 'dialect' | 'model'>): MigrationTarget & {
  readonly dialect: Project['dialect'];
} => ({
  folder: paths.migrations,
  url: config.database.directUrl,
  dialect,
  objects: databaseObjectsOf(model, dialect),
  searched: searchedTables(model),
});
