import { diffGenerated } from '../../app/generated-files.js';
import { labelMigration } from '../../app/label-migration.js';
import { findProjectRenames, previewProjectMigration } from '../../app/migrate-project.js';
import type { Project } from '../../app/open-project.js';
import { losesData } from '../../migrations/losses/destructive-change.js';
import type { MigrationPreview } from '../../migrations/migrate.js';
import type { Rename } from '../../migrations/schema/rename-in-schema.js';
import { promptConfirm, createPrompter } from '../prompts/prompt.js';
import { promptRenames, nameRenames, selectRenames } from './rename-candidates.js';
import { describeLosses, printLossComments } from './describe-loss.js';
import type { CountedLoss } from './describe-loss.js';
import { printUnifiedDiffs } from '../../lib/unified-diff.js';
import type { Outcome } from '../outcome.js';
import type { Terminal } from '../terminal/terminal.js';

export interface MigrationPlanDependencies {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
  readonly info: (text: string) => void;
}

export interface ProjectMigrationPlan {
  readonly preview: MigrationPreview;
  readonly renames: readonly Rename[];
  readonly losses: readonly CountedLoss[];
  readonly label: string;
}

const chooseRenames = async (
  { terminal, canPrompt, info }: MigrationPlanDependencies,
  project: Project,
  flags: readonly string[],
  hasDataLoss: boolean,
): Promise<readonly Rename[]> => {
  if (flags.length === 0 && !hasDataLoss) return [];
  const candidates = nameRenames(project.model, await findProjectRenames(project));
  if (flags.length > 0) return selectRenames(candidates, flags);
  if (candidates.length === 0) return [];
  if (canPrompt)
    return promptRenames(candidates, (question) => promptConfirm(createPrompter(terminal), question, false));
  const flagTexts = candidates.map(({ flag }) => `--rename ${flag}`);
  info(`This may be a rename. To keep the data, pass ${flagTexts.join(' or ')}`);
  return [];
};

/**
 * Plans `cms migrate` without changing anything: the SQL, the renames (from flags or answers), and the data
 * that would be lost.
 */
export async function planProjectMigration(
  deps: MigrationPlanDependencies,
  project: Project,
  options: { readonly renames: readonly string[]; readonly name: string | undefined },
): Promise<ProjectMigrationPlan> {
  const initialPreview = await previewProjectMigration(project);
  const renames = await chooseRenames(
    deps,
    project,
    options.renames,
    initialPreview.destructiveChanges.some(losesData),
  );
  const preview = renames.length === 0 ? initialPreview : await previewProjectMigration(project, renames);
  return {
    preview,
    renames,
    losses: describeLosses(project.model, preview.losses),
    label: options.name ?? labelMigration(preview.steps),
  };
}

/**
 * Describes the plan for `--dry-run`: diffs of the generated files, then the SQL, then the data that would be
 * lost.
 */
export async function describeMigrationPlan(
  project: Project,
  { preview, losses }: ProjectMigrationPlan,
): Promise<Outcome> {
  const changes = await diffGenerated(project);
  const sql = preview.sql === '' ? '' : `-- SQL\n${preview.sql.trimEnd()}\n`;
  return {
    json: { dryRun: true, files: changes.map(({ path }) => path), sql: preview.sql, losses },
    text: printUnifiedDiffs(changes) + sql + printLossComments(losses),
  };
}
