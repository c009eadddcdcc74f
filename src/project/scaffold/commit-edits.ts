import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { MigrateResult } from '../../migrations/migrate.js';
import type { Plan } from '../../migrations/plan/plan-migration.js';
import { buildModel } from '../../model/build-model.js';
import { isToleratedMistake } from '../../model/content-types/definition.js';
import type { Definitions, SchemaProblem } from '../../model/content-types/definition.js';
import type { ContentModel } from '../../model/model.js';
import { withLockFile } from '../../transfer/lock-file.js';
import { generate } from '../generate.js';
import { migrateProjectDatabase } from '../migrate/migrate-project.js';
import type { MigrateProjectOptions } from '../migrate/migrate-project.js';
import { openProject, printProblem, toFileIssue } from '../open/open-project.js';
import type { Project } from '../open/open-project.js';
import { announceEdit } from '../serve/watched-files.js';
import { editedDefinitions } from './schema-project.js';
import type { SchemaProject } from './schema-project.js';
import { applyChanges, revertChanges } from './workspace.js';
import type { FileChange } from './workspace.js';

/** Edits of schema files that were checked but not written. */
export interface SchemaEdits {
  readonly before: Project;
  /** The project with the model after the edits. */
  readonly after: Project;
  readonly changes: readonly FileChange[];
}

/** The definitions after edits, and their mistakes. */
interface InspectedEdits {
  readonly definitions: Definitions;
  readonly model: ContentModel | null;
  /** The problems that the edits add. */
  readonly added: readonly SchemaProblem[];
  readonly errors: readonly SchemaProblem[];
}

/** Returns the key of a problem, which does not depend on its line. */
const problemKey = ({ file, attribute, code, message }: SchemaProblem): string =>
  JSON.stringify([file, attribute, code, message]);

/** Parses edits. New mistakes count as errors, even those that files may contain. */
export async function inspectEdits(project: Project, edits: SchemaProject): Promise<InspectedEdits> {
  const definitions = await editedDefinitions(edits);
  const { model, problems } = buildModel(definitions);
  const knownWarnings = new Set(project.warnings.map(problemKey));
  const added = problems.filter((problem) => !knownWarnings.has(problemKey(problem)));
  const errors = problems.filter(
    (problem) => problem.severity === 'error' || (added.includes(problem) && isToleratedMistake(problem)),
  );
  return { definitions, model, added, errors };
}

/**
 * Returns the edits of a project with the model that they lead to. Calls `warn` for problems that do not
 * prevent them.
 *
 * @throws `scaffold/invalid-change` with every mistake
 */
export async function checkEdits(
  project: Project,
  edits: SchemaProject,
  warn: (text: string) => void,
): Promise<SchemaEdits> {
  const { definitions, model, added, errors } = await inspectEdits(project, edits);
  if (model === null || errors.length > 0)
    throw createError(
      'scaffold/invalid-change',
      { problems: errors.map((problem) => `\n${printProblem(problem)}`).join('') },
      { details: { fileIssues: errors.map(toFileIssue) } },
    );
  for (const warning of added) warn(printProblem(warning));
  return { before: project, after: { ...project, definitions, model }, changes: edits.workspace.changes() };
}

/** The lock file of edits, in a project. */
const LOCK_FILE = '.galley/schema.lock';

/**
 * Rejects edits of schema files that another command or an editor has changed meanwhile. Otherwise the edits
 * would revert that change, and the migration would drop its columns.
 */
const assertUnchanged = async ({ root, definitions }: Project): Promise<void> => {
  const printSchemas = ({ types, components }: Definitions): string => JSON.stringify([types, components]);
  const { definitions: present } = await openProject(root);
  if (printSchemas(present) !== printSchemas(definitions)) throw createError('scaffold/changed-schemas');
};

/** @throws `scaffold/schemas-locked`, `scaffold/changed-schemas` */
const whileLocked = <T>(before: Project, work: () => Promise<T>): Promise<T> => {
  const busy = (): Error => createError('scaffold/schemas-locked', { file: LOCK_FILE });
  return withLockFile(join(before.root, LOCK_FILE), busy, async () => {
    await assertUnchanged(before);
    return work();
  });
};

const writeAndRun = async <T>(
  { before, changes }: Pick<SchemaEdits, 'before' | 'changes'>,
  work: () => Promise<T>,
): Promise<T> => {
  await applyChanges(before.root, changes);
  try {
    return await work();
  } catch (error) {
    await revertChanges(before.root, changes);
    throw error;
  }
};

/**
 * Writes the files and updates the generated files, while no other command edits schema files. Restores the
 * files if this fails.
 *
 * @throws `scaffold/schemas-locked`, `scaffold/changed-schemas`
 */
export async function writeEdits(edits: SchemaEdits): Promise<void> {
  await whileLocked(edits.before, () => writeAndRun(edits, () => generate(edits.after)));
}

/**
 * Writes the files, migrates the database, and updates the generated files. A running development server
 * rebuilds once. If the migration is rejected, nothing is changed. After it, the files are kept even if a
 * later step fails, since they must match the database.
 *
 * @throws the errors of `applyPlan` and {@link writeEdits}
 */
export function migrateEdits(
  edits: SchemaEdits,
  plan: Plan,
  options: MigrateProjectOptions,
): Promise<MigrateResult> {
  const { before, after } = edits;
  return announceEdit(before.root, () =>
    whileLocked(before, async () => {
      const result = await writeAndRun(edits, () => migrateProjectDatabase(after, plan, options));
      await generate(after);
      return result;
    }),
  );
}
