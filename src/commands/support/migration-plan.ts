import { diffGenerated } from '../../app/generated-files.js';
import { labelMigration } from '../../app/label-migration.js';
import { findProjectRenames, previewProjectMigration } from '../../app/migrate-project.js';
import type { Project } from '../../app/open-project.js';
import { losesData } from '../../migrations/at-stake.js';
import type { Preview } from '../../migrations/migrate.js';
import type { Rename } from '../../migrations/rename-in-schema.js';
import { askConfirm, createAsker } from './ask/asker.js';
import { askRenames, nameRenames, pickRenames } from './choose-renames.js';
import type { Loss } from './consent.js';
import { describeLosses } from './describe-loss.js';
import { printGenerated } from './generated.js';
import type { Outcome } from './outcome.js';
import type { Terminal } from './terminal.js';

export interface PlanAsking {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
  readonly info: (text: string) => void;
}

export interface ProjectPlan {
  readonly preview: Preview;
  readonly renames: readonly Rename[];
  readonly losses: readonly Loss[];
  readonly label: string;
}

const chooseRenames = async ({ terminal, canPrompt, info }: PlanAsking, project: Project, flags: readonly string[], isAtStake: boolean): Promise<readonly Rename[]> => {
  if (flags.length === 0 && !isAtStake) return [];
  const candidates = nameRenames(project.model, await findProjectRenames(project));
  if (flags.length > 0) return pickRenames(candidates, flags);
  if (candidates.length === 0) return [];
  if (canPrompt) return askRenames(candidates, (question) => askConfirm(createAsker(terminal), question, false));
  info(`This may be a rename. To keep the data, pass --rename ${candidates.map(({ flag }) => flag).join(' or --rename ')}`);
  return [];
};

/** What `cms migrate` is about to do: the SQL, what was renamed (named by flags, or asked), and what would be lost. Changes nothing. */
export async function planProjectMigration(asking: PlanAsking, project: Project, wanted: { readonly renames: readonly string[]; readonly name: string | undefined }): Promise<ProjectPlan> {
  const first = await previewProjectMigration(project);
  const renames = await chooseRenames(asking, project, wanted.renames, first.stakes.some(losesData));
  const preview = renames.length === 0 ? first : await previewProjectMigration(project, renames);
  return { preview, renames, losses: describeLosses(project.model, preview.losses), label: wanted.name ?? labelMigration(preview.steps) };
}

/** The outcome of `--dry-run`: generated files as diffs, then the SQL, then what would be lost. */
export async function previewOutcome(project: Project, { preview, losses }: ProjectPlan): Promise<Outcome> {
  const changes = await diffGenerated(project);
  const sql = preview.sql === '' ? '' : `-- SQL\n${preview.sql.trimEnd()}\n`;
  const lost = losses.map(({ what, reason, rows }) => `-- would lose: ${what}: ${reason} (${rows ?? 0} rows)\n`).join('');
  return { json: { dryRun: true, files: changes.map(({ path }) => path), sql: preview.sql, losses }, text: printGenerated(changes) + sql + lost };
}
