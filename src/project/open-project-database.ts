import type { AccessContext } from '../access/access.js';
import type { Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { openDatabase } from '../database/open-database.js';
import type { ReadOptions } from '../database/dialect/database-driver.js';
import { mapUnreachableError } from './unreachable-error.js';
import { assertMigrated } from './assert-migrated.js';
import { bootstrapProjectAccess } from './bootstrap-project-access.js';
import type { Project } from './open-project.js';
import type { ClientOptions } from './project-client.js';

/** A project with its database open. Used by commands that edit tokens, permissions and locales. */
export interface OpenProject {
  readonly project: Project;
  readonly database: Database;
  readonly context: AccessContext;
  /** The auxiliary objects, outside the Prisma schema, that the database lacks. */
  readonly missingObjects: readonly string[];
  readonly close: () => Promise<void>;
}

interface OpenDatabaseOptions extends ClientOptions {
  /** Called with the difference between the history of the database and the folders of this checkout. */
  readonly onWarning?: (message: string) => void;
  /** True if replicas are read, as revisions allow. */
  readonly readsReplicas?: boolean;
}

const readOptionsOf = ({ database: { readTimeout, readThreads } }: Config): ReadOptions => ({
  timeoutMs: readTimeout === 0 ? null : readTimeout,
  threads: readThreads,
});

const openMigratedDatabase = async (
  project: Project,
  { onWarning = () => undefined, readsReplicas = false, ...options }: OpenDatabaseOptions,
): Promise<OpenProject> => {
  const { warning, missingObjects } = await assertMigrated(project);
  if (warning !== null) onWarning(warning);
  const { config, dialect, model } = project;
  const database = await openDatabase({
    dialect,
    url: config.database.url,
    directUrl: config.database.directUrl,
    reads: readOptionsOf(config),
    replicas: { urls: readsReplicas ? config.database.replicas : [], onMessage: onWarning },
    loadClient: async () => {
      const { loadProjectClient } = await import('./project-client.js');
      return loadProjectClient(project, options);
    },
  });
  try {
    await bootstrapProjectAccess({ database, model }, config);
  } catch (error) {
    await database.close();
    throw error;
  }
  return {
    project,
    database,
    context: { database, model, salt: config.secrets.apiTokenSalt },
    missingObjects,
    close: database.close,
  };
};

/**
 * Opens the database of a project and creates missing roles and the default locale. All migrations must be
 * applied.
 *
 * @throws `project/pending-migrations`, `database/unreachable`
 */
export async function openProjectDatabase(
  project: Project,
  options: OpenDatabaseOptions = {},
): Promise<OpenProject> {
  return mapUnreachableError(project, () => openMigratedDatabase(project, options));
}
