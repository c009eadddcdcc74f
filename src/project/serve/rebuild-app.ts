import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import { listPermissions } from '../../access/permissions/role-permissions.js';
import type { SchemaEditor } from '../../api/mcp/mcp-services.js';
import type { ConfigOverrides } from '../../config/config.js';
import { NO_DECISIONS } from '../../migrations/content/content-decisions.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import { contentSnapshotOf } from '../../migrations/files/snapshots.js';
import { droppedIn, invalidIn } from '../../migrations/impact/data-impact.js';
import type { Plan } from '../../migrations/plan/plan-migration.js';
import type { HotSwapServer } from '../../server/create-hot-swap-server.js';
import type { Logger } from '../../server/logger.js';
import { writeGenerated } from '../generated-files.js';
import {
  findProjectRenames,
  importProjectSeed,
  labelMigration,
  migrateProjectDatabase,
  planProject,
  recordedRenames,
} from '../migrate/migrate-project.js';
import { loadProjectDefinitions } from '../open/load-project-definitions.js';
import { openApp } from '../open/open-app.js';
import type { App } from '../open/open-app.js';
import { GENERATED, openProject } from '../open/open-project.js';
import type { Project } from '../open/open-project.js';
import { waitForEdits } from './watched-files.js';

const execFileAsync = promisify(execFile);

