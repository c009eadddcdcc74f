import { isDeepStrictEqual } from 'node:util';
import { diffGenerated } from '../../app/generated-files.js';
import { previewProjectMigration } from '../../app/migrate-project.js';
import type { Project } from '../../app/open-project.js';
import {
  findLastMigration,
  findProjectRenames,
  previousModel,
  splitRenames,
} from '../../app/project-renames.js';
import type { LastMigration, ProjectRename } from '../../app/project-renames.js';
import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { printUnifiedDiffs } from '../../lib/unified-diff.js';
import { isUndecided, NO_DECISIONS } from '../../migrations/content/content-decisions.js';
import type { ContentDecisions } from '../../migrations/content/content-decisions.js';
import { losesData } from '../../migrations/losses/destructive-change.js';
import type { MigrationPreview } from '../../migrations/migrate.js';
import type { Rename } from '../../migrations/schema/rename-in-schema.js';
import type { DecisionFlagValues } from '../arguments/flags.js';
import { describeSafety } from './running-instances.js';
import type { Outcome } from '../outcome.js';
import { createPrompter, askConfirm } from '../prompts/prompt.js';
import type { Terminal } from '../terminal/terminal.js';
import { accountOf, droppedIn, printAccountComments } from './account.js';
import type { Account } from './account.js';
import type { MigrationModels } from './explicit-renames.js';
import { parseDecisions } from './parse-decisions.js';
import { promptDecisions } from './prompt-decisions.js';
import { nameRenames, promptRenames, selectRenames } from './rename-candidates.js';
import type { RenameCandidate } from './rename-candidates.js';

export interface MigrationPlanDependencies {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
}

/** What a command knows about a migration before it is planned. */
export interface MigrationPlanOptions {
  readonly flags: DecisionFlagValues;
  /** The values of `--rename`. */
  readonly renameFlags?: readonly string[];
  /** Renames that the command itself makes. Without it, the user is asked about what looks like one. */
  readonly renames?: (models: MigrationModels) => readonly ProjectRename[];
}

export interface ProjectMigrationPlan {
  readonly preview: MigrationPreview;
  readonly renames: readonly Rename[];
  readonly decisions: ContentDecisions;
  readonly account: Account;
  /** The last migration, where it holds what the flags say already: it was interrupted. Otherwise null. */
  readonly resumes: string | null;
}

interface PlanContext {
  readonly deps: MigrationPlanDependencies;
  readonly project: Project;
  readonly models: MigrationModels;
  readonly options: MigrationPlanOptions;
}

const previewPlan = async (
  { project, models }: PlanContext,
  renames: readonly Rename[],
  decisions: ContentDecisions,
): Promise<ProjectMigrationPlan> => {
  const preview = await previewProjectMigration(project, renames, decisions);
  return {
    preview,
    renames,
    decisions,
    account: accountOf(models.before ?? models.after, preview),
    resumes: null,
  };
};

const withRenames = (
  context: PlanContext,
  renames: readonly ProjectRename[],
): Promise<ProjectMigrationPlan> => {
  const { database, content } = splitRenames(renames);
  return previewPlan(context, database, parseDecisions(context.models.after, context.options.flags, content));
};

const findsLoss = ({ preview, account }: ProjectMigrationPlan): boolean =>
  preview.destructiveChanges.some(losesData) || droppedIn(account).length > 0;

/** Names the flags that keep the data beside what would be lost, where it may have been renamed. */
const withRenameRemedy = (
  plan: ProjectMigrationPlan,
  candidates: readonly RenameCandidate[],
): ProjectMigrationPlan => {
  if (candidates.length === 0) return plan;
  const flagTexts = candidates.map(({ flag }) => `--rename ${flag}`);
  const remedy = `If this is a rename, pass ${flagTexts.join(' or ')} to keep the data`;
  const account = plan.account.map((change) => (change.kind === 'dropped' ? { ...change, remedy } : change));
  return { ...plan, account };
};

const hasDecisionFlags = (flags: DecisionFlagValues): boolean =>
  [flags.convert, flags.map, flags.set, flags['use-default']].some((texts) => (texts ?? []).length > 0);

/** True if the last migration has made all renames that the flags state. */
const recordsRenames = (
  { models }: PlanContext,
  { before, candidates, renames }: LastMigration,
  flags: readonly string[],
): boolean => {
  const former = { before, after: models.after };
  try {
    const selected = splitRenames(selectRenames(former, nameRenames(former, candidates), flags));
    return [...selected.database, ...selected.content].every((rename) =>
      renames.some((other) => isDeepStrictEqual(rename, other)),
    );
  } catch (error) {
    if (isGalleyError(error)) return false;
    throw error;
  }
};

