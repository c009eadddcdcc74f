import { listPermissions } from '../access/permissions/list-permissions.js';
import type { ConfigOverrides } from '../config/config.js';
import { NO_DECISIONS } from '../migrations/content/content-decisions.js';
import type { ContentDecisions } from '../migrations/content/content-decisions.js';
import { losesData } from '../migrations/losses/destructive-change.js';
import type { MigrationPreview } from '../migrations/migrate.js';
import type { Rename } from '../migrations/schema/rename-in-schema.js';
import type { ContentModel } from '../model/model.js';
import type { HotSwapServer } from '../server/create-hot-swap-server.js';
import type { Logger } from '../server/logger.js';
import { writeGenerated } from './generated-files.js';
import { importProjectSeed } from './import-project-seed.js';
import { labelMigration } from './label-migration.js';
import { migrateProjectDatabase, previewProjectMigration } from './migrate-project.js';
import { openApp } from './open-app.js';
import type { App } from './open-app.js';
import { openProject } from './open-project.js';
import type { Project } from './open-project.js';
import { findProjectRenames, previousModel, recordedRenames, splitRenames } from './project-renames.js';
import type { ProjectRename } from './project-renames.js';
import { findUnpublishedMigrations } from './unpublished-migrations.js';

/**
 * Questions to the user of `cms dev`. A question is aborted when the next change makes it obsolete. Without a
 * prompt, no rename is chosen, and neither a data loss nor a misfit is accepted.
 */
export interface DevPrompts {
  readonly chooseRenames?: (
    candidates: readonly ProjectRename[],
    signal: AbortSignal,
  ) => Promise<readonly ProjectRename[]>;
  readonly confirmDataLoss?: (preview: MigrationPreview, signal: AbortSignal) => Promise<boolean>;
  readonly confirmMisfits?: (preview: MigrationPreview, signal: AbortSignal) => Promise<boolean>;
}

/** A migration that would lose data, or leave values that do not fit. */
export interface HeldMigration {
  readonly preview: MigrationPreview;
  /** The model before the migration. */
  readonly before: ContentModel;
}

/** The parameters of one rebuild by the development server. */
export interface RebuildOptions {
  readonly root: string;
  readonly overrides: ConfigOverrides;
  readonly server: HotSwapServer;
  readonly logger: Logger;
  readonly prompts: DevPrompts;
  /** Aborted by the next change. Questions of this rebuild are then obsolete. */
  readonly signal: AbortSignal;
  /** Called before the user is asked, if the migration would lose data or leave values that do not fit. */
  readonly onHeld: (held: HeldMigration) => void;
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
  /** All that migrations have renamed, by which a new name is told from a new attribute. */
  readonly renames: readonly ProjectRename[];
  /** What anybody may do: full action names. */
  readonly publicActions: readonly string[];
  /** Resolves when the previous app has finished its last request and is closed. */
  readonly drained: Promise<void>;
}

interface MigrationDecision {
  readonly preview: MigrationPreview;
  readonly renames: readonly Rename[];
  readonly decisions: ContentDecisions;
}

const hasLoss = ({ losses, contentChanges }: MigrationPreview): boolean =>
  losses.some(losesData) || contentChanges.some(({ kind }) => kind === 'dropped');

const hasMisfits = ({ contentChanges }: MigrationPreview): boolean =>
  contentChanges.some(({ kind }) => kind === 'misfit');

const decideRenames = async (
  project: Project,
  preview: MigrationPreview,
  { prompts, signal }: RebuildOptions,
): Promise<MigrationDecision> => {
  const candidates =
    hasLoss(preview) && prompts.chooseRenames !== undefined ? await findProjectRenames(project) : [];
  const chosen = candidates.length === 0 ? [] : ((await prompts.chooseRenames?.(candidates, signal)) ?? []);
  if (chosen.length === 0) return { renames: [], decisions: NO_DECISIONS, preview };
  const { database: renames, content } = splitRenames(chosen);
  const decisions = { ...NO_DECISIONS, renames: content };
  return { renames, decisions, preview: await previewProjectMigration(project, renames, decisions) };
};

const isAccepted = async (
  preview: MigrationPreview,
  { prompts, signal }: RebuildOptions,
): Promise<boolean> => {
  if (hasLoss(preview) && (await prompts.confirmDataLoss?.(preview, signal)) !== true) return false;
  return !hasMisfits(preview) || (await prompts.confirmMisfits?.(preview, signal)) === true;
};

/** Returns null if the migration would lose data, or leave misfits, and the user has not accepted that. */
const decideMigration = async (
  project: Project,
  options: RebuildOptions,
): Promise<MigrationDecision | null> => {
  const decision = await decideRenames(project, await previewProjectMigration(project), options);
  const { preview } = decision;
  if (!hasLoss(preview) && !hasMisfits(preview)) return decision;
  if (options.signal.aborted) return null;
  options.onHeld({ preview, before: (await previousModel(project)) ?? project.model });
  return (await isAccepted(preview, options)) && !options.signal.aborted ? decision : null;
};

/** Closes the app where it cannot be asked, since nothing else would. */
const listPublicActions = async ({ database, project, fastify }: App): Promise<readonly string[]> => {
  try {
    const roles = await listPermissions({ database, model: project.model });
    return roles.find(({ role }) => role.type === 'public')?.actions ?? [];
  } catch (error) {
    await fastify.close();
    throw error;
  }
};

const applyAndOpen = async (
  project: Project,
  { preview, renames, decisions }: MigrationDecision,
  { server, logger }: RebuildOptions,
): Promise<RebuildResult> => {
  const { name, replaced } = await migrateProjectDatabase(project, {
    label: labelMigration(preview.steps),
    renames,
    decisions,
    acceptsDataLoss: hasLoss(preview),
    acceptsMisfits: hasMisfits(preview),
    findUnpublished: () => findUnpublishedMigrations(project.root),
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
    slowReads: 'told',
  });
  const publicActions = await listPublicActions(app);
  const { drained } = await server.swap(app.fastify);
  return { project, app, migration: name, replaced, seeded, renames: recorded, publicActions, drained };
};

/**
 * Rebuilds the project after a change. Loads the files, migrates the database, writes the generated files and
 * opens a new app, which replaces the old one. Requests wait while the database is migrated. If a step fails,
 * the old app continues to serve. Returns null if the migration would lose data or leave misfits, and the
 * user has not accepted that.
 *
 * @throws what `openProject`, `migrate` and `openApp` throw
 */
export async function rebuildApp(options: RebuildOptions): Promise<RebuildResult | null> {
  const project = await openProject(options.root, options.overrides);
  const decision = await decideMigration(project, options);
  if (decision === null) return null;
  if (decision.preview.sql !== '') await options.server.pause();
  try {
    return await applyAndOpen(project, decision, options);
  } finally {
    options.server.resume();
  }
}