/** Lists files below prisma/migrations with git. Null if the project is not in a repository. */
const listFiles = async (root: string, flags: readonly string[]): Promise<readonly string[] | null> => {
  try {
    const { stdout } = await execFileAsync('git', ['ls-files', '-z', ...flags, '--', GENERATED.migrations], {
      cwd: root,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.split('\0').filter((path) => path !== '');
  } catch {
    return null;
  }
};

/** Returns the migration of a file: `20260131_tags` for `prisma/migrations/20260131_tags/migration.sql`. */
const migrationOf = (path: string): string => path.slice(GENERATED.migrations.length + 1).split('/')[0] ?? '';

/**
 * Returns the migrations that git neither tracks nor ignores, which no other checkout can have. Returns none
 * without a repository, since the project may be published in another way.
 */
export async function findUnpublishedMigrations(root: string): Promise<ReadonlySet<string>> {
  const [untracked, tracked] = await Promise.all([
    listFiles(root, ['--others', '--exclude-standard']),
    listFiles(root, ['--cached']),
  ]);
  if (untracked === null || tracked === null) return new Set();
  const known = new Set(tracked.map(migrationOf));
  return new Set(untracked.map(migrationOf).filter((name) => !known.has(name)));
}

/**
 * Questions to the user of `cms dev`. A question is aborted when the next change makes it obsolete. Without a
 * prompt, no rename is chosen, and neither a data loss nor an invalid value is accepted.
 */
export interface DevPrompts {
  readonly chooseRenames?: (
    candidates: readonly ContentRename[],
    signal: AbortSignal,
  ) => Promise<readonly ContentRename[]>;
  readonly confirmDataLoss?: (signal: AbortSignal) => Promise<boolean>;
  readonly confirmInvalid?: (signal: AbortSignal) => Promise<boolean>;
}

/** The parameters of one rebuild by the development server. */
export interface RebuildOptions {
  readonly root: string;
  readonly overrides: ConfigOverrides;
  readonly server: HotSwapServer;
  readonly logger: Logger;
  readonly prompts: DevPrompts;
  /** Changes content-types for clients of the Model Context Protocol. */
  readonly schemaEditor?: SchemaEditor | undefined;
  /** Aborted by the next change. Questions of this rebuild are then obsolete. */
  readonly signal: AbortSignal;
  /** Called before the question if the migration would lose data or leave invalid values. */
  readonly onHeld: (plan: Plan) => void;
}

export interface RebuildResult {
  readonly project: Project;
  readonly app: App;
  /** The name of the written migration. Null if none was needed. */
  readonly migration: string | null;
  /** The name of the unpublished migration that it replaces. Null if it follows the last one. */
  readonly replaced: string | null;
  /** The number of documents imported from the seed folder. */
  readonly seeded: number;
  /** All renames of the migrations, which distinguish a renamed attribute from a new one. */
  readonly renames: readonly ContentRename[];
  /** The full names of the public actions. */
  readonly publicActions: readonly string[];
  /** Resolves when the previous app has finished its last request and is closed. */
  readonly drained: Promise<void>;
}

/** Returns the plan with the renames that the user chooses where data would be lost otherwise. */
const planRenames = async (
  project: Project,
  { prompts: { chooseRenames }, signal }: RebuildOptions,
): Promise<Plan> => {
  const plan = await planProject(project);
  if (chooseRenames === undefined || droppedIn(plan.impact).length === 0) return plan;
  const candidates = await findProjectRenames(project);
  const chosen = candidates.length === 0 ? [] : await chooseRenames(candidates, signal);
  if (chosen.length === 0) return plan;
  return planProject(project, { ...NO_DECISIONS, renames: chosen });
};

const isAccepted = async ({ impact }: Plan, { prompts, signal }: RebuildOptions): Promise<boolean> => {
  if (droppedIn(impact).length > 0 && (await prompts.confirmDataLoss?.(signal)) !== true) return false;
  return invalidIn(impact).length === 0 || (await prompts.confirmInvalid?.(signal)) === true;
};

/** Returns null if the migration would lose data, or leave invalid values, and the user rejects that. */
const decideMigration = async (project: Project, options: RebuildOptions): Promise<Plan | null> => {
  const plan = await planRenames(project, options);
  if (droppedIn(plan.impact).length + invalidIn(plan.impact).length === 0) return plan;
  if (options.signal.aborted) return null;
  options.onHeld(plan);
  return (await isAccepted(plan, options)) && !options.signal.aborted ? plan : null;
};

/** Returns the full names of the public actions. Closes the app if reading them fails. */
const listPublicActions = async ({ database, project, fastify }: App): Promise<readonly string[]> => {
  try {
    const roles = await listPermissions({ database, model: project.model });
    return roles.find(({ role }) => role.type === 'public')?.actions ?? [];
  } catch (error) {
    await fastify.close();
    throw error;
  }
};

/** The content-types have changed since the project was loaded. */
class OutdatedProject extends Error {}

/** @throws OutdatedProject */
const assertLoaded = async ({ root, strapiConfig, definitions }: Project): Promise<void> => {
  const current = contentSnapshotOf(await loadProjectDefinitions(root, strapiConfig));
  if (!isDeepStrictEqual(current, contentSnapshotOf(definitions))) throw new OutdatedProject();
};

const applyAndOpen = async (
  project: Project,
  plan: Plan,
  { server, logger, schemaEditor }: RebuildOptions,
): Promise<RebuildResult> => {
  const { name, replaced } = await migrateProjectDatabase(project, plan, {
    label: labelMigration(plan.steps),
    acceptsDataLoss: droppedIn(plan.impact).length > 0,
    acceptsInvalid: invalidIn(plan.impact).length > 0,
    findUnpublished: () => findUnpublishedMigrations(project.root),
    assertLoaded: () => assertLoaded(project),
    onMessage: (message) => logger.info(message),
  });
  await writeGenerated(project);
  const seeded = await importProjectSeed(project);
  const recorded = await recordedRenames(project);
  const app = await openApp(project, {
    logger,
    traces: true,
    sendsWebhooks: true,
    runsSchedules: true,
    slowReads: 'logged',
    ...(schemaEditor === undefined ? {} : { schemaEditor }),
  });
  const publicActions = await listPublicActions(app);
  const { drained } = await server.swap(app.fastify);
  return { project, app, migration: name, replaced, seeded, renames: recorded, publicActions, drained };
};

/**
 * Rebuilds the project after a change. Loads the files, migrates the database, writes the generated files and
 * opens a new app, which replaces the old one. Requests wait while the database is migrated. If a step fails,
 * the old app continues to serve. Returns null if the migration would lose data or leave invalid values, and
 * the user has not accepted that.
 *
 * @throws the errors of `openProject`, `migrate` and `openApp`
 */
export async function rebuildApp(options: RebuildOptions): Promise<RebuildResult | null> {
  const project = await openProject(options.root, options.overrides);
  const plan = await decideMigration(project, options);
  if (plan === null) return null;
  if (plan.sql !== '') await options.server.pause();
  try {
    return await applyAndOpen(project, plan, options);
  } catch (error) {
    if (!(error instanceof OutdatedProject)) throw error;
  } finally {
    options.server.resume();
  }
  // A command in another terminal has changed the content-types. The plan would have reverted its migration.
  await waitForEdits(options.root);
  return rebuildApp(options);
}