/** True if the last migration holds all decisions that the flags state. */
const recordsDecisions = (
  { models }: PlanContext,
  { decisions }: LastMigration,
  flags: DecisionFlagValues,
): boolean => {
  const { convert, set, map, useDefaults } = parseDecisions(models.after, flags);
  return (
    isDeepStrictEqual(convert, decisions.convert) &&
    isDeepStrictEqual(set, decisions.set) &&
    isDeepStrictEqual(map, decisions.map) &&
    isDeepStrictEqual(useDefaults, decisions.useDefaults)
  );
};

/**
 * Returns the plan of a command that runs again unchanged after it was killed, once its migration was
 * written: nothing is left to be planned, and the last migration holds what the flags state. Otherwise null.
 */
const planResumed = async (context: PlanContext): Promise<ProjectMigrationPlan | null> => {
  const { flags, renameFlags = [], renames } = context.options;
  if (renames !== undefined || (renameFlags.length === 0 && !hasDecisionFlags(flags))) return null;
  const plan = await previewPlan(context, [], NO_DECISIONS);
  if (plan.preview.sql !== '') return null;
  const last = await findLastMigration(context.project);
  if (last === null || !recordsRenames(context, last, renameFlags)) return null;
  return recordsDecisions(context, last, flags) ? { ...plan, resumes: last.name } : null;
};

const planRenames = async (context: PlanContext): Promise<ProjectMigrationPlan> => {
  const { deps, project, models, options } = context;
  if (options.renames !== undefined) return withRenames(context, options.renames(models));
  const { renameFlags = [] } = options;
  if (renameFlags.length > 0) {
    const candidates = nameRenames(models, await findProjectRenames(project));
    return withRenames(context, selectRenames(models, candidates, renameFlags));
  }
  const plan = await withRenames(context, []);
  if (!findsLoss(plan)) return plan;
  const candidates = nameRenames(models, await findProjectRenames(project));
  if (!deps.canPrompt) return withRenameRemedy(plan, candidates);
  const renames = await promptRenames(candidates, (question) =>
    askConfirm(createPrompter(deps.terminal), question, false),
  );
  return renames.length === 0 ? plan : withRenames(context, renames);
};

/** Asks for the values of what does not fit, as long as answers change the plan. */
const planDecisions = async (
  context: PlanContext,
  initialPlan: ProjectMigrationPlan,
): Promise<ProjectMigrationPlan> => {
  const { deps, models } = context;
  if (!deps.canPrompt || models.before === null) return initialPlan;
  const asked = new Set<string>();
  const prompts = {
    prompter: createPrompter(deps.terminal),
    before: models.before,
    after: models.after,
    asked,
  };
  let plan = initialPlan;
  for (;;) {
    const { renames, decisions, account } = plan;
    const decided = await promptDecisions({ ...prompts, renames }, decisions, account);
    if (decided === decisions) return plan;
    plan = await previewPlan(context, renames, decided);
  }
};

/**
 * Plans a migration without changing anything: the SQL, the renames and decisions (from flags or answers),
 * and the account of what happens to stored values.
 *
 * @throws `cli/unknown-name` for names in flags, `cli/invalid-usage` where flags have nothing to decide
 */
export async function planProjectMigration(
  deps: MigrationPlanDependencies,
  project: Project,
  options: MigrationPlanOptions,
): Promise<ProjectMigrationPlan> {
  const models = { before: await previousModel(project), after: project.model };
  const context = { deps, project, models, options };
  const resumed = await planResumed(context);
  if (resumed !== null) return resumed;
  const plan = await planDecisions(context, await planRenames(context));
  if (plan.preview.sql === '' && hasDecisionFlags(options.flags) && !isUndecided(plan.decisions))
    throw createError('cli/invalid-usage', {
      reason: 'There is nothing to migrate, so that no value is set, mapped or converted.',
      remedy: 'Change the content-types first.',
    });
  return plan;
}

/**
 * Describes the plan for `--dry-run`: diffs of the generated files, then the SQL, then what happens to stored
 * values.
 */
export async function describeMigrationPlan(
  project: Project,
  { preview, account }: ProjectMigrationPlan,
): Promise<Outcome> {
  const changes = await diffGenerated(project);
  const isEmpty = preview.sql === '';
  const sql = isEmpty ? '' : `-- SQL\n${preview.sql.trimEnd()}\n-- ${describeSafety(preview.isAdditive)}\n`;
  return {
    json: {
      dryRun: true,
      files: changes.map(({ path }) => path),
      sql: preview.sql,
      changes: account,
      ...(isEmpty ? {} : { safeWhileRunning: preview.isAdditive }),
    },
    text: printUnifiedDiffs(changes) + sql + printAccountComments(account),
  };
}
