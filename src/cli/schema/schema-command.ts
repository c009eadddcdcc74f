/**
 * The folder schema supports the commands that change content-types and components. This file commits their
 * edits.
 */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from '@oclif/core/command';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { printUnifiedDiff, printUnifiedDiffs } from '../../lib/files.js';
import { relativePath } from '../../lib/text.js';
import type { ContentRename } from '../../migrations/content/content-decisions.js';
import type { AcceptedImpact, DataImpact } from '../../migrations/impact/data-impact.js';
import type { Plan } from '../../migrations/plan/plan-migration.js';
import {
  findLastMigration,
  importProjectSeed,
  previousModel,
} from '../../project/migrate/migrate-project.js';
import type { LastMigration } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import { checkEdits, inspectEdits, migrateEdits, writeEdits } from '../../project/scaffold/commit-edits.js';
import type { SchemaEdits } from '../../project/scaffold/commit-edits.js';
import { createSchemaProject, forkSchemaProject } from '../../project/scaffold/schema-project.js';
import type { SchemaProject } from '../../project/scaffold/schema-project.js';
import type { FileChange } from '../../project/scaffold/workspace.js';
import { BaseCommand } from '../base-command.js';
import type { SchemaFlagValues } from '../flags.js';
import { planWithDecisions } from '../migrations/migration-plan.js';
import type { MigrationPlanDependencies } from '../migrations/migration-plan.js';
import { reportMigrationProgress } from '../migrations/migration-status.js';
import { printImpactComments } from '../migrations/print-impact.js';
import { isRenamedInFiles, resolveRename } from '../migrations/renames.js';
import type { MigrationModels, NamedRename } from '../migrations/renames.js';
import type { Outcome } from '../outcome.js';
import { describeTarget } from '../project/command-target.js';
import { validateWith } from '../prompts/prompt.js';
import type { Validity } from '../prompts/prompt.js';
import type { Progress } from '../terminal/progress.js';
import { deferSignals } from '../terminal/signals.js';

/** The dependencies of an edit of schema files, provided by its command. */
interface SchemaEditDependencies extends MigrationPlanDependencies {
  readonly root: string;
  readonly flags: SchemaFlagValues;
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly progress: <T>(label: string, work: (progress: Progress) => Promise<T>) => Promise<T>;
  readonly confirmImpact: (impact: readonly DataImpact[]) => Promise<AcceptedImpact>;
}

interface SchemaCommitOptions {
  /** The name of the migration. */
  readonly label: string;
  /** The command's part of the JSON result. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The renames of the edit. */
  readonly renames?: readonly ContentRename[];
  /** Names that no longer exist. Mentions in project code are reported. */
  readonly formerNames?: readonly string[];
}

export interface SchemaEditSession {
  readonly project: Project;
  readonly edits: SchemaProject;
  /**
   * Returns the rename that the files contain already, because its command was killed before the migration
   * was written or applied. Otherwise null.
   */
  readonly findInterrupted: (named: NamedRename) => Promise<ContentRename | null>;
  /** Tries edits on a copy. Returns true if the files would be valid, otherwise the mistakes. */
  readonly check: (apply: (copy: SchemaProject) => Promise<unknown>) => Promise<Validity>;
  /**
   * Checks the edits and writes them, or only prints them with `--dry-run`. Then migrates the database and
   * regenerates files. An error before the migration leaves everything unchanged.
   */
  readonly commit: (commitOptions: SchemaCommitOptions) => Promise<Outcome>;
}

interface PreparedCommit extends SchemaEdits {
  readonly deps: SchemaEditDependencies;
  readonly commitOptions: SchemaCommitOptions;
}

const fileDiffs = (changes: readonly FileChange[]) =>
  changes.map((change) => ({ path: change.path, diff: printUnifiedDiff(change) }));

const planCommit = async ({ deps, after, commitOptions }: PreparedCommit): Promise<Plan> => {
  const { renames = [] } = commitOptions;
  return (await planWithDecisions(deps, after, { flags: deps.flags, renames })).plan;
};

const CODE_FILE = /\.(?:[cm]?[jt]sx?|graphql|gql|html)$/;

const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const listFiles = async (folder: string): Promise<readonly string[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return [];
    throw error;
  }
};

