import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { countNoun } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import type { PlannedImport } from '../../project/archives/import-content.js';
import { migrateProject, planProject } from '../../project/migrate/migrate-project.js';
import { openProject } from '../../project/open/open-project.js';
import type { Project } from '../../project/open/open-project.js';
import { writeText } from '../../project/write-text.js';
import type { ImportPlan } from '../../transfer/import/plan-import.js';
import { sendArchive } from '../../transfer/remote/archives.js';
import type { ArchiveSending } from '../../transfer/remote/archives.js';
import type { RemoteAccess } from '../../transfer/remote/send.js';
import { schemaFilesOf } from '../../transfer/schema-files.js';
import type { SchemaFile } from '../../transfer/schema-files.js';
import type { ContentSource } from '../../transfer/source.js';
import type { Progress } from '../terminal/progress.js';
import { stopOnSignal } from '../terminal/signals.js';

const LISTS = ['types', 'locales', 'differences', 'findings'] as const;

const isPlan = (value: unknown): value is ImportPlan =>
  isRecord(value) && isRecord(value['files']) && LISTS.every((name) => Array.isArray(value[name]));

/**
 * Has a server import an archive, or say what that would do. Returns the plan.
 *
 * @throws what `sendArchive` throws
 */
export async function importElsewhere(
  access: RemoteAccess,
  path: string,
  sending: ArchiveSending & { readonly onProgress: (detail: string) => void },
): Promise<ImportPlan> {
  const plan = await sendArchive(access, path, sending);
  if (isPlan(plan)) return plan;
  const { name, url } = access;
  throw createError('remote/unexpected-answer', { name, url, reason: 'it tells no plan of the import' });
}

/**
 * Runs an import that was planned. A signal to stop ends it after the transaction that is being written.
 *
 * @throws `cli/stopped`, and the errors of the import
 */
export async function runPlanned(run: PlannedImport['run'], { update }: Progress): Promise<void> {
  let done = '';
  await stopOnSignal(async (signal) => {
    try {
      await run((detail) => {
        done = detail;
        update(detail);
      }, signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      const remedy = 'What was written stays. Run the same command again: it goes on.';
      throw createError('cli/stopped', { work: 'The import', done, remedy }, { cause: error });
    }
  });
}

interface SchemaFilesOptions {
  /** Returns the paths without writing. */
  readonly isDryRun: boolean;
}

/** Meets what is wrong with an export before anything is written. */
const readToEnd = async (source: ContentSource): Promise<void> => {
  for (const records of [source.entities(), source.links(), source.configuration()]) {
    const iterator = records[Symbol.asyncIterator]();
    while (!(await iterator.next()).done);
  }
};

/** Opens the project with its new files, and takes them away again where they make no model. */
const openWith = async (root: string, files: readonly SchemaFile[]): Promise<Project> => {
  try {
    for (const { path, schema } of files)
      await writeText(join(root, path), `${JSON.stringify(schema, null, 2)}\n`);
    return await openProject(root);
  } catch (error) {
    for (const { path } of files) await rm(join(root, path), { force: true });
    throw error;
  }
};

/**
 * Writes the schema files of content-types and components that a project does not have, and migrates its
 * database. Files that are there stay as they are. Returns the paths of those that were not.
 *
 * @throws what reading the export and migrating throw; of the former, nothing is left behind
 */
async function writeSchemaFiles(
  root: string,
  source: ContentSource,
  { isDryRun }: SchemaFilesOptions,
): Promise<readonly string[]> {
  const files = await schemaFilesOf(source);
  const missing = files.filter(({ path }) => !existsSync(join(root, path)));
  if (isDryRun || missing.length === 0) return missing.map(({ path }) => path);
  await readToEnd(source);
  const project = await openWith(root, missing);
  await migrateProject(project, await planProject(project), { label: 'content-types of strapi' });
  return missing.map(({ path }) => path);
}

interface SchemaMessages {
  readonly isDryRun: boolean;
  readonly confirm: (question: string) => Promise<void>;
  readonly info: (message: string) => void;
}

/** Asks, and writes the schema files that a project lacks. Returns their paths. */
export async function writeMissingSchemas(
  root: string,
  source: ContentSource,
  { isDryRun, confirm, info }: SchemaMessages,
): Promise<readonly string[]> {
  if (!isDryRun) await confirm('Write the schema files that are missing, and migrate?');
  const paths = await writeSchemaFiles(root, source, { isDryRun });
  if (!isDryRun && paths.length > 0) info(`Wrote ${countNoun(paths.length, 'schema file')} and migrated.`);
  return paths;
}
