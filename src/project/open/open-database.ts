import type { AccessContext, LocaleList } from '../../access/access.js';
import { bootstrapAccess } from '../../access/bootstrap.js';
import { listLocales } from '../../access/locales.js';
import { accountSettings } from '../../config/account-settings.js';
import type { Config } from '../../config/config.js';
import { isDatabaseError } from '../../database/database-error.js';
import type { Database } from '../../database/database.js';
import type { ReadOptions } from '../../database/dialect/database-driver.js';
import { openDatabase } from '../../database/open-database.js';
import type { WriteLog } from '../../documents/log/write-log.js';
import { createError } from '../../errors/catalogue.js';
import { redactUrl } from '../../lib/text.js';
import { databaseObjectsOf, searchedTables } from '../../migrations/apply/auxiliary-objects.js';
import { checkHistory } from '../../migrations/apply/check-history.js';
import type { MigrationStatus, MigrationTarget } from '../../migrations/apply/migration-history.js';
import { isContentChanged } from '../../migrations/content/content-transition.js';
import {
  contentAfterMigrations,
  loadMigrations,
  schemaAfterMigrations,
} from '../../migrations/files/load-migrations.js';
import { contentSnapshotOf } from '../../migrations/files/snapshots.js';
import { printProjectSchema } from '../generated-files.js';
import { openWriteLog } from './open-log.js';
import type { Project } from './open-project.js';
import type { ClientOptions } from '../generate.js';

/** The configuration key of the used address. */
type DatabaseAddress = 'url' | 'directUrl';

/** Returns the first line of the error message. A refused connection may have no message, only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return text.split('\n')[0] ?? text;
}

/**
 * Converts a connection error of a database driver to `database/unreachable`, which contains the URL without
 * its password. Returns any other error unchanged.
 */
export function unreachableError(
  { config, dialect }: Pick<Project, 'config' | 'dialect'>,
  error: unknown,
  address: DatabaseAddress = 'url',
): unknown {
  const driverError = isDatabaseError(error) ? error.driverError : dialect.errors.classify(error);
  if (driverError?.kind !== 'unreachable') return error;
  const reason = reasonOf(isDatabaseError(error) ? error.cause : error);
  return createError(
    'database/unreachable',
    { url: redactUrl(config.database[address]), reason },
    { cause: error },
  );
}

/**
 * Runs work that uses the database.
 *
 * @throws `database/unreachable` if the database cannot be reached, otherwise the errors of the work
 */
export async function mapUnreachableError<T>(
  project: Pick<Project, 'config' | 'dialect'>,
  work: () => Promise<T>,
  address?: DatabaseAddress,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreachableError(project, error, address);
  }
}

/** Returns the target of a project's migrations: their folder, the database and the auxiliary objects. */
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

interface MigrationProblem {
  readonly reason: string;
  readonly remedy: string;
}

const listNames = (names: readonly string[]): string =>
  names.length === 1 ? String(names[0]) : `${names.length} migrations (${names.join(', ')})`;

/**
 * True if the content-types have changes that no migration contains. Compares the two schema texts first,
 * because they are equal at nearly every start.
 */
const hasDrifted = async (project: Project): Promise<boolean> => {
  const migrations = await loadMigrations(project.paths.migrations);
  // Migrations of older releases do not record the content-types. Then only the Prisma schemas are compared.
  const hasContent = contentAfterMigrations(migrations) !== null;
  if (hasContent && isContentChanged(contentSnapshotOf(project.definitions), migrations)) return true;
  const previousSchema = schemaAfterMigrations(migrations);
  const nextSchema = await printProjectSchema(project);
  if (previousSchema === nextSchema) return false;
  const { planMigration } = await import('../../migrations/plan/plan-migration.js');
  return (await planMigration({ previousSchema, nextSchema, dialect: project.dialect })).sql !== '';
};

const findMigrationProblem = async (
  project: Project,
  { failed, unfinished, pending }: MigrationStatus,
): Promise<MigrationProblem | null> => {
  if (failed.length > 0)
    return { reason: `${listNames(failed)} was started but not finished`, remedy: 'See: cms migrate status' };
  if (unfinished.length > 0)
    return {
      reason: `the code of ${listNames(unfinished)} has not ended`,
      remedy: 'If it is running, wait for it. Otherwise run: cms migrate deploy',
    };
  if (pending.length > 0)
    return { reason: `${listNames(pending)} pending`, remedy: 'Run: cms migrate deploy' };
  if (await hasDrifted(project))
    return {
      reason: 'the content-types have changes that no migration contains',
      remedy: 'Run: cms migrate',
    };
  return null;
};