/** Returns the lines of project code that contain one of the names: `src/index.ts:12`. */
async function findMentions(root: string, names: readonly string[]): Promise<readonly string[]> {
  const pattern = new RegExp(`(?<![\\w-])(?:${names.map(escapeRegExp).join('|')})(?![\\w-])`);
  const files = (await listFiles(join(root, 'src'))).filter((file) => CODE_FILE.test(file));
  const mentions = await Promise.all(
    files.toSorted().map(async (file) => {
      const lines = (await readFile(file, 'utf8')).split('\n');
      const path = relativePath(root, file);
      return lines.flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}`] : []));
    }),
  );
  return mentions.flat();
}

/** Reports the lines of project code that still use a former name, which the user must change. */
const reportMentions = async ({ deps, before, commitOptions }: PreparedCommit): Promise<void> => {
  const { formerNames = [] } = commitOptions;
  const mentions = formerNames.length === 0 ? [] : await findMentions(before.root, formerNames);
  if (mentions.length === 0) return;
  deps.info(`Project code contains ${formerNames.join(' or ')} and may need the same change:`);
  for (const mention of mentions) deps.info(`  ${mention}`);
};

const previewCommit = async (commit: PreparedCommit): Promise<Outcome> => {
  const { deps, changes, commitOptions } = commit;
  const plan = deps.flags.migrate ? await planCommit(commit) : null;
  const { sql, impact } = plan ?? { sql: '', impact: [] };
  return {
    json: { ...commitOptions.json, dryRun: true, files: fileDiffs(changes), sql, changes: impact },
    text: printUnifiedDiffs(changes) + (sql === '' ? '' : `\n-- SQL\n${sql}\n`) + printImpactComments(impact),
  };
};

const changedPaths = ({ changes }: PreparedCommit) => changes.map(({ path }) => path);

const writeWithoutMigrating = async (commit: PreparedCommit): Promise<Outcome> => {
  await deferSignals(() => writeEdits(commit));
  commit.deps.info('The database is unchanged. Update it with: cms migrate');
  return {
    json: { ...commit.commitOptions.json, files: changedPaths(commit), migration: null },
    text: commit.commitOptions.text,
  };
};

const writeAndMigrate = async (commit: PreparedCommit): Promise<Outcome> => {
  const { deps, after, commitOptions } = commit;
  deps.info(await describeTarget(after));
  const plan = await planCommit(commit);
  const options = { label: commitOptions.label, ...(await deps.confirmImpact(plan.impact)) };
  // Defer signals before the first message, since a signal may be a response to it.
  const result = await deferSignals(() =>
    deps.progress('Migrating', (progress) =>
      migrateEdits(commit, plan, { ...options, ...reportMigrationProgress(progress) }),
    ),
  );
  await importProjectSeed(after);
  for (const path of changedPaths(commit)) deps.info(`  ${path}`);
  if (result.name !== null) deps.info(`  prisma/migrations/${result.name}`);
  return {
    json: {
      ...commitOptions.json,
      files: changedPaths(commit),
      migration: result.name,
      applied: result.applied,
      changes: plan.impact,
    },
    text: commitOptions.text,
  };
};

/** True if the last migration contains a rename, although its command was killed. */
const isRecorded = (models: MigrationModels, rename: ContentRename, last: LastMigration): boolean =>
  isRenamedInFiles({ ...models, before: last.before }, rename) &&
  last.decisions.renames.some((other) => isDeepStrictEqual(rename, other));

const findInterrupted = async (project: Project, named: NamedRename): Promise<ContentRename | null> => {
  const models = { before: await previousModel(project), after: project.model };
  const rename = resolveRename(models, named);
  if (rename !== null && isRenamedInFiles(models, rename)) return rename;
  const last = await findLastMigration(project);
  if (last === null) return null;
  const made = resolveRename({ ...models, before: last.before }, named);
  return made !== null && isRecorded(models, made, last) ? made : null;
};

/**
 * Opens a project's schema files for edits.
 *
 * @throws `project/invalid-schemas` if the files have mistakes already
 */
async function openSchemaEdits(deps: SchemaEditDependencies): Promise<SchemaEditSession> {
  const project = await openProject(deps.root);
  const edits = createSchemaProject(deps.root, project.definitions);
  const commit = async (commitOptions: SchemaCommitOptions): Promise<Outcome> => {
    const prepared = { ...(await checkEdits(project, edits, deps.warn)), deps, commitOptions };
    if (deps.flags['dry-run']) return previewCommit(prepared);
    const outcome = await (deps.flags.migrate ? writeAndMigrate(prepared) : writeWithoutMigrating(prepared));
    await reportMentions(prepared);
    return outcome;
  };
  const check: SchemaEditSession['check'] = async (apply) => {
    const copy = forkSchemaProject(edits);
    const validity = await validateWith(() => apply(copy));
    if (validity !== true) return validity;
    return (await inspectEdits(project, copy)).errors[0]?.message ?? true;
  };
  return { project, edits, findInterrupted: (named) => findInterrupted(project, named), check, commit };
}

/** The base class of commands that change schema files. They declare `schemaFlags`. */
export abstract class SchemaCommand<T extends typeof Command> extends BaseCommand<T> {
  /**
   * Continues a rename whose command was killed after it had changed the files. Returns null if the files are
   * unchanged.
   */
  protected async resumeRename(
    session: SchemaEditSession,
    named: NamedRename,
    describe: (rename: ContentRename) => Omit<SchemaCommitOptions, 'renames'>,
  ): Promise<Outcome | null> {
    const rename = await session.findInterrupted(named);
    if (rename === null) return null;
    this.info('The schema files have the new name already. Continuing with the database.');
    return session.commit({ ...describe(rename), renames: [rename] });
  }

  protected openSchemaEdits(): Promise<SchemaEditSession> {
    return openSchemaEdits({
      root: this.projectRoot,
      flags: this.flags as unknown as SchemaFlagValues,
      info: (text) => this.info(text),
      warn: (text) => {
        this.warn(text);
      },
      progress: (label, work) => this.progress(label, work),
      confirmImpact: (impact) => this.confirmImpact(impact),
      terminal: this.terminal,
      canPrompt: this.canPrompt,
    });
  }
}
