import type { ConfigOverrides } from '../config/config.js';
import { losesData } from '../migrations/losses/destructive-change.js';
import type { MigrationPreview } from '../migrations/migrate.js';
import type { Rename } from '../migrations/schema/rename-in-schema.js';
import type { HotSwapServer } from '../server/create-hot-swap-server.js';
import type { Logger } from '../server/logger.js';
import { writeGenerated } from './generated-files.js';
import { importProjectSeed } from './import-project-seed.js';
import { labelMigration } from './label-migration.js';
import { findProjectRenames, migrateProjectDatabase, previewProjectMigration } from './migrate-project.js';
import { openApp } from './open-app.js';
import { openProject } from './open-project.js';
import type { Project } from './open-project.js';

/**
 * Questions to the user of `cms dev`. A question is aborted when the next change makes it obsolete. Without a
 * prompt, no rename is chosen and no data loss is accepted.
 */
export interface DevPrompts {
  readonly chooseRenames?: (candidates: readonly Rename[], signal: AbortSignal) => Promise<readonly Rename[]>;
  readonly confirmDataLoss?: (preview: MigrationPreview, signal: AbortSignal) => Promise<boolean>;
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
  /** Called before the user is asked, if the migration would lose data. */
  readonly onDataLoss: (preview: MigrationPreview) => void;
}

export interface RebuildResult {
  readonly project: Project;
  /** The name of the written migration. Null if none was needed. */
  readonly migration: string | null;
  /** The number of documents imported from the seed folder. */
  readonly seeded: number;
  /** Resolves when the previous app has finished its last request and is closed. */
  readonly drained: Promise<void>;
}

interface MigrationDecision {
  readonly preview: MigrationPreview;
  readonly renames: readonly Rename[];
}

const decideRenames = async (
  project: Project,
  preview: MigrationPreview,
  { prompts, signal }: RebuildOptions,
): Promise<MigrationDecision> => {
  const candidates =
    preview.losses.some(losesData) && prompts.chooseRenames !== undefined
      ? await findProjectRenames(project)
      : [];
  const renames = candidates.length === 0 ? [] : ((await prompts.chooseRenames?.(candidates, signal)) ?? []);
  return {
    renames,
    preview: renames.length === 0 ? preview : await previewProjectMigration(project, renames),
  };
};

/** Returns null if the migration would lose data and the user has not accepted that. */
const decideMigration = async (
  project: Project,
  options: RebuildOptions,
): Promise<MigrationDecision | null> => {
  const decision = await decideRenames(project, await previewProjectMigration(project), options);
  const { preview } = decision;
  if (!preview.losses.some(losesData)) return decision;
  if (options.signal.aborted) return null;
  options.onDataLoss(preview);
  const isAccepted = (await options.prompts.confirmDataLoss?.(preview, options.signal)) ?? false;
  return isAccepted && !options.signal.aborted ? decision : null;
};

const applyAndOpen = async (
  project: Project,
  { preview, renames }: MigrationDecision,
  { server, logger }: RebuildOptions,
): Promise<RebuildResult> => {
  const acceptsDataLoss = preview.losses.some(losesData);
  const { name } = await migrateProjectDatabase(project, {
    label: labelMigration(preview.steps),
    renames,
    acceptsDataLoss,
    onMessage: (message) => logger.info(message),
  });
  await writeGenerated(project);
  const seeded = await importProjectSeed(project);
  const app = await openApp(project, { logger });
  const { drained } = await server.swap(app.fastify);
  return { project, migration: name, seeded, drained };
};

/**
 * Rebuilds the project after a change. Loads the files, migrates the database, writes the generated files and
 * opens a new app, which replaces the old one. Requests wait while the database is migrated. If a step fails,
 * the old app continues to serve. Returns null if the migration would lose data and the user has not accepted
 * that.
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
