/**
 * The folder migrations supports `cms migrate`. This file plans a migration with the renames and decisions of
 * flags and prompts.
 */
import { isDeepStrictEqual } from 'node:util';
import { diffGenerated } from '../../project/generated-files.js';
import {
  findLastMigration,
  findProjectRenames,
  planProject,
  previousModel,
} from '../../project/migrate/migrate-project.js';
import type { LastMigration } from '../../project/migrate/migrate-project.js';
import type { Project } from '../../project/open/open-project.js';
import { createError } from '../../errors/catalogue.js';
import { printUnifiedDiffs } from '../../lib/files.js';
import { NO_DECISIONS } from '../../migrations/content/content-decisions.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import { droppedIn } from '../../migrations/impact/data-impact.js';
import type { Plan } from '../../migrations/plan/plan-migration.js';
import type { DecisionFlagValues } from '../flags.js';
import { describeSafety } from './migration-status.js';
import type { Outcome } from '../outcome.js';
import { createPrompter, askConfirm } from '../prompts/prompt.js';
import type { Terminal } from '../terminal/terminal.js';
import { printImpactComments } from './print-impact.js';
import { printRenameFlag, promptRenames, resolveRenameFlags, selectRenames } from './renames.js';
import type { MigrationModels } from './renames.js';
import { parseDecisions } from './parse-decisions.js';
import { promptDecisions } from './prompt-decisions.js';

export interface MigrationPlanDependencies {
  readonly terminal: Terminal;
  readonly canPrompt: boolean;
}

/** The options of a command for planning a migration. */
export interface MigrationPlanOptions {
  readonly flags: DecisionFlagValues;
  /** The values of `--rename`. */
  readonly renameFlags?: readonly string[];
  /** Renames of the command itself. Undefined to ask the user about possible renames. */
  readonly renames?: readonly ContentRename[];
}

/** The plan of a command. */
export interface DecidedPlan {
  readonly plan: Plan;
  /**
   * The last migration, if it already contains the decisions of the flags: it was interrupted. Otherwise
   * null.
   */
  readonly resumes: string | null;
}

interface PlanContext {
  readonly deps: MigrationPlanDependencies;
  readonly project: Project;
  readonly models: MigrationModels;
  readonly options: MigrationPlanOptions;
}

const withRenames = (
  { project, models, options }: PlanContext,
  renames: readonly ContentRename[],
): Promise<Plan> => planProject(project, parseDecisions(models.after, options.flags, renames));

/** Adds the `--rename` flags that would keep the data to the losses of possible renames. */
const withRenameRemedy = (
  { models }: PlanContext,
  plan: Plan,
  candidates: readonly ContentRename[],
): Plan => {
  if (candidates.length === 0) return plan;
  const flagTexts = candidates.map((candidate) => `--rename ${printRenameFlag(models, candidate)}`);
  const remedy = `If this is a rename, pass ${flagTexts.join(' or ')} to keep the data`;
  const impact = plan.impact.map((change) => (change.kind === 'dropped' ? { ...change, remedy } : change));
  return { ...plan, impact };
};

const hasDecisionFlags = (flags: DecisionFlagValues): boolean =>
  [flags.convert, flags.map, flags.set, flags['use-default']].some((texts) => (texts ?? []).length > 0);

/** True if the last migration contains all renames of the flags. */
const recordsRenames = (
  { models }: PlanContext,
  { before, decisions }: LastMigration,
  flags: readonly string[],
): boolean =>
  resolveRenameFlags({ before, after: models.after }, flags).every((rename) =>
    decisions.renames.some((other) => isDeepStrictEqual(rename, other)),
  );

/** True if the last migration contains all decisions of the flags. */
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
 * Returns the plan of a command that is run again after it was killed: its migration is written, nothing is
 * left to plan, and the last migration contains the decisions of the flags. Otherwise null.
 */
const planResumed = async (context: PlanContext): Promise<DecidedPlan | null> => {
  const { flags, renameFlags = [], renames } = context.options;
  if (renames !== undefined || (renameFlags.length === 0 && !hasDecisionFlags(flags))) return null;
  const last = await findLastMigration(context.project);
  if (last === null || !recordsRenames(context, last, renameFlags)) return null;
  if (!recordsDecisions(context, last, flags)) return null;
  const plan = await planProject(context.project);
  return plan.sql === '' ? { plan, resumes: last.name } : null;
};

const planRenames = async (context: PlanContext): Promise<Plan> => {
  const { deps, project, models, options } = context;
  if (options.renames !== undefined) return withRenames(context, options.renames);
  const { renameFlags = [] } = options;
  if (renameFlags.length > 0) {
    const candidates = await findProjectRenames(project);
    return withRenames(context, selectRenames(models, candidates, renameFlags));
  }
  const plan = await withRenames(context, []);
  if (droppedIn(plan.impact).length === 0) return plan;
  const candidates = await findProjectRenames(project);
  if (!deps.canPrompt) return withRenameRemedy(context, plan, candidates);
  const renames = await promptRenames(models, candidates, (question) =>
    askConfirm(createPrompter(deps.terminal), question, false),
  );
  return renames.length === 0 ? plan : withRenames(context, renames);
};

/** Asks for decisions about values that do not fit, until the answers no longer change the plan. */
const planDecisions = async (context: PlanContext, initialPlan: Plan): Promise<Plan> => {
  const { deps, project, models } = context;
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
    const { decisions = NO_DECISIONS } = plan.state;
    const decided = await promptDecisions({ ...prompts, renames: plan.renames }, decisions, plan.impact);
    if (decided === decisions) return plan;
    plan = await planProject(project, decided);
  }
};

/**
 * Plans a migration without changing anything: the SQL, the renames and decisions (from flags or answers),
 * and the impact on stored values.
 *
 * @throws `cli/unknown-name` for names in flags, `cli/invalid-usage` if flags have nothing to decide
 */
export async function planWithDecisions(
  deps: MigrationPlanDependencies,
  project: Project,
  options: MigrationPlanOptions,
): Promise<DecidedPlan> {
  const models = { before: await previousModel(project), after: project.model };
  const context = { deps, project, models, options };
  const resumed = await planResumed(context);
  if (resumed !== null) return resumed;
  const plan = await planDecisions(context, await planRenames(context));
  if (plan.sql === '' && hasDecisionFlags(options.flags))
    throw createError('cli/invalid-usage', {
      reason: 'There is nothing to migrate, so no value is set, mapped or converted.',
      remedy: 'Change the content-types first.',
    });
  return { plan, resumes: null };
}

/**
 * Describes the plan for `--dry-run`: diffs of the generated files, then the SQL, then the impact on stored
 * values.
 */
export async function describeMigrationPlan(
  project: Project,
  { sql, impact, isAdditive }: Plan,
): Promise<Outcome> {
  const changes = await diffGenerated(project);
  const text = sql === '' ? '' : `-- SQL\n${sql.trimEnd()}\n-- ${describeSafety(isAdditive)}\n`;
  return {
    json: {
      dryRun: true,
      files: changes.map(({ path }) => path),
      sql,
      changes: impact,
      ...(sql === '' ? {} : { safeWhileRunning: isAdditive }),
    },
    text: printUnifiedDiffs(changes) + text + printImpactComments(impact),
  };
}
