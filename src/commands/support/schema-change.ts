import { openProject, printProblem } from '../../app/open-project.js';
import type { Project } from '../../app/open-project.js';
import { importProjectSeed } from '../../app/import-project-seed.js';
import { migrateProjectDatabase, previewProjectMigration } from '../../app/migrate-project.js';
import { generate } from '../../app/generate.js';
import { loadDefinitions } from '../../content-types/load.js';
import { fail } from '../../errors/catalogue.js';
import { printUnifiedDiff } from '../../lib/unified-diff.js';
import type { Rename } from '../../migrations/rename-in-schema.js';
import { buildModel } from '../../model/build-model.js';
import type { ContentModel } from '../../model/model.js';
import { applyChanges, printChanges, revertChanges } from '../../scaffold/file-changes.js';
import type { FileChange } from '../../scaffold/file-changes.js';
import { createSchemaProject, editedDefinitions } from '../../scaffold/schema-project.js';
import type { SchemaProject } from '../../scaffold/schema-project.js';
import { describeLosses } from './describe-loss.js';
import type { Loss } from './consent.js';
import type { Outcome } from './outcome.js';
import type { SchemaFlagValues } from './schema-flags.js';
import { describeTarget } from './target.js';
import { uninterrupted } from './uninterrupted.js';

/** What a change of schema files needs of the command that makes it. */
export interface SchemaHost {
  readonly root: string;
  readonly flags: SchemaFlagValues;
  readonly info: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly progress: <T>(label: string, work: () => Promise<T>) => Promise<T>;
  readonly acceptLoss: (losses: readonly Loss[]) => Promise<void>;
}

export interface SchemaEnding {
  /** What the migration is called. */
  readonly label: string;
  /** The command's own part of the result. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Columns and tables that keep their data under another name; from the models before and after. */
  readonly renames?: (before: ContentModel, after: ContentModel) => readonly Rename[];
}

export interface SchemaEdits {
  readonly project: Project;
  readonly edits: SchemaProject;
  /** Checks the edits, shows or makes them, and brings database and generated files in line. Whatever is refused has changed nothing. */
  readonly commit: (ending: SchemaEnding) => Promise<Outcome>;
}

/** The project with the model its files describe after the edits. @throws `scaffold/invalid-change` with every mistake */
const projectAfter = async (project: Project, edits: SchemaProject, warn: (text: string) => void): Promise<Project> => {
  const { model, problems } = buildModel(await editedDefinitions(edits));
  const mistakes = problems.filter(({ severity }) => severity === 'error');
  if (model === null || mistakes.length > 0) throw fail('scaffold/invalid-change', { problems: mistakes.map((problem) => `\n${printProblem(problem)}`).join('') });
  const known = new Set(project.warnings.map(printProblem));
  for (const warning of problems.filter((problem) => !known.has(printProblem(problem)))) warn(printProblem(warning));
  return { ...project, model };
};

interface Commit {
  readonly host: SchemaHost;
  readonly before: Project;
  readonly after: Project;
  readonly changes: readonly FileChange[];
  readonly renames: readonly Rename[];
  readonly ending: SchemaEnding;
}

const fileDocuments = (changes: readonly FileChange[]) => changes.map((change) => ({ path: change.path, diff: printUnifiedDiff(change) }));

const preview = async ({ host, before, after, changes, renames, ending }: Commit): Promise<Outcome> => {
  const plan = host.flags.migrate ? await previewProjectMigration(after, renames) : { sql: '', losses: [] };
  const losses = describeLosses(before.model, plan.losses);
  const sql = plan.sql === '' ? '' : `\n-- SQL\n${plan.sql}`;
  const lost = losses.map(({ what, reason, rows }) => `-- would lose: ${what}: ${reason} (${rows ?? 0} rows)\n`).join('');
  return { json: { ...ending.json, dryRun: true, files: fileDocuments(changes), sql: plan.sql, losses }, text: `${printChanges(changes)}${sql}${lost}` };
};

const withFilesInPlace = async <T>({ before, changes }: Commit, work: () => Promise<T>): Promise<T> => {
  await applyChanges(before.root, changes);
  try {
    return await work();
  } catch (error) {
    await revertChanges(before.root, changes);
    throw error;
  }
};

const files = ({ changes }: Commit) => changes.map(({ path }) => path);

const writeOnly = async (commit: Commit): Promise<Outcome> => {
  await uninterrupted(() => withFilesInPlace(commit, () => generate(commit.after)));
  commit.host.info('The database is as it was. Bring it in line with: cms migrate');
  return { json: { ...commit.ending.json, files: files(commit), migration: null }, text: commit.ending.text };
};

const migrate = async (commit: Commit): Promise<Outcome> => {
  const { host, before, after, renames, ending } = commit;
  host.info(await describeTarget(after));
  const losses = describeLosses(before.model, (await previewProjectMigration(after, renames)).losses);
  await host.acceptLoss(losses);
  const options = { label: ending.label, renames, acceptsDataLoss: losses.length > 0 };
  // Signals are put off before anything is said, so that whoever reads it may not be too early.
  const result = await uninterrupted(() => host.progress('Migrating', async () => {
    // Once the database has changed, the files stay: they and the database belong together, whatever fails after that.
    const migrated = await withFilesInPlace(commit, () => migrateProjectDatabase(after, options));
    await generate(after);
    return migrated;
  }));
  await importProjectSeed(after);
  for (const path of files(commit)) host.info(`  ${path}`);
  if (result.name !== null) host.info(`  prisma/migrations/${result.name}`);
  return { json: { ...ending.json, files: files(commit), migration: result.name, applied: result.applied }, text: ending.text };
};

/** Opens a project's schema files for edits. @throws `project/invalid-schemas` where they have mistakes already */
export async function openEdits(host: SchemaHost): Promise<SchemaEdits> {
  const project = await openProject(host.root);
  const edits = createSchemaProject(host.root, await loadDefinitions(host.root));
  const commit = async (ending: SchemaEnding): Promise<Outcome> => {
    const after = await projectAfter(project, edits, host.warn);
    const renames = ending.renames?.(project.model, after.model) ?? [];
    const work: Commit = { host, before: project, after, changes: edits.workspace.changes(), renames, ending };
    if (host.flags['dry-run']) return preview(work);
    return host.flags.migrate ? migrate(work) : writeOnly(work);
  };
  return { project, edits, commit };
}
