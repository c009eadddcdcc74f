import type { ConfigOverrides } from '../config/config.js';
import { losesData } from '../migrations/at-stake.js';
import type { Preview } from '../migrations/migrate.js';
import type { Rename } from '../migrations/rename-in-schema.js';
import type { Switch } from '../server/create-switch.js';
import type { Logger } from '../server/logger.js';
import { writeGenerated } from './generated-files.js';
import { importProjectSeed } from './import-project-seed.js';
import { labelMigration } from './label-migration.js';
import { findProjectRenames, migrateProjectDatabase, previewProjectMigration } from './migrate-project.js';
import { openApp } from './open-app.js';
import { openProject } from './open-project.js';
import type { Project } from './open-project.js';

/** Asked where a person can answer; a question is aborted when the next change makes it pointless. */
export interface DevQuestions {
  readonly renames?: (candidates: readonly Rename[], signal: AbortSignal) => Promise<readonly Rename[]>;
  readonly acceptsLoss?: (preview: Preview, signal: AbortSignal) => Promise<boolean>;
}

/** What one round of the development server works with. */
export interface RoundParts {
  readonly root: string;
  readonly overrides: ConfigOverrides;
  readonly socket: Switch;
  readonly logger: Logger;
  readonly questions: DevQuestions;
  /** The next change, which makes questions of this round pointless. */
  readonly signal: AbortSignal;
  /** Told before anybody is asked: this would be lost. */
  readonly onHeld: (preview: Preview) => void;
}

export interface Served {
  readonly project: Project;
  /** The migration that was written; null: none was needed. */
  readonly migration: string | null;
  /** Documents imported from the seed folder. */
  readonly seeded: number;
  /** Resolves when the app before has answered its last request and is closed. */
  readonly retired: Promise<void>;
}

interface Decision {
  readonly preview: Preview;
  readonly renames: readonly Rename[];
}

const decideRenames = async (project: Project, preview: Preview, { questions, signal }: RoundParts): Promise<Decision> => {
  const asked = preview.losses.some(losesData) && questions.renames !== undefined ? await findProjectRenames(project) : [];
  const renames = asked.length === 0 ? [] : ((await questions.renames?.(asked, signal)) ?? []);
  return { renames, preview: renames.length === 0 ? preview : await previewProjectMigration(project, renames) };
};

/** Null: data would be lost, and nobody has said that it may be. */
const decide = async (project: Project, parts: RoundParts): Promise<Decision | null> => {
  const decision = await decideRenames(project, await previewProjectMigration(project), parts);
  const { preview } = decision;
  if (!preview.losses.some(losesData)) return decision;
  parts.onHeld(preview);
  const isAccepted = (await parts.questions.acceptsLoss?.(preview, parts.signal)) ?? false;
  return isAccepted && !parts.signal.aborted ? decision : null;
};

const applyAndOpen = async (project: Project, { preview, renames }: Decision, { socket, logger }: RoundParts): Promise<Served> => {
  const acceptsDataLoss = preview.losses.some(losesData);
  const { name } = await migrateProjectDatabase(project, { label: labelMigration(preview.steps), renames, acceptsDataLoss });
  await writeGenerated(project);
  const seeded = await importProjectSeed(project);
  const app = await openApp(project, { logger });
  const { retired } = await socket.swap(app.fastify);
  return { project, migration: name, seeded, retired };
};

/**
 * One round: files → model → migration → generated files → a new app in the place of the old one. While the database changes, requests
 * wait. Whatever goes wrong, the app before goes on serving. Null: the change is held, since it would lose data.
 *
 * @throws what `openProject`, `migrate` and `openApp` throw
 */
export async function runRound(parts: RoundParts): Promise<Served | null> {
  const project = await openProject(parts.root, parts.overrides);
  const decision = await decide(project, parts);
  if (decision === null) return null;
  if (decision.preview.sql !== '') await parts.socket.pause();
  try {
    return await applyAndOpen(project, decision, parts);
  } finally {
    parts.socket.resume();
  }
}
