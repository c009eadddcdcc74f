import { createError } from '../../errors/catalogue.js';
import type { MigrateResult } from '../../migrations/migrate.js';
import type { Plan } from '../../migrations/plan/plan-migration.js';
import { buildModel } from '../../model/build-model.js';
import { isToleratedMistake } from '../../model/content-types/definition.js';
import type { Definitions, SchemaProblem } from '../../model/content-types/definition.js';
import type { ContentModel } from '../../model/model.js';
import { generate } from '../generate.js';
import { migrateProjectDatabase } from '../migrate/migrate-project.js';
import type { MigrateProjectOptions } from '../migrate/migrate-project.js';
import { printProblem, toFileIssue } from '../open/open-project.js';
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

/** Writes the files and runs work. Restores the files if the work fails. */
export async function writeEdits<T>(
  { before, changes }: Pick<SchemaEdits, 'before' | 'changes'>,
  work: () => Promise<T>,
): Promise<T> {
  await applyChanges(before.root, changes);
  try {
    return await work();
  } catch (error) {
    await revertChanges(before.root, changes);
    throw error;
  }
}

/**
 * Writes the files, migrates the database, and updates the generated files. A running development server
 * rebuilds once. If the migration is rejected, nothing is changed. After it, the files are kept even if a
 * later step fails, since they must match the database.
 *
 * @throws the errors of `applyPlan`
 */
export function migrateEdits(
  edits: SchemaEdits,
  plan: Plan,
  options: MigrateProjectOptions,
): Promise<MigrateResult> {
  const { before, after } = edits;
  return announceEdit(before.root, async () => {
    const result = await writeEdits(edits, () => migrateProjectDatabase(after, plan, options));
    await generate(after);
    return result;
  });
}