/** A fully migrated database. */
interface MigratedDatabase {
  /** A warning about differences between its history and the folders of this checkout. */
  readonly warning: string | null;
  /** The missing auxiliary objects, which are outside of the Prisma schema. */
  readonly missingObjects: readonly string[];
}

/**
 * Checks that the database has the tables of the content-types.
 *
 * @throws `project/pending-migrations`, with the missing migrations and the next command;
 *   `migration/unknown`, `migration/edited`, `database/unreachable`
 */
export async function assertMigrated(project: Project): Promise<MigratedDatabase> {
  return mapUnreachableError(
    project,
    async () => {
      const { status, error, warning, missingObjects } = await checkHistory(migrationTarget(project));
      if (error !== null) throw error;
      const problem = await findMigrationProblem(project, status);
      if (problem !== null) throw createError('project/pending-migrations', { ...problem });
      return { warning, missingObjects };
    },
    'directUrl',
  );
}

/** Creates the initial rows of a new database: roles, their grants and the default locale. */
export async function bootstrapProjectAccess(
  context: Pick<AccessContext, 'database' | 'model'>,
  config: Config,
): Promise<void> {
  const { defaultLocale, defaultLocaleName } = config.i18n;
  await bootstrapAccess(context, {
    locale: { code: defaultLocale, name: defaultLocaleName },
    grants: accountSettings(config).defaultGrants,
  });
}

/** A project with its database open. Used by commands that edit tokens, permissions and locales. */
export interface OpenProject {
  readonly project: Project;
  readonly database: Database;
  readonly context: AccessContext;
  readonly log: WriteLog;
  /** The missing auxiliary objects, which are outside of the Prisma schema. */
  readonly missingObjects: readonly string[];
  readonly close: () => Promise<void>;
}

interface OpenDatabaseOptions extends ClientOptions {
  /** Called with the difference between the history of the database and the folders of this checkout. */
  readonly onWarning?: (message: string) => void;
  /** True to read replicas, if revisions allow it. */
  readonly readsReplicas?: boolean;
  /** True if no other work of this process waits while it reads, so that reads need no other threads. */
  readonly isOnlyReader?: boolean;
}

const readOptionsOf = ({ database }: Config, isOnlyReader: boolean): ReadOptions => ({
  timeoutMs: database.readTimeout === 0 ? null : database.readTimeout,
  threads: isOnlyReader ? 0 : database.readThreads,
});

const openMigratedDatabase = async (
  project: Project,
  {
    onWarning = () => undefined,
    readsReplicas = false,
    isOnlyReader = false,
    ...options
  }: OpenDatabaseOptions,
): Promise<OpenProject> => {
  const { warning, missingObjects } = await assertMigrated(project);
  if (warning !== null) onWarning(warning);
  const { config, dialect, model } = project;
  const database = await openDatabase({
    dialect,
    url: config.database.url,
    directUrl: config.database.directUrl,
    reads: readOptionsOf(config, isOnlyReader),
    replicas: { urls: readsReplicas ? config.database.replicas : [], onMessage: onWarning },
    loadClient: async () => {
      const { loadProjectClient } = await import('../generate.js');
      return loadProjectClient(project, options);
    },
  });
  try {
    await bootstrapProjectAccess({ database, model }, config);
  } catch (error) {
    await database.close();
    throw error;
  }
  const log = openWriteLog(project, database);
  return {
    project,
    database,
    context: { database, model, salt: config.secrets.apiTokenSalt, log },
    log,
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

/**
 * Opens the project's database for work on tokens, roles, permissions or locales, and closes it afterwards.
 *
 * @throws `project/pending-migrations`, `database/unreachable`, and the errors of the work
 */
export async function withAccess<T>(
  project: Project,
  work: (access: AccessContext) => Promise<T>,
): Promise<T> {
  return mapUnreachableError(project, async () => {
    const { context, close } = await openProjectDatabase(project);
    try {
      return await work(context);
    } finally {
      await close();
    }
  });
}

/** Reads the locales once, for work that ends before anyone changes them. */
export async function loadLocales(
  context: AccessContext,
  { i18n }: Pick<Config, 'i18n'>,
): Promise<LocaleList> {
  const configuredLocales = await listLocales(context);
  return {
    all: () => configuredLocales,
    defaultCode: () => configuredLocales.find(({ isDefault }) => isDefault)?.code ?? i18n.defaultLocale,
    has: (code) => configuredLocales.some((locale) => locale.code === code),
  };
}
