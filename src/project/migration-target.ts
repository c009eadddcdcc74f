import { databaseObjectsOf, searchedTables } from '../migrations/objects/database-objects.js';
import type { MigrationTarget } from '../migrations/apply/migration-status.js';
import type { Project } from './open-project.js';

/** Returns the folder of a project's migrations, and the database and the objects that they apply to. */
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
